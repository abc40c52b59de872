// Gives local variables that are copied as bytes a type without padding, so that no byte is lost.
#include "cilk2gpu/Dialect/Channel/Transforms/Passes.h"
#include "cilk2gpu/Support/TypeSizes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2gpu::channel {
#define GEN_PASS_DEF_KEEPPADDINGPASS
#include "cilk2gpu/Dialect/Channel/Transforms/Passes.h.inc"
} // namespace cilk2gpu::channel

using namespace mlir;
using namespace cilk2gpu;

static bool isCopied(LLVM::AllocaOp local) {
  return llvm::any_of(local->getUsers(), [](Operation *user) {
    return isa<LLVM::MemcpyOp, LLVM::MemcpyInlineOp, LLVM::MemmoveOp, LLVM::MemsetOp, LLVM::MemsetInlineOp>(user);
  });
}

namespace {

struct KeepPaddingPass : cilk2gpu::channel::impl::KeepPaddingPassBase<KeepPaddingPass> {
  void runOnOperation() override {
    DataLayout dataLayout(getOperation());
    getOperation().walk([&](LLVM::AllocaOp local) {
      Type type = local.getElemType();
      if (!isCopied(local) || coversMemory(dataLayout, type))
        return;
      uint64_t align = dataLayout.getTypeABIAlignment(type);
      if (!local.getAlignment() || *local.getAlignment() < align)
        local.setAlignment(align);
      local.setElemType(withoutPadding(dataLayout, type));
    });
  }
};

} // namespace
