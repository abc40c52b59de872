// Makes the bodies of kernels of thread blocks, which the lowering turns into code for whole blocks. The header
// cilk2gpu/Wireframe.h runs a kernel as an ordinary function, once for each thread. Its index variables are variables
// of the thread.
//
//   __WF__ void k(int *p) { p[blockIdx.x] = f(); }       f() reads threadIdx
//   ->  k.block(p): p[__cilk2gpu_block_id(0)] = ... f's code, with __cilk2gpu_thread_id(0) in place of threadIdx.x ...
//
// The kernel itself stays: a unit of another compiler may launch it, and a kernel without a body runs in this way. A
// remark then gives the reason.
#include "Extract.h"
#include "ImportPasses.h"
#include "IndexVariables.h"
#include "OrdinaryCode.h"
#include "cilk2gpu/Support/LLVMRemarks.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace cilk2gpu;

/// Most instructions of a body, in Clang's unoptimised code.
static constexpr unsigned kMostInstructions = 20000;

static constexpr char kTooLarge[] = "it is too large with the functions that use blockIdx";

//===-- Functions that use index variables ------------------------------------------------------------------------===//

/// Calls `visit` for each instruction that refers to `value`, also through constants and variables' initial values.
/// Annotations do not count.
static void eachUser(const Value &value, SmallPtrSetImpl<const Value *> &visited,
                     function_ref<void(const Use &, const Instruction &)> visit) {
  for (const Use &use : value.uses()) {
    const User *user = use.getUser();
    if (auto *inst = dyn_cast<Instruction>(user))
      visit(use, *inst);
    else if (!user->getName().starts_with("llvm.") && visited.insert(user).second)
      eachUser(*user, visited, visit);
  }
}

namespace {

/// The functions of a unit that use an index variable, wait for other threads, or lead to such a function.
class IndexUsers {
public:
  explicit IndexUsers(const Module &module) {
    for (const IndexVariable &index : kIndexVariables)
      if (const GlobalVariable *variable = findVariable(module, index))
        addUsersOf(*variable);
    for (const Function &function : module)
      if (function.hasFnAttribute(kBlockSyncAttr))
        functions.insert(&function);
    for (unsigned i = 0; i < functions.size(); ++i)
      addUsersOf(*functions[i]);
  }

  bool contains(const Function *function) const { return functions.contains(function); }

  /// Returns a function of the set that a call through a pointer in `kernel` may reach; null if there is none. The
  /// function has the call's type. Functions of the header are never reached so.
  const Function *findReached(const CallBase &call, const Function &kernel) const {
    for (const Function *function : functions)
      if (function != &kernel && function->getFunctionType() == call.getFunctionType() && !isOfHeader(*function) &&
          isPointedAt(*function))
        return function;
    return nullptr;
  }

  /// Returns true if something refers to a function beside calls of it.
  static bool isPointedAt(const Function &function) {
    bool found = false;
    SmallPtrSet<const Value *, 8> visited;
    eachUser(function, visited, [&](const Use &use, const Instruction &inst) {
      auto *call = dyn_cast<CallBase>(&inst);
      found |= !call || !call->isCallee(&use);
    });
    return found;
  }

private:
  static bool isOfHeader(const Function &function) {
    return function.getName().starts_with("_ZN2wf6detail") || function.getName().starts_with("_ZNK2wf6detail");
  }

  void addUsersOf(const Value &value) {
    SmallPtrSet<const Value *, 8> visited;
    eachUser(value, visited, [&](const Use &, const Instruction &inst) { functions.insert(inst.getFunction()); });
  }

  SmallSetVector<const Function *, 16> functions;
};

/// Finds the types of exceptions that are thrown in this file and may leave a function. An exception of a function of
/// another file ends the program.
class ThrownTypes {
public:
  explicit ThrownTypes(const Function &function) { visit(function); }

