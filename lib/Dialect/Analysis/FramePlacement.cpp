// Late placement of a kernel's frame. See FramePlacement.h.
#include "cilk2gpu/Dialect/Analysis/FramePlacement.h"

#include "cilk2gpu/Dialect/Analysis/Cuts.h"
#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace cilk2gpu;

/// Returns the operations that need the frame: its users, and spawns, at which the lane may have to save itself.
static SmallVector<Operation *> frameUses(LLVM::LLVMFuncOp kernel, Value frame) {
  SmallVector<Operation *> uses(frame.getUsers().begin(), frame.getUsers().end());
  kernel.walk([&](channel::TallocOp talloc) {
    if (talloc.getResult() != frame)
      uses.push_back(talloc);
  });
  return uses;
}

static bool isInLoop(Block *block) {
  return llvm::any_of(block->getSuccessors(), [&](Block *next) { return reachableFrom(next).contains(block); });
}

/// Returns the latest point outside loops that dominates all of `uses`.
static Operation *latestPoint(LLVM::LLVMFuncOp kernel, ArrayRef<Operation *> uses, DominanceInfo &dominance) {
  Block *block = uses.front()->getBlock();
  for (Operation *use : uses)
    block = dominance.findNearestCommonDominator(block, use->getBlock());
  while (isInLoop(block))
    block = dominance.getNode(block)->getIDom()->getBlock();
  Operation *point = block->getTerminator();
  for (Operation *use : uses)
    if (use->getBlock() == block && use->isBeforeInBlock(point))
      point = use;
  return point;
}

void cilk2gpu::placeFrame(LLVM::LLVMFuncOp kernel, Value frame, SymbolRefAttr frameNode) {
  for (Operation *user : llvm::make_early_inc_range(frame.getUsers()))
    if (isa<channel::TfreeOp>(user))
      user->erase();
  SmallVector<LLVM::ReturnOp> returns;
  for (Block &block : kernel.getBody())
    if (auto ret = dyn_cast<LLVM::ReturnOp>(block.getTerminator()); ret && !ret->hasAttr(kHandsOverAttr))
      returns.push_back(ret);

  DominanceInfo dominance(kernel);
  Operation *source = frame.getDefiningOp();
  if (isa<channel::TallocOp>(source)) {
    SmallVector<Operation *> uses = frameUses(kernel, frame);
    if (uses.empty())
      return source->erase();
    Operation *point = latestPoint(kernel, uses, dominance);
    // A return that is reached both with and without the frame could not tell whether to free the frame. If there is
    // such a return, the frame is taken at the entry.
    BlockSet after = reachableFrom(point->getBlock());
    bool ambiguous = llvm::any_of(returns, [&](LLVM::ReturnOp ret) {
      return after.contains(ret->getBlock()) && !dominance.dominates(point->getBlock(), ret->getBlock());
    });
    source->moveBefore(ambiguous ? kernel.getBody().front().getTerminator() : point);
  }
  for (LLVM::ReturnOp ret : returns)
    if (dominance.dominates(source->getBlock(), ret->getBlock())) {
      OpBuilder builder(ret);
      channel::TfreeOp::create(builder, ret.getLoc(), frameNode, frame);
    }
}
