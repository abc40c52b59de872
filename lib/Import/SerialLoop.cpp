// See SerialLoop.h.
#include "SerialLoop.h"

#include "LoopValues.h"
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
  SerialLoop loop;
  loop.count = countIterations(*begin);
  LoopValues values(*begin);
  IRBuilder<> builder(begin);
  ValueLoop counter(builder, values, builder.getInt64(0), loop.count);
  BasicBlock *body = SplitBlock(begin->getParent(), begin->getIterator());
  BasicBlock *after = SplitBlock(end->getParent(), end->getIterator());
  BasicBlock *head = BasicBlock::Create(function.getContext(), "", &function, body);
  BasicBlock *last = after->getSinglePredecessor();
  loop.start = body->getSinglePredecessor()->getTerminator();
  loop.start->setSuccessor(0, head);
  builder.SetInsertPoint(head);
  Value *goesOn = counter.makeHead(builder, loop.start->getParent());
  builder.CreateCondBr(goesOn, body, after);
  builder.SetInsertPoint(last->getTerminator());
  counter.makeNext(builder);
  last->getTerminator()->setSuccessor(0, head);
  begin->replaceAllUsesWith(counter.value);
  begin->eraseFromParent();
  end->eraseFromParent();
  loop.index = counter.index;
  loop.body = body;
  loop.after = after;
  return loop;
}
