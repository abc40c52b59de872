// Lets the syncs of a function share one sync. The code behind a sync becomes a kernel, which goes on to the next
// syncs. Where syncs are conditional, each of these kernels has nearly the whole rest of the function, and the code
// grows with the square of the syncs. With one sync, there is one such kernel, and a number says where it goes on.
#include "Extract.h"
#include "ImportPasses.h"
#include "OrdinaryCode.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace cilk2gpu;

/// Fewer syncs than this keep kernels of their own, in which all elements go on at the same place.
static constexpr unsigned kFewestSyncs = 8;

/// Syncs share one if the code behind all of them is this many times as long as the function.
static constexpr uint64_t kMostCopies = 4;

/// Returns the syncs of a function, or none if they must stay apart: handlers of exceptions belong to places in the
/// code.
static SmallVector<CallInst *> findSyncs(Function &function) {
  SmallVector<CallInst *> syncs;
  for (Instruction &inst : instructions(function)) {
    bool isSync = calleeName(inst) == kSyncMarker;
    if (isa<LandingPadInst>(inst) || calleeName(inst) == kCheckMarker || (isSync && isa<InvokeInst>(inst)))
      return {};
    if (isSync)
      syncs.push_back(cast<CallInst>(&inst));
  }
  return syncs;
}

/// Counts instructions between syncs.
class CodeBehindSyncs {
public:
  /// Each of `syncs` must be the last instruction of its block but for the branch.
  explicit CodeBehindSyncs(ArrayRef<CallInst *> syncs) {
    for (CallInst *sync : syncs)
      ends.insert(sync->getParent());
  }

  /// Counts the instructions behind a sync, up to the next syncs.
  uint64_t count(const CallInst &sync) const {
    SmallPtrSet<const BasicBlock *, 32> seen;
    SmallVector<const BasicBlock *> work(successors(sync.getParent()));
    uint64_t total = 0;
    while (!work.empty()) {
      const BasicBlock *block = work.pop_back_val();
      if (!seen.insert(block).second)
        continue;
      total += block->size();
      if (!ends.contains(block))
        append_range(work, successors(block));
    }
    return total;
  }

private:
  SmallPtrSet<const BasicBlock *, 32> ends;
};

/// Returns true if kernels for all syncs would be much longer than the function.
static bool wouldGrow(Function &function, ArrayRef<CallInst *> syncs) {
  CodeBehindSyncs code(syncs);
  uint64_t behind = 0, most = kMostCopies * function.getInstructionCount();
  for (CallInst *sync : syncs)
    if ((behind += code.count(*sync)) > most)
      return true;
  return false;
}

/// Puts values into variables that the joined control flow would no longer define on each way to a use.
static void demoteBrokenValues(Function &function) {
  DominatorTree dominators(function);
  SmallVector<Instruction *> broken;
  for (Instruction &inst : instructions(function))
    if (any_of(inst.uses(), [&](const Use &use) { return !dominators.dominates(&inst, use); }))
      broken.push_back(&inst);
  for (Instruction *inst : broken) {
    if (auto *phi = dyn_cast<PHINode>(inst))
      DemotePHIToStack(phi);
    else
      DemoteRegToStack(*inst);
  }
}

/// Replaces `syncs` by one, behind which a switch leads to the code behind each of them.
static void share(Function &function, ArrayRef<CallInst *> syncs) {
  IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().begin());
  Type *index = builder.getInt32Ty();
  AllocaInst *place = builder.CreateAlloca(index, nullptr, "sync.place");
  auto *shared = BasicBlock::Create(function.getContext(), "sync.shared", &function);
  builder.SetInsertPoint(shared);
  builder.SetCurrentDebugLocation(syncs.front()->getDebugLoc());
  builder.Insert(syncs.front()->clone());
  BasicBlock *first = syncs.front()->getParent()->getSingleSuccessor();
  SwitchInst *choice = builder.CreateSwitch(builder.CreateLoad(index, place), first, syncs.size() - 1);
  for (auto [number, sync] : enumerate(syncs)) {
    BasicBlock *from = sync->getParent(), *to = from->getSingleSuccessor();
    builder.SetInsertPoint(sync);
    builder.CreateStore(ConstantInt::get(index, number), place);
    cast<BranchInst>(from->getTerminator())->setSuccessor(0, shared);
    sync->eraseFromParent();
    if (to != first)
      choice->addCase(ConstantInt::get(cast<IntegerType>(index), number), to);
  }
  demoteBrokenValues(function);
}

bool ShareSyncsPass::runOn(Module &module, Module &) {
  for (Function &function : module) {
    SmallVector<CallInst *> syncs = findSyncs(function);
    if (syncs.size() < kFewestSyncs)
      continue;
    for (CallInst *sync : syncs)
      SplitBlock(sync->getParent(), sync->getNextNode());
    if (wouldGrow(function, syncs))
      share(function, syncs);
  }
  return true;
}