  bool isAny() const { return !types.empty(); }

private:
  void visit(const Function &function) {
    if (function.doesNotThrow() || function.isDeclaration() || is_contained(path, &function))
      return;
    path.push_back(&function);
    SmallPtrSet<const Value *, 4> outer;
    std::swap(outer, types);
    for (const Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst); call && !call->doesNotThrow())
        visitCall(*call, outer);
    std::swap(outer, types);
    path.pop_back();
  }

  /// Adds what leaves the caller to `leaving`.
  void visitCall(const CallBase &call, SmallPtrSetImpl<const Value *> &leaving) {
    types.clear();
    if (calleeName(call) == "__cxa_throw")
      types.insert(call.getArgOperand(1)->stripPointerCasts());
    else if (calleeName(call) == "__cxa_rethrow")
      types.insert(&call); // any type
    else if (const Function *callee = call.getCalledFunction())
      visit(*callee);
    auto *invoke = dyn_cast<InvokeInst>(&call);
    const LandingPadInst *pad = invoke ? invoke->getLandingPadInst() : nullptr;
    for (const Value *type : types)
      if (!pad || !catches(*pad, type))
        leaving.insert(type);
  }

  static bool catches(const LandingPadInst &pad, const Value *type) {
    return any_of(seq(pad.getNumClauses()), [&](unsigned i) {
      const Value *clause = pad.getClause(i)->stripPointerCasts();
      return pad.isCatch(i) && (isa<ConstantPointerNull>(clause) || isBase(clause, type));
    });
  }

  /// Returns true if `base` is the type, or one of its base classes. The bases of a class of another library are not
  /// known: then any class may be one.
  static bool isBase(const Value *base, const Value *type) {
    if (base == type)
      return true;
    auto *info = dyn_cast<GlobalVariable>(type);
    if (!info || info->getName().size() < sizeof "_ZTIi")
      return false;
    if (!info->hasInitializer())
      return base->getName().size() >= sizeof "_ZTIi";
    return any_of(info->getInitializer()->operands(), [&](const Use &part) {
      const Value *member = part->stripPointerCasts();
      return member->getName().starts_with("_ZTI") && isBase(base, member);
    });
  }

  SmallVector<const Function *> path;
  SmallPtrSet<const Value *, 4> types; ///< of the function or call that was visited last
};

/// Decides whether a kernel can have a body.
class KernelCheck {
public:
  KernelCheck(const Function &kernel, const IndexUsers &users) : kernel(kernel), users(users) {}

  /// Returns the reason why it can have none; empty if it can.
  std::string run() {
    for (const Argument &argument : kernel.args())
      if (argument.hasAttribute(Attribute::DeadOnReturn) || argument.hasInAllocaAttr() || argument.hasSwiftErrorAttr())
        return "it takes a copy of an argument by its address";
    if (std::string reason = visit(kernel); !reason.empty())
      return reason;
    return ThrownTypes(kernel).isAny() ? "it throws an exception" : "";
  }

private:
  std::string visit(const Function &function) {
    std::string name = &function == &kernel ? "it" : quotedName(function) + ", which it calls and which uses blockIdx,";
    if (is_contained(path, &function))
      return quotedName(function) + " uses blockIdx and calls itself";
    if (function.isDeclaration())
      return quotedName(function) + " is a __WF__ function of another file";
    if (function.hasFnAttribute(kTaskFunctionAttr) || hasSpawns(function))
      return name + " spawns tasks";
    if (const char *reason = whyNotMoved(function))
      return &function == &kernel ? reason : quotedName(function) + " uses blockIdx, and " + reason;
    if (!haveSameTarget(kernel, function))
      return quotedName(function) + " uses blockIdx, and is compiled for another processor";
    if ((size += function.getInstructionCount()) > kMostInstructions)
      return kTooLarge;
    path.push_back(&function);
    std::string reason = visitCalls(function);
    path.pop_back();
    return reason;
  }

