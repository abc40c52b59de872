// A rough copy of LoopVectorize's conditions on a loop, without its costs. It is needed before the lane forms are
// chosen; LLVM decides about the loops themselves much later.
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

/// Returns true if consecutive iterations access consecutive elements, or all load the same element.
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

/// Returns the constant by which a value grows in each iteration of a loop that satisfies `isMeant`, or nothing if
/// there is none. Sign extensions are ignored.
static std::optional<int64_t> stepOf(const SCEV *value, function_ref<bool(const Loop &)> isMeant,
                                     ScalarEvolution &evolution) {
  if (auto *cast = dyn_cast<SCEVIntegralCastExpr>(value))
    return stepOf(cast->getOperand(), isMeant, evolution);
  if (auto *product = dyn_cast<SCEVMulExpr>(value); product && product->getNumOperands() == 2)
    if (auto *factor = dyn_cast<SCEVConstant>(product->getOperand(0)); factor && factor->getAPInt().isSignedIntN(32))
      if (std::optional<int64_t> step = stepOf(product->getOperand(1), isMeant, evolution))
        return *step * factor->getAPInt().getSExtValue();
  auto *progress = dyn_cast<SCEVAddRecExpr>(value);
  if (!progress || !progress->isAffine() || !isMeant(*progress->getLoop()))
    return std::nullopt;
  auto *step = dyn_cast<SCEVConstant>(progress->getStepRecurrence(evolution));
  return step && step->getAPInt().isSignedIntN(31) ? std::optional(step->getAPInt().getSExtValue()) : std::nullopt;
}

LoopVectors::Stride LoopVectors::strideOf(const Instruction &access, const Loop &loop) {
  constexpr int64_t kLine = 64;
  auto *pointer = const_cast<Value *>(getLoadStorePointerOperand(&access));
  const SCEV *address = pointer ? evolution.getSCEV(pointer) : nullptr;
  auto isNear = [](std::optional<int64_t> step) { return step && std::abs(*step) < kLine; };
  if (auto *progress = dyn_cast_or_null<SCEVAddRecExpr>(address); progress && progress->getLoop() == &loop)
    return isNear(stepOf(address, [&](const Loop &) { return true; }, evolution)) ? Stride::Near : Stride::Far;
  // Handles rows at unrelated addresses: each iteration loads another pointer to a row, and the loop around it moves
  // along the row.
  auto isAround = [&](const Loop &other) { return &other != &loop && other.contains(&loop); };
  auto *sum = dyn_cast_or_null<SCEVAddExpr>(address);
  bool isColumn = sum && !evolution.isLoopInvariant(sum, &loop) &&
                  any_of(sum->operands(), [&](const SCEV *term) { return isNear(stepOf(term, isAround, evolution)); });
  return isColumn ? Stride::Far : Stride::Irregular;
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
