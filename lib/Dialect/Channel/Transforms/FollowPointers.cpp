// Finds the pointer fields of elements through which a kernel loads. A pointer is followed as long as all its uses are
// visible.
#include "cilk2gpu/Dialect/Channel/Transforms/Passes.h"
#include "cilk2gpu/Support/Displacement.h"

namespace cilk2gpu::channel {
#define GEN_PASS_DEF_FOLLOWPOINTERSPASS
#include "cilk2gpu/Dialect/Channel/Transforms/Passes.h.inc"
} // namespace cilk2gpu::channel

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::channel;

namespace {

struct FollowPointersPass : cilk2gpu::channel::impl::FollowPointersPassBase<FollowPointersPass> {
  void runOnOperation() override {
    DataLayout dataLayout(getOperation());
    SymbolTableCollection symbols;
    getOperation().walk([&](DeqOp deq) {
      auto stack = symbols.lookupNearestSymbolFrom<StackOp>(deq, deq.getChannel());
      if (!stack || stack.getResumes()) // a frame
        return;
      SmallVector<int64_t> followed;
      for (auto [number, field] : llvm::enumerate(deq.getFields())) {
        SmallVector<int64_t> distances = followedTo(field, dataLayout);
        numFields += !distances.empty();
        for (int64_t distance : distances)
          followed.append({int64_t(number), distance});
      }
      if (!followed.empty())
        deq.setFollowed(followed);
    });
  }
};

} // namespace