  std::string visitCalls(const Function &function) {
    for (const Instruction &inst : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&inst);
      if (!call)
        continue;
      const Function *callee = call->getCalledFunction();
      if (!callee) {
        if (const Function *other = users.findReached(*call, kernel))
          return "it calls a function through a pointer, and pointers may lead to " + quotedName(*other) +
                 ", which uses blockIdx";
      } else if (isForeign(*callee) || (users.contains(callee) && !callee->hasFnAttribute(kBlockSyncAttr))) {
        if (std::string reason = visit(*callee); !reason.empty())
          return reason;
      }
    }
    return "";
  }

  /// Returns true for a function of another file that may use index variables, as its mark __WF__ says.
  static bool isForeign(const Function &function) {
    return function.isDeclaration() && function.hasFnAttribute(kBlockKernelAttr);
  }

  static bool hasSpawns(const Function &function) {
    return any_of(instructions(function), [](const Instruction &inst) {
      StringRef callee = calleeName(inst);
      return callee == kSpawnBeginMarker || callee == kForBeginMarker || callee == kSpawnedBlockBeginMarker ||
             callee == kSyncMarker;
    });
  }

  const Function &kernel;
  const IndexUsers &users;
  SmallVector<const Function *> path;
  uint64_t size = 0;
};

//===-- Bodies ----------------------------------------------------------------------------------------------------===//

/// Makes the body of a kernel.
class BodyMaker {
public:
  BodyMaker(Function &kernel, const IndexUsers &users) : kernel(kernel), users(users), module(*kernel.getParent()) {}

  /// Returns the reason why there is no body; empty if there is one.
  std::string run() {
    createCopy();
    inlineUsers();
    replaceWaits();
    for (const IndexVariable &index : kIndexVariables)
      replaceVariable(index);
    std::string reason = findUse();
    if (!reason.empty()) {
      body->eraseFromParent();
      return reason;
    }
    copyChangedArguments();
    if (!kernel.doesNotThrow())
      endByExceptions();
    return "";
  }

private:
  void createCopy() {
    ValueToValueMapTy mapping;
    body = CloneFunction(&kernel, mapping);
    body->setName(kernel.getName() + ".block");
    body->setLinkage(GlobalValue::InternalLinkage);
    body->setVisibility(GlobalValue::DefaultVisibility);
    body->setDLLStorageClass(GlobalValue::DefaultStorageClass);
    body->setComdat(nullptr);
    body->setDSOLocal(true);
    body->setSection("");
    body->removeFnAttr(kBlockKernelAttr);
    body->addFnAttr(kBlockBodyAttr, kernel.getName());
  }

  /// Inlines the functions that use index variables.
  void inlineUsers() {
    SmallVector<CallBase *> calls;
    auto add = [&](CallBase &call) {
      const Function *callee = call.getCalledFunction();
      if (callee && users.contains(callee) && !callee->hasFnAttribute(kBlockSyncAttr))
        calls.push_back(&call);
    };
    for (Instruction &inst : instructions(*body))
      if (auto *call = dyn_cast<CallBase>(&inst))
        add(*call);
    // Several calls of one function count several times.
    while (!calls.empty() && body->getInstructionCount() <= kMostInstructions)
      for (CallBase *inlined : inlineOrdinary(*calls.pop_back_val()))
        add(*inlined);
  }

  void replaceWaits() {
    for (Instruction &inst : make_early_inc_range(instructions(*body))) {
      auto *call = dyn_cast<CallBase>(&inst);
      if (!call || !call->getCalledFunction() || !call->getCalledFunction()->hasFnAttribute(kBlockSyncAttr))
        continue;
      IRBuilder<> builder(call);
      builder.CreateCall(marker(kBlockSyncMarker, builder.getVoidTy(), {}));
      if (auto *invoke = dyn_cast<InvokeInst>(call))
        call = changeToCall(invoke);
      call->eraseFromParent();
    }
    removeUnreachableBlocks(*body);
  }

