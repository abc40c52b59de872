// See Clamps.h.
#include "Clamps.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

class Clamps {
public:
  explicit Clamps(ScalarEvolution &evolution) : evolution(evolution) {}
  /// Returns whether the value is never beyond the bound of a minimum or maximum.
  bool keepsTo(MinMaxIntrinsic &clamp, Value *value, Value *bound);

private:
  bool wraps(const SCEVAddRecExpr &values, bool isSigned) const {
    return !(isSigned ? values.hasNoSignedWrap() : values.hasNoUnsignedWrap());
  }
  bool isMonotonic(Value *value, const SCEVAddRecExpr &values, bool isSigned);

  ScalarEvolution &evolution;
};

} // namespace

/// Returns whether the value never wraps from one iteration to the next. A truncated number may be known not to wrap
/// because the wide number does not, and fits.
bool Clamps::isMonotonic(Value *value, const SCEVAddRecExpr &values, bool isSigned) {
  if (!wraps(values, isSigned))
    return true;
  auto *narrowed = dyn_cast<TruncInst>(value);
  if (!narrowed || !(isSigned ? narrowed->hasNoSignedWrap() : narrowed->hasNoUnsignedWrap()))
    return false;
  auto *wide = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(narrowed->getOperand(0)));
  return wide && wide->getLoop() == values.getLoop() && !wraps(*wide, isSigned);
}

bool Clamps::keepsTo(MinMaxIntrinsic &clamp, Value *value, Value *bound) {
  CmpInst::Predicate keeps = CmpInst::getNonStrictPredicate(clamp.getPredicate());
  const SCEV *values = evolution.getSCEV(value), *limit = evolution.getSCEV(bound);
  if (evolution.isKnownPredicateAt(keeps, values, limit, &clamp))
    return true;
  auto *sequence = dyn_cast<SCEVAddRecExpr>(values);
  if (!sequence || !sequence->isAffine() || !sequence->getLoop()->contains(&clamp) ||
      !evolution.isLoopInvariant(limit, sequence->getLoop()) || !isMonotonic(value, *sequence, clamp.isSigned()))
    return false;
  // The first and the last value are the extremes.
  const Loop *loop = sequence->getLoop();
  const SCEV *times = evolution.getBackedgeTakenCount(loop);
  if (isa<SCEVCouldNotCompute>(times))
    return false;
  return evolution.isLoopEntryGuardedByCond(loop, keeps, sequence->getStart(), limit) &&
         evolution.isLoopEntryGuardedByCond(loop, keeps, sequence->evaluateAtIteration(times, evolution), limit);
}

PreservedAnalyses DropClampsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  if (loops.empty())
    return PreservedAnalyses::all();
  ScalarEvolution &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  Clamps clamps(evolution);
  SmallVector<std::pair<MinMaxIntrinsic *, unsigned>> idle; // clamps, and their operands that stay
  for (Instruction &inst : instructions(function)) {
    auto *clamp = dyn_cast<MinMaxIntrinsic>(&inst);
    if (!clamp || !clamp->getType()->isIntegerTy() || !loops.getLoopFor(clamp->getParent()))
      continue;
    if (clamps.keepsTo(*clamp, clamp->getLHS(), clamp->getRHS()))
      idle.emplace_back(clamp, 0);
    else if (clamps.keepsTo(*clamp, clamp->getRHS(), clamp->getLHS()))
      idle.emplace_back(clamp, 1);
  }
  for (auto [clamp, operand] : idle) {
    evolution.forgetValue(clamp);
    clamp->replaceAllUsesWith(clamp->getArgOperand(operand)); // which may have been a clamp before
    clamp->eraseFromParent();
  }
  if (idle.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}
