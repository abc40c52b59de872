// See FramesWindow.h.
#include "cilk2gpu/Support/FramesWindow.h"

#include "cilk2gpu/abi/Records.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cilk2gpu;

static constexpr StringLiteral kWindow = "__cilk2gpu_frames";

Value cilk2gpu::loadFramesWindow(OpBuilder &builder, Location loc, ModuleOp module) {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  if (!module.lookupSymbol(kWindow)) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    LLVM::GlobalOp::create(top, module.getLoc(), pointer, /*isConstant=*/false, LLVM::Linkage::External, kWindow,
                           Attribute());
  }
  Value address = LLVM::AddressOfOp::create(builder, loc, pointer, kWindow);
  auto window = LLVM::LoadOp::create(builder, loc, pointer, address);
  window.setInvariant(true);
  return window;
}

Value cilk2gpu::placeInFrames(OpBuilder &builder, Location loc, Type pointer, Value window, Value offset) {
  Type i64 = builder.getI64Type();
  if (auto lanes = dyn_cast<VectorType>(offset.getType()))
    i64 = lanes.clone(i64);
  auto unit = LLVM::LLVMArrayType::get(builder.getI8Type(), abi::kFrameUnit);
  Value units = LLVM::ZExtOp::create(builder, loc, i64, offset);
  return LLVM::GEPOp::create(builder, loc, pointer, unit, window, ArrayRef<LLVM::GEPArg>{units});
}

Value cilk2gpu::offsetInFrames(OpBuilder &builder, Location loc, Value address) {
  Type i64 = builder.getI64Type();
  Value bits = LLVM::PtrToIntOp::create(builder, loc, i64, address);
  Value unit = LLVM::ConstantOp::create(builder, loc, i64, builder.getI64IntegerAttr(llvm::Log2_64(abi::kFrameUnit)));
  return LLVM::TruncOp::create(builder, loc, builder.getI32Type(), LLVM::LShrOp::create(builder, loc, bits, unit));
}