  /// Puts a local variable in place of an index variable. Most often, it becomes values later.
  void replaceVariable(const IndexVariable &index) {
    const GlobalVariable *variable = findVariable(module, index);
    SmallVector<IntrinsicInst *> addresses = addressesOf(variable, *body);
    if (addresses.empty())
      return;
    IRBuilder<> builder(&*body->getEntryBlock().getFirstInsertionPt());
    Type *number = builder.getInt32Ty();
    AllocaInst *local = builder.CreateAlloca(ArrayType::get(number, 3), nullptr, index.name);
    FunctionCallee read = marker(index.marker, number, {number});
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      builder.CreateStore(builder.CreateCall(read, builder.getInt32(dimension)),
                          builder.CreateConstInBoundsGEP1_32(number, local, dimension));
    for (IntrinsicInst *address : addresses) {
      address->replaceAllUsesWith(local);
      address->eraseFromParent();
    }
  }

  FunctionCallee marker(const char *name, Type *result, ArrayRef<Type *> params) {
    FunctionCallee callee = module.getOrInsertFunction(name, FunctionType::get(result, params, false));
    auto &function = *cast<Function>(callee.getCallee());
    function.setDoesNotThrow();
    if (result->isVoidTy()) {
      function.addFnAttr(Attribute::Convergent);
      function.addFnAttr(Attribute::NoDuplicate);
    } else {
      function.setDoesNotAccessMemory();
      function.addFnAttr(Attribute::WillReturn);
    }
    return callee;
  }

  /// Returns the use of an index variable that is left, in words; empty if there is none.
  std::string findUse() {
    std::string found;
    auto check = [&](const Value &value, const Twine &text) {
      SmallPtrSet<const Value *, 8> visited;
      eachUser(value, visited, [&](const Use &, const Instruction &inst) {
        if (inst.getFunction() == body)
          found = text.str();
      });
    };
    if (body->getInstructionCount() > kMostInstructions)
      return kTooLarge;
    for (const IndexVariable &index : kIndexVariables)
      if (const GlobalVariable *variable = findVariable(module, index))
        check(*variable, "it uses the address of " + index.name + " in a constant");
    for (const Function &function : module)
      if (users.contains(&function))
        check(function, "it uses the address of " + quotedName(function) + ", which uses blockIdx");
    return found;
  }

  /// Gives a thread its own copies of the structs that it takes by value and may change. Threads share the arguments of
  /// the launch.
  void copyChangedArguments() {
    const DataLayout &layout = module.getDataLayout();
    IRBuilder<> builder(&*body->getEntryBlock().getFirstInsertionPt());
    for (Argument &argument : body->args()) {
      Type *type = argument.getParamByValType();
      if (!type)
        continue;
      Align known = layout.getABITypeAlign(type), wanted = argument.getParamAlign().value_or(known);
      if (wanted <= known && isOnlyRead(argument))
        continue;
      AllocaInst *copy = builder.CreateAlloca(type, nullptr, argument.getName() + ".copy");
      copy->setAlignment(std::max(known, wanted));
      argument.replaceAllUsesWith(copy);
      builder.CreateMemCpy(copy, copy->getAlign(), &argument, known, layout.getTypeAllocSize(type));
    }
  }

  static bool isOnlyRead(const Value &address) {
    return all_of(address.uses(), [](const Use &use) {
      const User *user = use.getUser();
      if (isa<GetElementPtrInst>(user))
        return isOnlyRead(*user);
      auto *copy = dyn_cast<MemTransferInst>(user);
      return isa<LoadInst>(user) || (copy && use.getOperandNo() == 1);
    });
  }

