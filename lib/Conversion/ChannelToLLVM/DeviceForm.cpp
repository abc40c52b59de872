// The device form of a kernel: what one lane of a device does, a function of (wave, lane, site) like a lane of the
// native kernel, but all that lanes do to channels at the same time is a call of the device runtime
// (cilk2gpu/abi/Device.h).
#include "Lowering.h"

#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "cilk2gpu/Support/DebugScopes.h"
#include "cilk2gpu/Support/UpdateMarks.h"
#include "cilk2gpu/abi/Device.h"

#include <cctype>

using namespace mlir;
using namespace cilk2gpu;

static Type pointerType(Builder &builder) { return LLVM::LLVMPointerType::get(builder.getContext()); }

Value KernelLowering::callDevice(Location loc, StringRef name, Type result, ValueRange args) {
  LLVM::LLVMFuncOp function = runtime(name, result, llvm::to_vector(args.getTypes()));
  function.setNoUnwind(true);
  auto call = LLVM::CallOp::create(builder, loc, function, args);
  return call.getNumResults() ? call.getResult() : Value();
}

/// The pointer, on a device known to lead to what all lanes share.
Value KernelLowering::shared(Location loc, Value pointer) {
  return onDevice ? callDevice(loc, "__cilk2gpu_device_global", pointerType(builder), pointer) : pointer;
}

// %index = __cilk2gpu_device_talloc(wave, target); %granted = %index != kRefused
void KernelLowering::tallocOnDevice(channel::TryTallocOp op) {
  Location loc = op.getLoc();
  Value target = constant(loc, builder.getI32Type(), targetIndex(op.getChannel()));
  Value index = callDevice(loc, "__cilk2gpu_device_talloc", builder.getI64Type(), {wave, target});
  Value refused = constant(loc, builder.getI64Type(), int64_t(abi::kRefused));
  op.getGranted().replaceAllUsesWith(
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, index, refused).getResult());
  op.getElement().replaceAllUsesWith(index);
}

/// Fills the element whose index talloc returned.
void KernelLowering::enqOnDevice(channel::EnqOp op) {
  Location loc = op.getLoc();
  channel::ChannelNodeOpInterface stack = stackOf(op.getChannel());
  if (unsigned segment = segmentOf(stack)) {
    Value kernel = constant(loc, builder.getI32Type(), segment);
    callDevice(loc, "__cilk2gpu_device_publish", LLVM::LLVMVoidType::get(builder.getContext()),
               {wave, kernel, op.getFields().front()});
    return;
  }
  Value cursors = shared(loc, loadAt(loc, pointerType(builder), wave, offsetof(abi::Wave, spawns)));
  Value cursor = pointerAt(loc, cursors, targetIndex(op.getChannel()));
  Value columns = shared(loc, loadAt(loc, pointerType(builder), shared(loc, cursor), offsetof(abi::Cursor, columns)));
  for (auto [number, value, type] :
       llvm::enumerate(op.getFields(), stack.getElementFields().getAsValueRange<TypeAttr>()))
    copyField(loc, fieldAddress(loc, columns, op->getOperand(0), number, type), value, type);
}

/// Returns false for what a device's lanes do as the host's do.
bool KernelLowering::lowerOnDevice(Operation *op) {
  Location loc = op->getLoc();
  Type none = LLVM::LLVMVoidType::get(builder.getContext());
  if (auto attempt = dyn_cast<channel::TryTallocOp>(op)) {
    tallocOnDevice(attempt);
  } else if (auto enq = dyn_cast<channel::EnqOp>(op)) {
    enqOnDevice(enq);
  } else if (auto talloc = dyn_cast<channel::TallocOp>(op)) {
    // The element of a post-sync channel is made by its enq.
    if (!stackOf(talloc.getChannel()))
      talloc.getResult().replaceAllUsesWith(
          shared(loc, callDevice(loc, "__cilk2gpu_device_frame", pointerType(builder), wave)));
  } else if (auto tfree = dyn_cast<channel::TfreeOp>(op)) {
    if (!isa<channel::ElementType>(tfree.getValue().getType()) && !stackOf(tfree.getChannel()))
      callDevice(loc, "__cilk2gpu_device_tfree", none, {wave, tfree.getValue()});
  } else if (auto yield = dyn_cast<channel::YieldOp>(op)) {
    Value number = constant(loc, builder.getI32Type(), yield.getSite());
    callDevice(loc, "__cilk2gpu_device_yield", none, {wave, yield.getFrame(), number});
  } else {
    return false;
  }
  return true;
}

