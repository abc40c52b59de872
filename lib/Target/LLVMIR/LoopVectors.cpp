// A rough copy of what LoopVectorize asks of a loop, without its costs: it is asked before the lane forms are chosen, and
// LLVM decides about the loops themselves long afterwards.
#include "LoopVectors.h"

#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2gpu;

bool LoopVectors::isRecurrence(PHINode &phi, Loop &loop) {
  auto *progress = evolution.isSCEVable(phi.getType()) ? dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi)) : nullptr;
  if (progress && progress->getLoop() == &loop && progress->isAffine())
    return true;
  RecurrenceDescriptor reduction;
  return loop.getLoopPreheader() && RecurrenceDescriptor::isReductionPHI(&phi, &loop, reduction) &&
         !reduction.hasExactFPMath();
}

/// Whether consecutive iterations access consecutive elements, or, for loads, all the same.
bool LoopVectors::isNeighbourly(Instruction &access, Loop &loop) {
  const SCEV *address = evolution.getSCEV(getLoadStorePointerOperand(&access));
  if (evolution.isLoopInvariant(address, &loop))
    return isa<LoadInst>(access);
  auto *progress = dyn_cast<SCEVAddRecExpr>(address);
  if (!progress || progress->getLoop() != &loop || !progress->isAffine())
    return false;
  auto *step = dyn_cast<SCEVConstant>(progress->getStepRecurrence(evolution));
  uint64_t size = access.getDataLayout().getTypeStoreSize(getLoadStoreType(&access)).getFixedValue();
  return step && step->getAPInt().abs() == size;
}

bool LoopVectors::hasVectorForm(Instruction &inst, Loop &loop) {
  if (auto *phi = dyn_cast<PHINode>(&inst))
    return phi->getParent() != loop.getHeader() || isRecurrence(*phi, loop);
  if (isa<LoadInst, StoreInst>(inst))
    return !inst.isVolatile() && !inst.isAtomic() && isNeighbourly(inst, loop);
  if (auto *call = dyn_cast<CallBase>(&inst)) {
    auto *intrinsic = dyn_cast<IntrinsicInst>(call);
    return intrinsic && (isTriviallyVectorizable(intrinsic->getIntrinsicID()) || intrinsic->isAssumeLikeIntrinsic());
  }
  return !inst.mayReadOrWriteMemory();
}

bool LoopVectors::makesVectorsOf(Loop &loop) {
  if (!loop.isInnermost() || !loop.getExitingBlock() || loop.getExitingBlock() != loop.getLoopLatch() ||
      isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop)))
    return false;
  return all_of(loop.blocks(), [&](BasicBlock *block) {
    return all_of(*block, [&](Instruction &inst) { return hasVectorForm(inst, loop); });
  });
}
