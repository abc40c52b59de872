// Finds ordinary functions whose code can run in a task, and inlines them. See OrdinaryCode.h.
#include "OrdinaryCode.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace cilk2gpu;

/// Most bytes of locals of a function that is split. They may move into frames, and each task has a frame.
static constexpr uint64_t kMostLocals = 4096;

StringRef cilk2gpu::calleeName(const Instruction &inst) {
  auto *call = dyn_cast<CallBase>(&inst);
  return call && call->getCalledFunction() ? call->getCalledFunction()->getName() : "";
}

void cilk2gpu::markRegion(CallInst &begin, StringRef endName, function_ref<void(const Instruction &)> mark) {
  SmallSetVector<BasicBlock *, 16> blocks;
  auto scan = [&](BasicBlock::iterator first, BasicBlock *block) {
    for (Instruction &inst : make_range(first, block->end())) {
      if (calleeName(inst) == endName && cast<CallBase>(inst).getArgOperand(0) == begin.getArgOperand(0))
        return;
      mark(inst);
    }
    blocks.insert_range(successors(block));
  };
  scan(std::next(begin.getIterator()), begin.getParent());
  for (unsigned i = 0; i < blocks.size(); ++i)
    if (blocks[i] != begin.getParent())
      scan(blocks[i]->begin(), blocks[i]);
}

static const char *whyNotIntrinsic(const IntrinsicInst &inst) {
  switch (inst.getIntrinsicID()) {
  case Intrinsic::frameaddress:
  case Intrinsic::returnaddress:
  case Intrinsic::addressofreturnaddress:
  case Intrinsic::sponentry:
  case Intrinsic::localescape:
  case Intrinsic::eh_sjlj_setjmp:
  case Intrinsic::eh_sjlj_longjmp:
    return "it accesses its own stack frame";
  default:
    return isa<ConstrainedFPIntrinsic>(inst) ? "its arithmetic depends on the thread's rounding mode" : nullptr;
  }
}

static const char *whyNotInstruction(const Instruction &inst) {
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst))
    return whyNotIntrinsic(*intrinsic);
  if (auto *pad = dyn_cast<LandingPadInst>(&inst))
    for (unsigned i = 0; i < pad->getNumClauses(); ++i)
      if (pad->isFilter(i))
        return "it has an exception specification";
  if (isa<IndirectBrInst, CallBrInst>(inst))
    return "it branches to computed addresses";
  if (isa<VAArgInst, FuncletPadInst>(inst) || inst.getType()->isTokenTy())
    return "it has code that a task cannot have";
  auto *call = dyn_cast<CallBase>(&inst);
  if (!call)
    return nullptr;
  if (call->isInlineAsm())
    return "it contains inline assembly";
  if (call->isMustTailCall())
    return "it has a mandatory tail call";
  return calleeName(inst).starts_with("__cxa_guard_") ? "it initialises a static variable" : nullptr;
}

static bool hasForeignHandlers(const Function &function) {
  return function.hasPersonalityFn() &&
         function.getPersonalityFn()->stripPointerCasts()->getName() != "__gxx_personality_v0";
}

void cilk2gpu::markRegions(Function &function, StringRef begin, StringRef end,
                           SmallPtrSetImpl<const Instruction *> &region) {
  for (Instruction &inst : instructions(function))
    if (calleeName(inst) == begin)
      markRegion(cast<CallInst>(inst), end, [&](const Instruction &inside) { region.insert(&inside); });
}

const char *cilk2gpu::whyNotMoved(const Function &function) {
  if (function.isVarArg())
    return "it has variable arguments";
  if (function.isInterposable())
    return "the linker may replace it by another function";
  for (Attribute::AttrKind kind : {Attribute::Naked, Attribute::StrictFP, Attribute::PresplitCoroutine})
    if (function.hasFnAttribute(kind))
      return kind == Attribute::StrictFP ? "its arithmetic depends on the thread's rounding mode"
                                         : "it has code that a task cannot have";
  if (function.callsFunctionThatReturnsTwice())
    return "it calls setjmp";
  if (hasForeignHandlers(function) || function.hasGC())
    return "it has code that a task cannot have";
  for (const BasicBlock &block : function) {
    if (block.hasAddressTaken())
      return "it branches to computed addresses";
    for (const Instruction &inst : block)
      if (const char *reason = whyNotInstruction(inst))
        return reason;
  }
  return nullptr;
}

const char *cilk2gpu::whyNotSplit(const Function &function) {
  if (const char *reason = whyNotMoved(function))
    return reason;
  uint64_t locals = 0;
  for (const BasicBlock &block : function)
    for (const Instruction &inst : block)
      if (auto *local = dyn_cast<AllocaInst>(&inst))
        if (std::optional<TypeSize> size = local->getAllocationSize(function.getDataLayout()))
          locals += *size;
  return locals > kMostLocals ? "it has large local variables" : nullptr;
}

bool cilk2gpu::haveSameTarget(const Function &into, const Function &function) {
  auto isSame = [&](StringRef attribute) {
    return into.getFnAttribute(attribute) == function.getFnAttribute(attribute);
  };
  return isSame("target-cpu") && isSame("target-features") && AttributeFuncs::areInlineCompatible(into, function);
}

SmallVector<CallBase *> cilk2gpu::inlineOrdinary(CallBase &call) {
  Function &function = *call.getCalledFunction();
  // `noalias` of a parameter holds during the call. After the split, it would hold for the whole function, so it is
  // dropped.
  AttributeList known = function.getAttributes();
  for (Argument &argument : function.args()) {
    argument.removeAttr(Attribute::NoAlias);
    call.removeParamAttr(argument.getArgNo(), Attribute::NoAlias);
  }
  InlineFunctionInfo info;
  InlineFunction(call, info, /*MergeAttributes=*/false, /*CalleeAAR=*/nullptr, /*InsertLifetime=*/false);
  function.setAttributes(known);
  return std::move(info.InlinedCallSites);
}
