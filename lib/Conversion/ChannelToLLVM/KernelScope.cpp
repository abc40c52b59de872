// See KernelScope.h.
#include "KernelScope.h"

#include "cilk2gpu/Support/TypeSizes.h"
#include "cilk2gpu/abi/Records.h"

using namespace mlir;
using namespace cilk2gpu;

LLVM::LLVMFuncOp RuntimeFunctions::get(StringRef name, Type result, ArrayRef<Type> params) {
  LLVM::LLVMFuncOp &function = declared[name];
  if (!function)
    function = declareRuntime(module, name, result, params);
  return function;
}

//===-- The graph -------------------------------------------------------------------------------------------------===//

channel::ChannelNodeOpInterface KernelScope::stackOf(SymbolRefAttr ref) const {
  auto node = nodes.lookup<channel::ChannelNodeOpInterface>(ref.getLeafReference());
  return node && node.getElementFields() ? node : channel::ChannelNodeOpInterface();
}

unsigned KernelScope::targetOf(SymbolRefAttr channel) const {
  return llvm::find(task->targets, FlatSymbolRefAttr::get(channel.getLeafReference())) - task->targets.begin();
}

unsigned KernelScope::segmentOf(channel::ChannelNodeOpInterface stack) const {
  auto *segment = llvm::find(task->postSync, stack);
  return segment == task->postSync.end() ? 0 : segment - task->postSync.begin();
}

//===-- Values and calls ------------------------------------------------------------------------------------------===//

Value KernelBuilder::constant(Type type, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, value));
}

Value KernelBuilder::addressAt(Value base, uint64_t offset) {
  return LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
}

Value KernelBuilder::loadAt(Type type, Value base, uint64_t offset) {
  return LLVM::LoadOp::create(builder, loc, type, addressAt(base, offset));
}

Operation *KernelBuilder::storeAt(Value value, Value base, uint64_t offset) {
  return LLVM::StoreOp::create(builder, loc, value, addressAt(base, offset));
}

Value KernelBuilder::call(StringRef name, Type result, ValueRange args) {
  LLVM::LLVMFuncOp function = body.scope.runtime.get(name, result, llvm::to_vector(args.getTypes()));
  auto call = LLVM::CallOp::create(builder, loc, function, args);
  return call.getNumResults() ? call.getResult() : Value();
}

Value KernelBuilder::callDevice(StringRef name, Type result, ValueRange args) {
  body.scope.runtime.get(name, result, llvm::to_vector(args.getTypes())).setNoUnwind(true);
  return call(name, result, args);
}

Value KernelBuilder::shared(Value pointer) {
  return body.onDevice ? callDevice("__cilk2gpu_device_global", this->pointer(), pointer) : pointer;
}

//===-- Records ---------------------------------------------------------------------------------------------------===//

Value KernelBuilder::pointerAt(Value table, unsigned index) { return loadAt(pointer(), table, index * 8); }

Value KernelBuilder::recordAt(uint64_t inWave) {
  Value record = loadAt(pointer(), body.wave, inWave);
  body.records[record] = {inWave, 0, 0, /*isInTable=*/false};
  return record;
}

Value KernelBuilder::recordAt(uint64_t inWave, unsigned entry) {
  Value record = pointerAt(loadAt(pointer(), body.wave, inWave), entry);
  body.records[record] = {inWave, entry, 0, /*isInTable=*/true};
  return record;
}

void KernelBuilder::noteAccess(Operation *access, Value record, uint64_t offset) {
  auto found = body.records.find(record);
  if (found == body.records.end())
    return;
  CountAddress count = found->second;
  count.inRecord = offset;
  body.countAccesses[access] = count;
}

Value KernelBuilder::loadCount(Value record, uint64_t offset) {
  Value count = loadAt(i64(), record, offset);
  noteAccess(count.getDefiningOp(), record, offset);
  return count;
}

void KernelBuilder::storeCount(Value count, Value record, uint64_t offset) {
  noteAccess(storeAt(count, record, offset), record, offset);
}

Value KernelBuilder::fieldAddress(Value columns, Value index, unsigned field, Type type) {
  Value column = shared(pointerAt(columns, field));
  auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), columnSize(body.scope.dataLayout, type));
  return LLVM::GEPOp::create(builder, loc, column.getType(), bytes, column, ArrayRef<LLVM::GEPArg>{index});
}

void KernelBuilder::copyField(Value address, Value value, Type type) {
  if (!channel::isByAddress(type)) {
    LLVM::StoreOp::create(builder, loc, value, address);
    return;
  }
  Value size = constant(i64(), storeSize(body.scope.dataLayout, type));
  LLVM::MemcpyOp::create(builder, loc, address, value, size, /*isVolatile=*/false);
}

void KernelBuilder::fillElement(Value cursor, channel::ChannelNodeOpInterface stack, ValueRange values) {
  Value columns = loadAt(pointer(), cursor, offsetof(abi::Cursor, columns));
  Value next = loadCount(cursor, offsetof(abi::Cursor, next));
  for (auto [index, value, type] : llvm::enumerate(values, stack.getElementFields().getAsValueRange<TypeAttr>()))
    copyField(fieldAddress(columns, next, index, type), value, type);
  storeCount(LLVM::AddOp::create(builder, loc, next, constant(i64(), 1)), cursor, offsetof(abi::Cursor, next));
}
