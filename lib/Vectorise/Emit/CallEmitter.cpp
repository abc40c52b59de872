// See CallEmitter.h.
#include "CallEmitter.h"

#include "cilk2gpu/Support/TypeSizes.h"
#include "cilk2gpu/Vectorise/LaneAttributes.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace cilk2gpu;

/// Emits the operation once for each active lane, in order.
void CallEmitter::emitPerLane(Operation *op) {
  Location loc = op->getLoc();
  // All lanes share the operands and results, so one call suffices.
  if (op->getNumResults() && llvm::none_of(op->getResults(), [&](Value result) { return varies(result); })) {
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, scalar(operand));
    for (auto [result, copied] : llvm::zip_equal(op->getResults(), builder.clone(*op, mapping)->getResults()))
      define(result, copied);
    return;
  }
  llvm::MapVector<Value, Value> spilled;
  for (Value operand : op->getOperands())
    if (varies(operand) && !spilled.count(operand))
      spilled[operand] = spill(loc, widened(loc, scalar(operand)));
  SmallVector<Value> results;
  for (Value result : op->getResults())
    results.push_back(createAlloca(loc, vectorOf(storedType(result.getType())), 1, 64));
  forEachLane(loc, mask, [&](Value lane) {
    IRMapping mapping;
    for (Value operand : op->getOperands())
      if (!varies(operand))
        mapping.map(operand, scalar(operand));
    for (auto [operand, memory] : spilled) {
      Value stored = laneOf(loc, memory, storedType(operand.getType()), lane);
      mapping.map(operand, narrowed(loc, stored, operand.getType()));
    }
    Operation *copy = builder.clone(*op, mapping);
    for (auto [result, memory] : llvm::zip_equal(copy->getResults(), results)) {
      Value stored = widened(loc, result);
      uint64_t size = storeSize(dataLayout, stored.getType());
      LLVM::StoreOp::create(builder, loc, stored, offset(loc, memory, lane, size));
    }
  });
  for (auto [result, memory] : llvm::zip_equal(op->getResults(), results)) {
    Value loaded = LLVM::LoadOp::create(builder, loc, vectorOf(storedType(result.getType())), memory);
    define(result, narrowed(loc, loaded, vectorOf(result.getType())));
  }
}

/// Emits calls of a function of a vector library, each for as many lanes as it takes. Returns false if `call` names no
/// such function. Inactive lanes compute the value at 1, which is fast everywhere.
bool CallEmitter::emitVectorMath(LLVM::CallOp call) {
  StringRef callee = call.getCallee().value_or("");
  if (!callee.consume_front(lane::kMathPrefix))
    return false;
  Location loc = call.getLoc();
  auto [lanes, name] = callee.split('.');
  int64_t count = 0;
  lanes.getAsInteger(10, count);
  Type element = call.getResult().getType();
  auto type = VectorType::get({count}, element);
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    SmallVector<Type> operands(call.getArgOperands().size(), type);
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    function = LLVM::LLVMFuncOp::create(top, module.getLoc(), name, LLVM::LLVMFunctionType::get(type, operands));
    function.setNoUnwind(true);
  }
  auto whole = cast<VectorType>(vectorOf(element));
  Value ones = LLVM::ConstantOp::create(
      builder, loc, whole, SplatElementsAttr::get(whole, cast<Attribute>(builder.getFloatAttr(element, 1))));
  SmallVector<Value> operands;
  for (Value operand : call.getArgOperands())
    operands.push_back(select(loc, mask, varies(operand) ? scalar(operand) : splat(loc, scalar(operand)), ones));
  Value result = poison(loc, whole);
  for (int64_t first = 0; first < length; first += count) {
    SmallVector<Value> parts;
    for (Value operand : operands)
      parts.push_back(lanesOf(loc, operand, first, count));
    Value part = LLVM::CallOp::create(builder, loc, function, parts).getResult();
    result = length == count  ? part
             : length < count ? lanesOf(loc, part, 0, length)
                              : LLVM::vector_insert::create(builder, loc, result, part, first).getResult();
  }
  if (!varies(call.getResult()))
    result =
        LLVM::ExtractElementOp::create(builder, loc, result,
                                       LLVM::CountTrailingZerosOp::create(builder, loc, builder.getIntegerType(length),
                                                                          bitsOf(loc, mask), /*is_zero_poison=*/true));
  define(call.getResult(), result);
  return true;
}

/// Emits a call of a clone for the active lanes. Returns false if there is no clone, or if the call is the same for all
/// lanes.
bool CallEmitter::emitCloneCall(LLVM::CallOp call) {
  LLVM::LLVMFuncOp source = call.getCallee() ? clones.sourceOf(*call.getCallee(), vectorIsa) : nullptr;
  bool hasResult = call.getNumResults() != 0;
  if (!source || source.getNumArguments() != call.getArgOperands().size() || (hasResult && !varies(call.getResult())))
    return false;
  Location loc = call.getLoc();
  SmallVector<Value> operands{bitsOf(loc, mask)};
  SmallVector<bool> varying;
  for (Value operand : call.getArgOperands()) {
    varying.push_back(varies(operand));
    operands.push_back(widened(loc, scalar(operand)));
  }
  Type result = hasResult ? storedType(vectorOf(call.getResult().getType()))
                          : Type(LLVM::LLVMVoidType::get(builder.getContext()));
  auto type = LLVM::LLVMFunctionType::get(result, llvm::to_vector(ValueRange(operands).getTypes()));
  auto made = LLVM::CallOp::create(builder, loc, clones.get(source, varying, length, vectorIsa, type), operands);
  if (hasResult)
    define(call.getResult(), narrowed(loc, made.getResult(), vectorOf(call.getResult().getType())));
  return true;
}
