// Looks up views of reducers once for a loop, not once for an iteration. All lookups of a reducer in one strand have
// the same result, and a loop without calls that may spawn or sync is a part of one strand.
//
//   for (...) { enter(&a); *__hyper_lookup(&sum) += x[i]; leave(&a); }
//   -> v = lookup(&a, &sum); for (...) *v += x[i];        LLVM keeps *v in a register, and may vectorise the loop
//
// If only some iterations look up a view, the first of them does, because views are not made for nothing:
//
//   for (...) if (x[i]) *lookup(&a, &sum) += x[i];
//   -> v = null; for (...) if (x[i]) { if (!v) v = lookup(&a, &sum); *v += x[i]; }
#include "Target/Host/ReducerLookups.h"
#include "cilk2gpu/Support/ReducerMarks.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MustExecute.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

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

/// Returns true if nothing in a loop may end the strand or change the thread's strand.
static bool isInOneStrand(const Loop &loop) {
  return all_of(loop.blocks(), [](BasicBlock *block) {
    return none_of(*block, [](Instruction &inst) { return mayUseStrand(&inst) && !lookupOf(&inst); });
  });
}

/// Returns the outermost loop around a lookup that has one strand and one key for the lookup, or null.
static Loop *outermostLoopOf(CallInst *lookup, LoopInfo &loops, DenseMap<Loop *, bool> &haveOneStrand) {
  Loop *found = nullptr;
  for (Loop *loop = loops.getLoopFor(lookup->getParent()); loop; loop = loop->getParentLoop()) {
    auto [hasOne, isNew] = haveOneStrand.try_emplace(loop);
    if (isNew)
      hasOne->second = isInOneStrand(*loop);
    if (!hasOne->second || !loop->getLoopPreheader() || !loop->hasLoopInvariantOperands(lookup))
      break;
    found = loop;
  }
  return found;
}

static void keepView(CallInst *lookup, AllocaInst *view, DominatorTree &dominators, LoopInfo &loops) {
  IRBuilder<> builder(lookup);
  Value *known = builder.CreateLoad(lookup->getType(), view), *isNew = builder.CreateIsNull(known);
  BasicBlock *before = lookup->getParent();
  DomTreeUpdater updater(dominators, DomTreeUpdater::UpdateStrategy::Eager);
  MDNode *weights = MDBuilder(lookup->getContext()).createUnlikelyBranchWeights();
  Instruction *end =
      SplitBlockAndInsertIfThen(isNew, lookup->getIterator(), /*Unreachable=*/false, weights, &updater, &loops);
  builder.SetInsertPoint(lookup);
  PHINode *used = builder.CreatePHI(lookup->getType(), 2);
  lookup->replaceAllUsesWith(used);
  lookup->moveBefore(end->getIterator());
  builder.SetInsertPoint(end);
  builder.CreateStore(lookup, view);
  used->addIncoming(known, before);
  used->addIncoming(lookup, end->getParent());
}

/// Keeps the view of lookups that only some iterations of a loop execute: `if (!view) view = lookup(...)`.
static bool keepViews(Function &function, DominatorTree &dominators, LoopInfo &loops) {
  MapVector<Loop *, SmallVector<CallInst *>> lookups;
  DenseMap<Loop *, bool> haveOneStrand;
  for (Instruction &instruction : instructions(function))
    if (CallInst *lookup = lookupOf(&instruction))
      if (Loop *loop = outermostLoopOf(lookup, loops, haveOneStrand))
        lookups[loop].push_back(lookup);
  SmallVector<AllocaInst *> variables;
  for (auto &[loop, inside] : lookups) {
    SmallVector<std::pair<CallInst *, AllocaInst *>> kept;
    for (CallInst *lookup : inside) {
      auto *same = find_if(kept, [&](auto &other) { return other.first->isIdenticalTo(lookup); });
      AllocaInst *view = same == kept.end() ? nullptr : same->second;
      IRBuilder<> builder(function.getContext());
      if (!view) {
        builder.SetInsertPoint(&function.getEntryBlock(), function.getEntryBlock().begin());
        variables.push_back(view = builder.CreateAlloca(lookup->getType()));
        builder.SetInsertPoint(loop->getLoopPreheader()->getTerminator());
        builder.CreateStore(Constant::getNullValue(lookup->getType()), view);
        kept.emplace_back(lookup, view);
      }
      keepView(lookup, view, dominators, loops);
    }
  }
  PromoteMemToReg(variables, dominators);
  return !variables.empty();
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
  bool kept = keepViews(function, dominators, loops);
  if (!changed && !hoisted && !kept)
    return PreservedAnalyses::all();
  if (hoisted) { // views of scalars go into registers
    PreservedAnalyses updated;
    updated.preserve<DominatorTreeAnalysis>();
    updated.preserve<LoopAnalysis>();
    if (!kept)
      updated.preserveSet<CFGAnalyses>();
    analyses.invalidate(function, updated);
    FunctionPassManager passes;
    passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
    passes.run(function, analyses);
  }
  return PreservedAnalyses::none();
}
