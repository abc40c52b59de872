// See SerialLoop.h.
#include "SerialLoop.h"

#include "Extract.h"
#include "cilk2gpu/Support/Markers.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace cilk2gpu;

SmallVector<CallInst *> cilk2gpu::markersIn(Function &function, StringRef name) {
  SmallVector<CallInst *> found;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&inst);
        call && call->getCalledFunction() && call->getCalledFunction()->getName() == name)
      found.push_back(call);
  return found;
}

CallInst *cilk2gpu::findLoopEnd(CallInst &begin) {
  for (CallInst *end : markersIn(*begin.getFunction(), kForEndMarker))
    if (end->getArgOperand(0) == begin.getArgOperand(0))
      return end;
  return nullptr;
}

SerialLoop cilk2gpu::makeSerialLoop(CallInst *begin, CallInst *end) {
  Function &function = *begin->getFunction();
  Module *module = function.getParent();
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  Type *i64 = builder.getInt64Ty();
  AllocaInst *slot = builder.CreateAlloca(i64);
  builder.SetInsertPoint(begin);
  auto argument = [&](unsigned index) { return begin->getArgOperand(index); };
  SerialLoop loop;
  loop.count = builder.CreateCall(getTripCount(*module), {argument(1), argument(2), argument(3), argument(4)});
  builder.CreateStore(builder.getInt64(0), slot);
  BasicBlock *body = SplitBlock(begin->getParent(), begin->getIterator());
  BasicBlock *after = SplitBlock(end->getParent(), end->getIterator());
  BasicBlock *head = BasicBlock::Create(function.getContext(), "", &function, body);
  loop.start = body->getSinglePredecessor()->getTerminator();
  loop.start->setSuccessor(0, head);
  builder.SetInsertPoint(head);
  Value *index = builder.CreateLoad(i64, slot);
  builder.CreateCondBr(builder.CreateICmpULT(index, loop.count), body, after);
  Instruction *last = after->getSinglePredecessor() ? after->getSinglePredecessor()->getTerminator() : nullptr;
  for (BasicBlock *block : SmallVector<BasicBlock *>(predecessors(after)))
    if (block != head)
      last = block->getTerminator();
  builder.SetInsertPoint(last);
  builder.CreateStore(builder.CreateAdd(index, builder.getInt64(1)), slot);
  last->setSuccessor(0, head);
  begin->replaceAllUsesWith(index);
  begin->eraseFromParent();
  end->eraseFromParent();
  loop.index = index;
  loop.body = body;
  loop.after = after;
  return loop;
}
