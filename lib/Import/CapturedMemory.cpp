// Marks the pointers that a cilk_for's iterations capture: how many bytes behind them can be loaded, and how they are
// aligned. When the body is a function of its own, LLVM does not see where its arguments come from. It then leaves
// loads of an object's fields inside a loop with a conditional exit, such as a check of an index.
//
//   void f(const Matrix &a) { cilk_for (...) ... a.data ... }
//   -> f.for0.body(i, ptr align 8 dereferenceable(32) %a)
//
// The object outlives the iterations as it outlives the function around them, of which the same is known.
#include "ImportPasses.h"
#include "LoopCalls.h"

#include "llvm/IR/DataLayout.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// What is known of the memory behind a pointer.
struct Memory {
  uint64_t bytes = 0; ///< that can be loaded
  Align align;
};

} // namespace

static Memory memoryBehind(const Value *pointer, const DataLayout &layout) {
  APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/false);
  bool mayBeNull = true, mayBeFreed = true;
  uint64_t bytes = base->getPointerDereferenceableBytes(layout, mayBeNull, mayBeFreed);
  if (mayBeNull || offset.isNegative() || offset.uge(bytes))
    return {};
  return {bytes - offset.getZExtValue(), commonAlignment(base->getPointerAlignment(layout), offset.getZExtValue())};
}

/// Returns what is known at all calls, except those that pass on the function's own argument.
static Memory memoryOf(const Argument &argument, ArrayRef<CallBase *> calls, const DataLayout &layout) {
  std::optional<Memory> all;
  for (CallBase *call : calls) {
    const Value *passed = call->getArgOperand(argument.getArgNo());
    if (passed == &argument)
      continue;
    Memory memory = memoryBehind(passed, layout);
    all = all ? Memory{std::min(all->bytes, memory.bytes), std::min(all->align, memory.align)} : memory;
  }
  return all.value_or(Memory());
}

static void mark(Argument &argument, const Memory &memory) {
  argument.addAttr(Attribute::getWithDereferenceableBytes(argument.getContext(), memory.bytes));
  if (memory.align > argument.getParamAlign().valueOrOne())
    argument.addAttr(Attribute::getWithAlignment(argument.getContext(), memory.align));
}

bool MarkCapturedMemoryPass::runOn(Module &module, Module &) {
  LoopCalls calls(module);
  // Bodies are called by range tasks, and may contain loops, so what is known moves inwards round by round.
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[function, sites] : calls)
      for (Argument &argument : function->args()) {
        if (!argument.getType()->isPointerTy() || argument.getDereferenceableBytes())
          continue;
        Memory memory = memoryOf(argument, sites, module.getDataLayout());
        if (!memory.bytes)
          continue;
        mark(argument, memory);
        changed = true;
      }
  }
  visitSerialLoops(module, calls, [](Function &loop, Function &task) {
    for (auto [own, argument] : zip_equal(loop.args(), task.args()))
      if (argument.getType()->isPointerTy() && argument.getDereferenceableBytes())
        mark(own, {argument.getDereferenceableBytes(), argument.getParamAlign().valueOrOne()});
  });
  return true;
}