static abi::Fold foldOf(LLVM::AtomicBinOp kind) {
  switch (kind) {
  case LLVM::AtomicBinOp::_and:
    return abi::Fold::And;
  case LLVM::AtomicBinOp::_or:
    return abi::Fold::Or;
  case LLVM::AtomicBinOp::_xor:
    return abi::Fold::Xor;
  case LLVM::AtomicBinOp::max:
    return abi::Fold::Max;
  case LLVM::AtomicBinOp::min:
    return abi::Fold::Min;
  case LLVM::AtomicBinOp::umax:
    return abi::Fold::UnsignedMax;
  case LLVM::AtomicBinOp::umin:
    return abi::Fold::UnsignedMin;
  case LLVM::AtomicBinOp::fadd:
    return abi::Fold::FloatAdd;
  default:
    return abi::Fold::Add;
  }
}

/// Whether lanes may update what `update` does in one operation: a result's accumulator, or `x` in `x += spawn f()`.
static bool isFolded(LLVM::AtomicRMWOp update) {
  return update->hasAttr(cilk::kAccumulateAttr) || update->hasAttr(cilk::kUpdateAttr);
}

// llvm.atomicrmw add %accumulator, %value {cilk.accumulate} -> __cilk2gpu_device_fold(accumulator, value, Add, bytes)
// llvm.atomicrmw fadd likewise, with the value's bits and FloatAdd
// llvm.atomicrmw sub %x, %value {cilk.update}               -> __cilk2gpu_device_fold(x, 0 - value, Add, bytes)
void KernelLowering::foldOnDevice(LLVM::AtomicRMWOp update) {
  Location loc = update.getLoc();
  builder.setInsertionPoint(update);
  Type word = builder.getI64Type(), number = builder.getI32Type(), type = update.getVal().getType();
  Value value = update.getVal();
  if (update.getBinOp() == LLVM::AtomicBinOp::sub)
    value = LLVM::SubOp::create(builder, loc, constant(loc, type, 0), value);
  if (isa<FloatType>(type)) {
    type = builder.getIntegerType(type.getIntOrFloatBitWidth());
    value = LLVM::BitcastOp::create(builder, loc, type, value);
  }
  if (type != word)
    value = LLVM::ZExtOp::create(builder, loc, word, value);
  Value fold = constant(loc, number, int64_t(foldOf(update.getBinOp())));
  Value bytes = constant(loc, number, type.getIntOrFloatBitWidth() / 8);
  callDevice(loc, "__cilk2gpu_device_fold", LLVM::LLVMVoidType::get(builder.getContext()),
             {update.getPtr(), value, fold, bytes});
  update.erase();
}

/// The kernel's name in device images, of characters that every target's assembler takes.
static std::string imageSymbol(StringRef prefix, unsigned number, StringRef name) {
  std::string symbol = (prefix + Twine(number) + "_" + name).str();
  for (char &c : symbol)
    if (!isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return symbol;
}

/// Lowers `copy`, and makes the function that the descriptor points at: the same for a host that plays a device, where
/// an exception that leaves a task ends the program.
LogicalResult KernelLowering::lowerDeviceForm(LLVM::LLVMFuncOp copy, StringRef name, bool resumes, bool elides) {
  onDevice = true;
  LogicalResult result = lowerBody(copy, (name + ".device").str());
  onDevice = false;
  if (failed(result))
    return failure();
  copy.walk([&](LLVM::AtomicRMWOp update) {
    if (isFolded(update))
      foldOnDevice(update);
  });
  makeOwnDebugScope(copy);
  ArrayAttr inherited = copy.getPassthroughAttr();
  SmallVector<Attribute> attributes;
  if (inherited)
    attributes.append(inherited.begin(), inherited.end());
  std::string symbol = imageSymbol(deviceSymbols, numDeviceForms++, name);
  attributes.push_back(builder.getStrArrayAttr({kDeviceKernelAttr, symbol}));
  if (resumes)
    attributes.push_back(builder.getStringAttr(kDeviceResumesAttr));
  if (elides)
    attributes.push_back(builder.getStringAttr(kDeviceElidesAttr));
  copy.setPassthroughAttr(builder.getArrayAttr(attributes));
  Location loc = copy.getLoc();
  builder.setInsertionPointAfter(copy);
  auto entry = LLVM::LLVMFuncOp::create(builder, loc, (name + ".device.host").str(), copy.getFunctionType(),
                                        LLVM::Linkage::Internal);
  if (inherited)
    entry.setPassthroughAttr(inherited);
  Block *block = entry.addEntryBlock(builder);
  builder.setInsertionPointToEnd(block);
  callLane(loc, entry, copy, block->getArguments());
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  makeOwnDebugScope(entry);
  return success();
}
