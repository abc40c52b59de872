// See CountWork.h.
#include "CountWork.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace cilk2gpu;

bool cilk2gpu::isCounterReader(StringRef name) {
  return name == "wsp_getworkspan" || (name.consume_front(kScaleHookPrefix) && !name.starts_with("library_"));
}

StringRef cilk2gpu::workAssembly(const Triple &triple) {
  if (triple.getArch() == Triple::x86_64)
    return "addq $0, $1 # cilk2gpu work";
  if (triple.isAArch64())
    return "mov x16, $0 // cilk2gpu work\n\tldr x17, $1\n\tadd x17, x17, x16\n\tstr x17, $1";
  return "";
}

static StringRef workConstraints(const Triple &triple) {
  return triple.isAArch64() ? "i,*Q,~{x16},~{x17},~{memory}" : "i,*m,~{flags}";
}

namespace {

/// Instruments the functions of one module.
class WorkCounter {
public:
  explicit WorkCounter(Module &module)
      : module(module), context(module.getContext()), i64(Type::getInt64Ty(context)),
        nothing(Type::getVoidTy(context)) {}

  void run();

private:
  void takeHooks();
  void nameLeave(CallInst &leave);
  void instrument(Function &function);
  void count(BasicBlock &block);
  void bracket(CallBase &call);
  CallInst *callHook(StringRef name, Instruction *before);

  Module &module;
  LLVMContext &context;
  Type *i64, *nothing;
  GlobalVariable *work = nullptr;
  InlineAsm *addition = nullptr;
};

} // namespace

/// Returns whether a function has code in this unit that is the program's.
static bool isCounted(const Function &function) {
  return !function.isDeclaration() && !function.hasAvailableExternallyLinkage() &&
         !function.hasFnAttribute(Attribute::Naked) && !function.getName().starts_with("__cilk2gpu_");
}

/// Returns whether an instruction calls a hook that begins or ends a strand. Such a hook reads the counter.
static bool readsCounter(const Instruction &inst) {
  auto *call = dyn_cast<CallInst>(&inst);
  return call && call->getCalledFunction() && isCounterReader(call->getCalledFunction()->getName());
}

/// Returns whether code generation makes instructions of an instruction that belong to the strand around it. The
/// instructions of a return count for the function that ends, whose hook stands in front of them.
static bool hasCode(const Instruction &inst) {
  return !readsCounter(inst) && !isa<AllocaInst, ReturnInst, UnreachableInst>(inst) && !inst.isDebugOrPseudoInst() &&
         !inst.isLifetimeStartOrEnd();
}

/// Returns whether an instruction is the first of a function. It also counts the instructions that make its frame.
static bool isFirst(const Instruction &inst) {
  auto *before = dyn_cast_or_null<CallInst>(inst.getPrevNode());
  return before && before->getCalledFunction() && before->getCalledFunction()->getName() == kEnterHook;
}

/// Returns whether a call leaves the unit for a function whose instructions no block may count. Functions of other
/// units of the program are among them: the runtime takes off the instructions that they count themselves.
static bool leavesUnit(const CallBase &call) {
  if (auto *memory = dyn_cast<MemIntrinsic>(&call)) { // of short and constant length: a few instructions
    auto *length = dyn_cast<ConstantInt>(memory->getLength());
    return !length || length->getZExtValue() > 128;
  }
  const Function *callee = call.getCalledFunction();
  return callee && callee->isDeclaration() && !callee->isIntrinsic() && !call.doesNotReturn() &&
         !callee->getName().starts_with("__cilk2gpu_") && !callee->hasFnAttribute(Attribute::ReturnsTwice) &&
         !call.isMustTailCall();
}

/// Hooks keep almost all registers, so that the program's code needs no instructions that save them.
CallInst *WorkCounter::callHook(StringRef name, Instruction *before) {
  FunctionCallee hook = module.getOrInsertFunction(name, FunctionType::get(nothing, false));
  auto *function = cast<Function>(hook.getCallee());
  function->setCallingConv(CallingConv::PreserveMost);
  function->setDoesNotThrow();
  CallInst *call = IRBuilder<>(before).CreateCall(hook);
  call->setCallingConv(CallingConv::PreserveMost);
  call->setDoesNotThrow();
  return call;
}

