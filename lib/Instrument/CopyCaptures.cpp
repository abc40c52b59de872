// Gives spawned blocks and calls of an instrumented elision the values that they have in the graph: those of their
// spawn.
//
//   cilk_spawn { r[i] = s.a; }  ->  T copy = s; spawn; r[i] = copy.a; return
//   cilk_spawn f(s)             ->  T copy = s; spawn; f(copy); return      if f gets `s` in memory
//
// Otherwise, the race detector would report that the parent changes `s` afterwards.
#include "InstrumentPasses.h"

#include "Import/Captures.h"
#include "Import/Extract.h"
#include "Import/SerialLoop.h"
#include "Import/SpawnCode.h"
#include "cilk2gpu/Support/Markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace cilk2gpu;

/// Returns the blocks from which control reaches `end`. Exceptions lead to the others, which destroy the variables of
/// the function: the variables themselves, and not their copies.
static SmallVector<BasicBlock *> waysToEnd(ArrayRef<BasicBlock *> body, CallInst &begin, CallInst &end) {
  SmallPtrSet<BasicBlock *, 16> inside(body.begin(), body.end());
  inside.erase(begin.getParent());
  SmallSetVector<BasicBlock *, 16> found;
  found.insert_range(predecessors(end.getParent()));
  found.remove_if([&](BasicBlock *block) { return !inside.contains(block); });
  for (unsigned i = 0; i < found.size(); ++i)
    for (BasicBlock *before : predecessors(found[i]))
      if (inside.contains(before))
        found.insert(before);
  SmallVector<BasicBlock *> ways(body);
  erase_if(ways, [&](BasicBlock *block) { return !found.contains(block); });
  return ways;
}

/// Copies what a spawned block only reads.
static void copyForBlock(CallInst &begin) {
  Function &function = *begin.getFunction();
  CallInst *end;
  SmallVector<BasicBlock *> body = isolateBody(begin, kSpawnedBlockEndMarker, end);
  if (!end)
    return;
  SmallVector<BasicBlock *> ways = waysToEnd(body, begin, *end);
  if (ways.empty() || ways.front() != body.front())
    return; // no way through the block
  for (AllocaInst *copy : passReadsByValue(begin, ways, *function.getParent(), /*isBlock=*/true))
    copy->moveBefore(function.getEntryBlock().getFirstInsertionPt());
}

/// Copies arguments that spawned calls get by value in memory. A variable that other spawned code uses, too, belongs to
/// the child.
static void copyForCalls(CallInst &begin) {
  SmallPtrSet<const Value *, 16> used;
  visitSpawn(&begin, [&](Instruction &inst) {
    for (const Use &operand : inst.operands())
      if (auto *call = dyn_cast<CallBase>(&inst);
          !call || !call->isArgOperand(&operand) || !call->isByValArgument(call->getArgOperandNo(&operand)))
        used.insert(operand->stripInBoundsOffsets());
  });
  IRBuilder<> builder(&begin), entry(&*begin.getFunction()->getEntryBlock().getFirstInsertionPt());
  for (CallBase *call : callsOf(&begin))
    for (unsigned i = 0; i < call->arg_size(); ++i) {
      auto *variable = dyn_cast<AllocaInst>(call->getArgOperand(i));
      if (!variable || used.contains(variable) || !call->isByValArgument(i))
        continue;
      Type *type = call->getParamByValType(i);
      AllocaInst *copy = entry.CreateAlloca(type);
      copy->setAlignment(variable->getAlign());
      builder.CreateMemCpy(copy, copy->getAlign(), variable, variable->getAlign(),
                           begin.getDataLayout().getTypeAllocSize(type).getFixedValue());
      call->setArgOperand(i, copy);
    }
}

PreservedAnalyses CopyCapturesPass::run(Module &module, ModuleAnalysisManager &) {
  for (Function *function : findCilkFunctions(module)) {
    for (CallInst *begin : markersIn(*function, kSpawnedBlockBeginMarker))
      copyForBlock(*begin);
    for (CallInst *begin : markersIn(*function, kSpawnBeginMarker))
      copyForCalls(*begin);
  }
  return PreservedAnalyses::none();
}
