// See SpawnCode.h.
#include "SpawnCode.h"

#include "DeferExceptions.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace cilk2gpu;

void cilk2gpu::visitSpawn(CallInst *begin, function_ref<void(Instruction &)> visit) {
  SmallSetVector<BasicBlock *, 8> blocks;
  auto scan = [&](BasicBlock::iterator first, BasicBlock *block) {
    for (Instruction &inst : make_range(first, block->end())) {
      if (isCallOf(inst, kSpawnEndMarker) && idOf(cast<CallBase>(inst)) == idOf(*begin))
        return;
      visit(inst);
    }
    if (auto *invoke = dyn_cast<InvokeInst>(block->getTerminator()))
      blocks.insert(invoke->getNormalDest());
    else
      blocks.insert_range(successors(block));
  };
  scan(std::next(begin->getIterator()), begin->getParent());
  for (unsigned i = 0; i < blocks.size(); ++i)
    scan(blocks[i]->begin(), blocks[i]);
}

CallInst *cilk2gpu::endOfSpawn(CallInst *begin) {
  for (Instruction &inst : instructions(*begin->getFunction()))
    if (isCallOf(inst, kSpawnEndMarker) && idOf(cast<CallBase>(inst)) == idOf(*begin))
      return cast<CallInst>(&inst);
  return nullptr;
}

SmallVector<CallBase *> cilk2gpu::callsOf(CallInst *begin) {
  SmallVector<CallBase *> calls;
  visitSpawn(begin, [&](Instruction &inst) {
    auto *call = dyn_cast<CallBase>(&inst);
    bool isCheck = call && call->hasMetadata(LLVMContext::MD_nosanitize); // a sanitizer's report
    if (call && !isCheck && !isa<IntrinsicInst>(call) && !isCallOf(*call, kSpawnCalleeMarker))
      calls.push_back(call);
  });
  return calls;
}

bool cilk2gpu::isAssigned(CallBase &call, CallInst *begin) {
  Instruction *value = &call;
  if (!value->hasOneUse())
    return false;
  if (auto *wide = dyn_cast<ZExtInst>(*value->user_begin()); wide && value->getType()->isIntegerTy(1))
    value = wide;
  auto *store = value->hasOneUse() ? dyn_cast<StoreInst>(*value->user_begin()) : nullptr;
  return store && store->getValueOperand() == value && store->isSimple() &&
         store->getPointerOperand()->stripPointerCasts() == begin->getArgOperand(1)->stripPointerCasts();
}

CallBase *cilk2gpu::spawnedCall(ArrayRef<CallBase *> calls, CallInst *marker) {
  if (!marker)
    return calls.size() == 1 ? calls.front() : nullptr;
  Value *target = marker->getArgOperand(0)->stripPointerCasts();
  auto called = [](CallBase *call) { return call->getCalledOperand()->stripPointerCasts(); };
  for (CallBase *call : reverse(calls))
    if (called(call) == target)
      return call;
  for (CallBase *call : reverse(calls))
    if (!isa<Function>(called(call)))
      return call;
  return calls.back();
}

bool cilk2gpu::constructs(CallBase &call, CallInst *begin) {
  Value *destination = begin->getArgOperand(1)->stripPointerCasts();
  return call.hasStructRetAttr() && destination == call.getArgOperand(0)->stripPointerCasts();
}

CallInst *cilk2gpu::spawnedPointer(CallInst *begin, CallInst *end) {
  SmallVector<CallBase *> calls = callsOf(begin);
  if (!end || calls.size() != 1 || calls[0]->isInlineAsm() || isa<Constant>(calls[0]->getCalledOperand()))
    return nullptr;
  auto *call = dyn_cast<CallInst>(calls[0]);
  if (auto *invoke = dyn_cast<InvokeInst>(calls[0])) { // its exception stays in the child
    BasicBlock *next = invoke->getNormalDest();
    call = changeToCall(invoke);
    MergeBlockIntoPredecessor(next);
  }
  return begin->getParent() == end->getParent() && call->getParent() == end->getParent() ? call : nullptr;
}