  /// Ends the program where an exception would leave the kernel, as the header does.
  void endByExceptions() {
    BasicBlock *end = nullptr;
    SmallVector<Instruction *> throwing;
    for (Instruction &inst : instructions(*body))
      if (isa<ResumeInst>(inst) || (isa<CallInst>(inst) && inst.mayThrow()))
        throwing.push_back(&inst);
    for (Instruction *inst : throwing) {
      if (!end)
        end = createEnd();
      if (auto *call = dyn_cast<CallInst>(inst)) {
        changeToInvokeAndSplitBasicBlock(call, end);
        continue;
      }
      IRBuilder<> builder(inst);
      createTermination(builder, builder.CreateExtractValue(cast<ResumeInst>(inst)->getValue(), 0));
      inst->eraseFromParent();
    }
  }

  BasicBlock *createEnd() {
    IRBuilder<> builder(module.getContext());
    if (!body->hasPersonalityFn())
      body->setPersonalityFn(cast<Constant>(
          module.getOrInsertFunction("__gxx_personality_v0", FunctionType::get(builder.getInt32Ty(), true))
              .getCallee()));
    auto *end = BasicBlock::Create(module.getContext(), "", body);
    builder.SetInsertPoint(end);
    LandingPadInst *pad =
        builder.CreateLandingPad(StructType::get(builder.getPtrTy(), builder.getInt32Ty()), /*NumClauses=*/1);
    pad->addClause(ConstantPointerNull::get(builder.getPtrTy()));
    createTermination(builder, builder.CreateExtractValue(pad, 0));
    return end;
  }

  /// Calls std::terminate for an exception. The end of a block.
  void createTermination(IRBuilder<> &builder, Value *exception) {
    FunctionCallee begin = module.getOrInsertFunction("__cxa_begin_catch",
                                                      FunctionType::get(builder.getPtrTy(), builder.getPtrTy(), false));
    FunctionCallee terminate =
        module.getOrInsertFunction("_ZSt9terminatev", FunctionType::get(builder.getVoidTy(), false));
    builder.CreateCall(begin, exception)->setDoesNotThrow();
    CallInst *last = builder.CreateCall(terminate);
    last->setDoesNotThrow();
    last->setDoesNotReturn();
    builder.CreateUnreachable();
  }

  Function &kernel;
  const IndexUsers &users;
  Module &module;
  Function *body = nullptr;
};

} // namespace

/// Returns true if the program may launch a function from here or from another unit.
static bool mayBeLaunched(const Function &function) {
  return IndexUsers::isPointedAt(function) || !function.isDiscardableIfUnused();
}

static void makeBody(Function &kernel, const IndexUsers &users) {
  std::string reason = KernelCheck(kernel, users).run();
  if (reason.empty())
    reason = BodyMaker(kernel, users).run();
  if (!reason.empty())
    emitRemark(kernel, "BlockKernel", lineOf(kernel),
               "kernel " + quotedName(kernel) + " runs thread by thread as an ordinary function: " + reason,
               /*missed=*/true);
}

bool CloneBlockKernelsPass::runOn(Module &module, Module &) {
  SmallVector<Function *> kernels;
  for (Function &function : module) {
    Attribute mark = function.getFnAttribute(kBlockKernelAttr);
    bool isNew = mark.isValid() && mark.getValueAsString() != kBlockKernelDone;
    if (isNew && !function.isDeclaration() && function.getReturnType()->isVoidTy() && !function.isVarArg() &&
        mayBeLaunched(function))
      kernels.push_back(&function);
  }
  // gcov counts lines of each function by itself, and records of compiled programs have pointers of 64 bits.
  if (!kernels.empty() && !module.getNamedMetadata("llvm.gcov") &&
      module.getDataLayout().getPointerSizeInBits() == 64) {
    IndexUsers users(module);
    for (Function *kernel : kernels)
      makeBody(*kernel, users);
  }
  // The pass may run twice on a unit.
  for (Function &function : module)
    if (function.hasFnAttribute(kBlockKernelAttr))
      function.addFnAttr(kBlockKernelAttr, kBlockKernelDone);
  return true;
}
