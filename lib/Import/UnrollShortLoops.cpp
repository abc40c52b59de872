// Unrolls loops of a few iterations over a local array that is accessed at constant places elsewhere.
//
//   for (i = 0; i < 4; i++) r[i] = cilk_spawn f(i);   cilk_sync;   return r[0] + r[1] + r[2] + r[3];
//
// Each result then goes to a constant place, which is a variable of its own for combining (cilk-combine-results).
// Arrays that only loops access need no unrolling.
#include "Extract.h"
#include "ImportPasses.h"

#include "cilk2gpu/Support/Analyses.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/SerialLoops.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;
using namespace cilk2gpu;

static constexpr unsigned kMostIterations = 8;

/// Most instructions of all iterations.
static constexpr unsigned kMostInstructions = 400;

/// Returns the local arrays and structs to which an instruction loads from or stores to.
static SmallVector<const Value *> localsOf(Instruction &inst, LoopInfo &loops) {
  SmallVector<const Value *> objects;
  if (const Value *address = getLoadStorePointerOperand(&inst))
    getUnderlyingObjects(address, objects, &loops);
  erase_if(objects, [](const Value *object) {
    auto *local = dyn_cast<AllocaInst>(object);
    return !local || !isa<ArrayType, StructType>(local->getAllocatedType());
  });
  return objects;
}

/// Returns the local arrays and structs that are accessed at constant places outside of loops.
static SmallPtrSet<const Value *, 4> findPlaced(Function &function, LoopInfo &loops) {
  SmallPtrSet<const Value *, 4> placed;
  for (BasicBlock &block : function)
    if (!loops.getLoopFor(&block))
      for (Instruction &inst : block)
        if (const Value *address = getLoadStorePointerOperand(&inst))
          if (isa<AllocaInst>(address->stripInBoundsConstantOffsets()))
            placed.insert_range(localsOf(inst, loops));
  return placed;
}

/// Returns the number of iterations, with the one that only leaves the loop, if the loop is to be unrolled; else 0.
static unsigned iterationsOf(Loop &loop, LoopInfo &loops, ScalarEvolution &evolution,
                             const SmallPtrSetImpl<const Value *> &placed) {
  unsigned iterations = loop.isInnermost() ? evolution.getSmallConstantTripCount(&loop) : 0, size = 0;
  for (BasicBlock *block : loop.blocks())
    size += block->size();
  bool isShort = iterations <= kMostIterations + 1 && iterations * size <= kMostInstructions;
  bool mayUnroll = hasUnrollTransformation(&loop) != TM_SuppressedByUser;
  if (iterations == 0 || !isShort || !mayUnroll)
    return 0;
  bool usesPlaced = any_of(loop.blocks(), [&](BasicBlock *block) {
    return any_of(*block, [&](Instruction &inst) {
      return any_of(localsOf(inst, loops), [&](const Value *local) { return placed.contains(local); });
    });
  });
  return usesPlaced ? iterations : 0;
}

/// Unrolls the short loops of a function. Returns true if there were some. Not LLVM's pass: it leaves loops alone whose
/// calls may be inlined.
static bool unrollShortLoops(Function &function, FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto &assumptions = analyses.getResult<AssumptionAnalysis>(function);
  OptimizationRemarkEmitter remarks(&function);
  SmallPtrSet<const Value *, 4> placed = findPlaced(function, loops);
  bool changed = false;
  // Inner loops first: what is around them may then be an innermost loop.
  SmallVector<Loop *> outerFirst = loops.getLoopsInPreorder();
  for (Loop *loop : reverse(outerFirst)) {
    UnrollLoopOptions options{};
    options.Count = iterationsOf(*loop, loops, evolution, placed);
    options.Force = true;
    if (options.Count == 0)
      continue;
    changed |= simplifyLoop(loop, &dominators, &loops, &evolution, &assumptions, nullptr, /*PreserveLCSSA=*/false);
    changed |= formLCSSA(*loop, dominators, &loops, &evolution);
    changed |= UnrollLoop(loop, options, &loops, &evolution, &dominators, &assumptions,
                          &analyses.getResult<TargetIRAnalysis>(function), &remarks,
                          /*PreserveLCSSA=*/true) != LoopUnrollResult::Unmodified;
  }
  return changed;
}

/// Lets LLVM duplicate the marks of spawns and syncs, or forbids it. A copy of a mark is a spawn or a sync of its own.
static void allowCopies(Module &module, bool allow) {
  for (const char *name : {kSpawnBeginMarker, kSpawnEndMarker, kSyncMarker}) {
    Function *marker = module.getFunction(name);
    if (!marker)
      continue;
    auto change = [allow](auto &where) {
      for (Attribute::AttrKind kind : {Attribute::NoDuplicate, Attribute::Convergent})
        allow ? where.removeFnAttr(kind) : where.addFnAttr(kind);
    };
    change(*marker);
    for (User *user : marker->users())
      change(*cast<CallBase>(user));
  }
}

bool UnrollShortLoopsPass::runOn(Module &module, Module &) {
  Analyses analyses;
  FunctionPassManager cleaning;
  cleaning.addPass(InstSimplifyPass());
  cleaning.addPass(SimplifyCFGPass());
  allowCopies(module, true);
  for (Function *function : findCilkFunctions(module))
    if (!function->hasOptNone() && !function->hasFnAttribute(kSerialLoopAttr) &&
        unrollShortLoops(*function, analyses.functions)) {
      analyses.functions.invalidate(*function, PreservedAnalyses::none());
      cleaning.run(*function, analyses.functions);
    }
  allowCopies(module, false);
  return true;
}