/// The call of the hooks must not stand between a call and the instructions that belong to it.
void WorkCounter::bracket(CallBase &call) {
  if (auto *plain = dyn_cast<CallInst>(&call)) {
    plain->setTailCallKind(CallInst::TCK_NoTail);
    callHook("__cilk2gpu_scale_library_leave", plain->getNextNode());
  } else if (auto *invoke = dyn_cast<InvokeInst>(&call)) {
    BasicBlock *normal = invoke->getNormalDest();
    if (!normal->getSinglePredecessor())
      normal = SplitEdge(invoke->getParent(), normal);
    callHook("__cilk2gpu_scale_library_leave", &*normal->getFirstInsertionPt());
  } else {
    return;
  }
  callHook("__cilk2gpu_scale_library_enter", &call);
}

/// Adds to the counter at the start of a block, and behind each hook that code follows.
void WorkCounter::count(BasicBlock &block) {
  BasicBlock::iterator first = block.getFirstInsertionPt();
  if (first == block.end())
    return;
  while (isa<AllocaInst>(*first))
    ++first;
  SmallVector<Instruction *> places;
  bool isNew = true;
  for (Instruction &inst : make_range(first, block.end())) {
    if (isNew && (hasCode(inst) || isFirst(inst))) {
      places.push_back(&inst);
      isNew = false;
    }
    isNew |= readsCounter(inst);
  }
  if (places.empty())
    places.push_back(&*first);
  for (Instruction *place : places) {
    CallInst *add = IRBuilder<>(place).CreateCall(addition, {ConstantInt::get(i64, 0), work});
    add->addParamAttr(1, Attribute::get(context, Attribute::ElementType, i64));
  }
}

void WorkCounter::instrument(Function &function) {
  SmallVector<CallBase *> leaving;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&inst); call && leavesUnit(*call))
      leaving.push_back(call);
  for (CallBase *call : leaving)
    bracket(*call);
  for (BasicBlock &block : function)
    count(block);
  for (Attribute::AttrKind kind : {Attribute::Memory, Attribute::Speculatable})
    function.removeFnAttr(kind);
}

/// Gives the hooks of strands their names and their calling convention in the runtime of cilk-scale.
void WorkCounter::takeHooks() {
  SmallVector<CallInst *> leaves;
  for (Function &function : module) {
    StringRef name = function.getName();
    if (!name.consume_front(kStrandHookPrefix))
      continue;
    function.setName(kScaleHookPrefix + name);
    function.setCallingConv(CallingConv::PreserveMost);
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallInst>(user)) {
        call->setCallingConv(CallingConv::PreserveMost);
        if (name == "leave")
          leaves.push_back(call);
      }
  }
  for (CallInst *leave : leaves)
    nameLeave(*leave);
}

/// Behind the implied sync of a function with a result, a kernel delivers the result. A function that no exception
/// leaves ends the innermost function, so it need not keep the number that `enter` has returned.
void WorkCounter::nameLeave(CallInst &leave) {
  const Function &function = *leave.getFunction();
  bool hasResult = !function.getReturnType()->isVoidTy();
  if (!function.hasPersonalityFn()) {
    callHook(hasResult ? "__cilk2gpu_scale_leave_innermost_result" : "__cilk2gpu_scale_leave_innermost", &leave);
    leave.eraseFromParent();
  } else if (hasResult) {
    FunctionCallee hook = module.getOrInsertFunction("__cilk2gpu_scale_leave_result", leave.getFunctionType());
    cast<Function>(hook.getCallee())->setCallingConv(CallingConv::PreserveMost);
    leave.setCalledFunction(hook);
  }
}

void WorkCounter::run() {
  Triple triple(module.getTargetTriple());
  StringRef text = workAssembly(triple);
  if (text.empty()) {
    context.emitError("-fcilk-scale counts instructions on x86-64 and AArch64 only, but the target is " + triple.str() +
                      "; compile for one of these");
    return;
  }
  takeHooks();
  auto *type = FunctionType::get(nothing, {i64, PointerType::getUnqual(context)}, false);
  addition = InlineAsm::get(type, text, workConstraints(triple), /*hasSideEffects=*/true);
  work = module.getGlobalVariable(kWorkCounter);
  if (!work)
    work = new GlobalVariable(module, i64, /*isConstant=*/false, GlobalValue::ExternalLinkage, nullptr, kWorkCounter);
  work->setVisibility(GlobalValue::HiddenVisibility);
  work->setDSOLocal(true);
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (isCounted(function))
      functions.push_back(&function);
  for (Function *function : functions)
    instrument(*function);
}

PreservedAnalyses CountWorkPass::run(Module &module, ModuleAnalysisManager &) {
  constexpr StringLiteral done = "cilk2gpu.work";
  if (module.getNamedMetadata(done)) // the Clang plugin and the pass plugin both run this pass
    return PreservedAnalyses::all();
  module.getOrInsertNamedMetadata(done);
  WorkCounter(module).run();
  return PreservedAnalyses::none();
}
