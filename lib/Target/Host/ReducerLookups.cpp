// Looks up views of reducers once for a loop, not once for an iteration. All lookups of a reducer in one strand have
// the same result, and a loop without calls that may spawn or sync is a part of one strand.
//
//   for (...) { enter(&a); *__hyper_lookup(&sum) += x[i]; leave(&a); }
//   -> v = lookup(&a, &sum); for (...) *v += x[i];        LLVM keeps *v in a register, and may vectorise the loop
#include "Target/Host/ReducerLookups.h"
#include "cilk2gpu/Support/ReducerMarks.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MustExecute.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

using namespace llvm;
using namespace cilk2gpu;

/// Returns the call of a function by its name, or null.
static CallInst *callOf(Instruction *instruction, StringRef name) {
  auto *call = dyn_cast<CallInst>(instruction);
  Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == name ? call : nullptr;
}

static CallInst *lookupOf(Instruction *instruction) {
  for (StringRef name : {kHyperLookup, kViewsLookup, kReducerLookupInC})
    if (CallInst *call = callOf(instruction, name))
      return call;
  return nullptr;
}

/// Returns true if an instruction may end the strand, change the thread's strand, or need it for a lookup.
static bool mayUseStrand(Instruction *instruction) {
  auto *call = dyn_cast<CallBase>(instruction);
  if (!call || isa<IntrinsicInst>(call))
    return false;
  return call->isInlineAsm() || !(call->onlyReadsMemory() || call->hasFnAttr(Attribute::NoCallback));
}

namespace {

/// The code between a call of `enter` and the calls of `leave` that it reaches.
class EnteredCode {
public:
  EnteredCode(CallInst *enter, DominatorTree &dominators) : enter(enter), dominators(dominators) {}

  /// Returns true if only lookups in this code need the thread's strand.
  bool find() {
    SmallSetVector<BasicBlock *, 8> blocks;
    if (!scan(BasicBlock::iterator(enter->getNextNode()), enter->getParent(), blocks))
      return false;
    for (unsigned i = 0; i < blocks.size(); ++i)
      if (blocks[i] == enter->getParent() || !scan(blocks[i]->begin(), blocks[i], blocks))
        return false;
    auto isDominated = [&](CallInst *call) { return dominators.dominates(enter, call); };
    return !leaves.empty() && all_of(leaves, isDominated) && all_of(lookups, isDominated);
  }

  /// Lets the lookups name the activation, so that the thread need not know it.
  void dissolve() {
    Value *activation = enter->getArgOperand(0);
    Module &module = *enter->getModule();
    for (CallInst *lookup : lookups) {
      SmallVector<Value *, 5> args{activation};
      append_range(args, lookup->args());
      SmallVector<Type *, 5> types;
      for (Value *arg : args)
        types.push_back(arg->getType());
      FunctionCallee tracked =
          module.getOrInsertFunction(kViewsLookup, FunctionType::get(lookup->getType(), types, /*isVarArg=*/false));
      if (auto *declared = dyn_cast<Function>(tracked.getCallee())) {
        declared->setOnlyReadsMemory();
        declared->setOnlyAccessesInaccessibleMemory();
        declared->setDoesNotThrow();
        declared->setWillReturn();
      }
      CallInst *replacement = CallInst::Create(tracked, args, "", lookup->getIterator());
      replacement->setDebugLoc(lookup->getDebugLoc());
      lookup->replaceAllUsesWith(replacement);
      lookup->eraseFromParent();
    }
    for (CallInst *leave : leaves)
      leave->eraseFromParent();
    enter->eraseFromParent();
  }

private:
  bool scan(BasicBlock::iterator from, BasicBlock *block, SmallSetVector<BasicBlock *, 8> &blocks) {
    for (Instruction &instruction : make_range(from, block->end())) {
      if (CallInst *leave = callOf(&instruction, kViewsLeave)) {
        leaves.insert(leave);
        return leave->getArgOperand(0) == enter->getArgOperand(0);
      }
      if (CallInst *lookup = callOf(&instruction, kHyperLookup))
        lookups.insert(lookup);
      else if (mayUseStrand(&instruction))
        return false;
    }
    if (succ_empty(block))
      return false;
    blocks.insert_range(successors(block));
    return true;
  }

  CallInst *enter;
  DominatorTree &dominators;
  SmallSetVector<CallInst *, 4> leaves, lookups;
};

} // namespace

static bool dissolveEnteredCode(Function &function, DominatorTree &dominators) {
  SmallVector<CallInst *> enters;
  for (Instruction &instruction : instructions(function))
    if (CallInst *enter = callOf(&instruction, kViewsEnter))
      enters.push_back(enter);
  bool changed = false;
  for (CallInst *enter : enters) {
    EnteredCode code(enter, dominators);
    if (!code.find())
      continue;
    code.dissolve();
    changed = true;
  }
  return changed;
}

/// Moves the lookups that each iteration of a loop executes in front of the loop.
static bool hoistLookups(Loop &loop, DominatorTree &dominators) {
  BasicBlock *preheader = loop.getLoopPreheader();
  if (!preheader)
    return false;
  SmallVector<CallInst *> lookups;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      if (CallInst *lookup = lookupOf(&instruction))
        lookups.push_back(lookup);
      else if (mayUseStrand(&instruction))
        return false;
    }
  SimpleLoopSafetyInfo safety;
  safety.computeLoopSafetyInfo(&loop);
  SmallVector<CallInst *> hoisted;
  for (CallInst *lookup : lookups) {
    if (!loop.hasLoopInvariantOperands(lookup))
      continue;
    auto *same = find_if(hoisted, [&](CallInst *other) { return other->isIdenticalTo(lookup); });
    if (same != hoisted.end()) {
      lookup->replaceAllUsesWith(*same);
      lookup->eraseFromParent();
    } else if (safety.isGuaranteedToExecute(*lookup, &dominators, &loop)) {
      lookup->moveBefore(preheader->getTerminator()->getIterator());
      hoisted.push_back(lookup);
    }
  }
  return !hoisted.empty();
}

PreservedAnalyses HoistLookupsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  Module &module = *function.getParent();
  if (!module.getFunction(kHyperLookup) && !module.getFunction(kViewsLookup))
    return PreservedAnalyses::all();
  if (none_of(instructions(function), [](Instruction &instruction) { return lookupOf(&instruction); }))
    return PreservedAnalyses::all();
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  bool changed = dissolveEnteredCode(function, dominators);
  bool hoisted = false;
  SmallVector<Loop *> outerFirst(loops.getLoopsInPreorder());
  for (Loop *loop : reverse(outerFirst))
    hoisted |= hoistLookups(*loop, dominators);
  if (!changed && !hoisted)
    return PreservedAnalyses::all();
  if (hoisted) { // views of scalars go into registers
    PreservedAnalyses sameBlocks;
    sameBlocks.preserveSet<CFGAnalyses>();
    analyses.invalidate(function, sameBlocks);
    FunctionPassManager passes;
    passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
    passes.run(function, analyses);
  }
  return PreservedAnalyses::none();
}
