// Reads views that an earlier lookup of the strand has found. A serial elision is one strand, so a recursion that runs
// as its elision looks up each view once.
//
//   view = __hyper_lookup(key, ...)
//   -> view = kept.views[i]; if (kept.keys[i] != key) view = keep(key)    keep: looks up, and writes entry i
//
// Where the function has done nothing yet, it begins again as its copy f.unkept, which has the code above. That is a
// jump, so a base case with a lookup needs no frame:
//
//   view = kept.views[i]; if (kept.keys[i] != key) return f.unkept(arguments)
#include "Target/Host/KeptLookups.h"
#include "cilk2gpu/Support/ReducerMarks.h"
#include "cilk2gpu/abi/StrandViews.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <map>
#include <optional>
#include <tuple>
#include <vector>

using namespace llvm;
using namespace cilk2gpu;

/// Returns true if an instruction is a lookup that the thread may keep. LLVM may have removed parameters of the lookup
/// in C, because <cilk/reducer.h> defines it.
static bool isKeptLookup(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && (callee->getName() == kHyperLookup || callee->getName() == kReducerLookupInC) &&
         call->getType()->isPointerTy() && !call->arg_empty() && call->getArgOperand(0)->getType()->isPointerTy() &&
         all_of(drop_begin(call->args()), [](const Use &arg) { return isa<Constant>(arg); });
}

namespace {

/// Numbers the keys of a module. The numbers of a module begin at a number of its own, so that the reducers of two
/// modules seldom share an entry.
class KeyNumbers {
public:
  explicit KeyNumbers(const Module &module) : layout(module.getDataLayout()), begin(xxh3_64bits(module.getName())) {}

  /// Returns the entry in which the view of a reducer is kept. Returns nothing for elements of an array of reducers,
  /// which would take the entry from one another.
  std::optional<unsigned> entryOf(Value *key) {
    int64_t offset = 0;
    Value *base = GetPointerBaseWithConstantOffset(key, offset, layout);
    if (isa<GEPOperator>(base))
      return std::nullopt;
    unsigned number = numbers.try_emplace({base, offset}, numbers.size()).first->second;
    return unsigned((begin + number) % abi::kKeptLookups);
  }

private:
  const DataLayout &layout;
  uint64_t begin;
  DenseMap<std::pair<Value *, int64_t>, unsigned> numbers;
};

/// The instructions of a function before which it has done nothing that it may not do again.
class Beginning {
public:
  explicit Beginning(Function &function) {
    SmallVector<BasicBlock *> work;
    for (BasicBlock &block : function)
      if (any_of(block, hasEffects))
        append_range(work, successors(&block));
    while (!work.empty()) {
      BasicBlock *block = work.pop_back_val();
      if (later.insert(block).second)
        append_range(work, successors(block));
    }
  }

  bool contains(const Instruction &instruction) const {
    const BasicBlock *block = instruction.getParent();
    return !later.contains(block) && none_of(make_range(block->begin(), instruction.getIterator()), hasEffects);
  }

private:
  static bool hasEffects(const Instruction &instruction) {
    auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
    return instruction.mayHaveSideEffects() && !isKeptLookup(instruction) &&
           !(intrinsic && intrinsic->isAssumeLikeIntrinsic());
  }

  SmallPtrSet<const BasicBlock *, 16> later; ///< blocks that run after an effect
};

/// Gives the lookups of a module their fast path.
class LookupKeeper {
public:
  explicit LookupKeeper(Module &module) : module(module), numbers(module) {
    Type *bytes = ArrayType::get(Type::getInt8Ty(module.getContext()), sizeof(abi::KeptLookups));
    kept = new GlobalVariable(module, bytes, /*isConstant=*/false, GlobalValue::ExternalLinkage, nullptr,
                              kKeptLookupsName, nullptr, GlobalValue::GeneralDynamicTLSModel);
    kept->setAlignment(Align(alignof(abi::KeptLookups)));
  }

  void keep(Function &function, ArrayRef<CallInst *> lookups) {
    SmallVector<std::pair<CallInst *, unsigned>> atBeginning, others;
    Beginning beginning(function);
    for (CallInst *lookup : lookups)
      if (std::optional<unsigned> entry = numbers.entryOf(lookup->getArgOperand(0)))
        (beginning.contains(*lookup) && mayBeginAgain(function) ? atBeginning : others).emplace_back(lookup, *entry);
    for (auto [lookup, entry] : others)
      keepHere(lookup, entry);
    if (atBeginning.empty())
      return;
    ValueToValueMapTy copies;
    Function *copy = copyOf(function, copies);
    for (auto [lookup, entry] : atBeginning) {
      keepHere(cast<CallInst>(copies[lookup]), entry);
      beginAgain(*copy, lookup, entry);
    }
  }

private:
  /// Returns true if a call with the same arguments may replace the rest of the function.
  static bool mayBeginAgain(const Function &function) {
    return !function.isVarArg() && !function.hasFnAttribute(Attribute::ReturnsTwice) &&
           !function.hasFnAttribute(Attribute::Naked) && !function.isPresplitCoroutine() &&
           none_of(function.args(), [](const Argument &arg) { return arg.hasPassPointeeByValueCopyAttr(); });
  }

  static Function *copyOf(Function &function, ValueToValueMapTy &copies) {
    Function *copy = CloneFunction(&function, copies);
    copy->setName(function.getName() + ".unkept");
    copy->setLinkage(GlobalValue::InternalLinkage);
    copy->setVisibility(GlobalValue::DefaultVisibility);
    copy->setComdat(nullptr);
    copy->removeFnAttr(Attribute::AlwaysInline);
    copy->addFnAttr(Attribute::NoInline);
    copy->addFnAttr(Attribute::Cold);
    return copy;
  }

  Value *fieldAt(IRBuilder<> &builder, Value *thread, uint64_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), thread, offset);
  }
  Value *keyAt(IRBuilder<> &builder, Value *thread, unsigned entry) {
    return fieldAt(builder, thread, offsetof(abi::KeptLookups, keys) + entry * sizeof(void *));
  }
  Value *viewAt(IRBuilder<> &builder, Value *thread, unsigned entry) {
    return fieldAt(builder, thread, offsetof(abi::KeptLookups, views) + entry * sizeof(void *));
  }

  /// Reads an entry in front of a lookup. Returns the view, and the end of a block that runs if the key is another one.
  std::pair<Value *, Instruction *> readEntry(CallInst *lookup, unsigned entry, bool isEnd) {
    IRBuilder<> builder(lookup);
    Value *thread = builder.CreateThreadLocalAddress(kept);
    Value *view = builder.CreateLoad(builder.getPtrTy(), viewAt(builder, thread, entry));
    Value *key = builder.CreateLoad(builder.getPtrTy(), keyAt(builder, thread, entry));
    Value *isOther = builder.CreateICmpNE(key, lookup->getArgOperand(0));
    MDNode *weights = MDBuilder(builder.getContext()).createUnlikelyBranchWeights();
    return {view, SplitBlockAndInsertIfThen(isOther, lookup->getIterator(), isEnd, weights)};
  }

  void keepHere(CallInst *lookup, unsigned entry) {
    BasicBlock *before = lookup->getParent();
    auto [known, end] = readEntry(lookup, entry, /*isEnd=*/false);
    CallInst *found = CallInst::Create(keepFunction(*lookup, entry), lookup->getArgOperand(0), "", end->getIterator());
    found->setCallingConv(found->getCalledFunction()->getCallingConv());
    found->setDebugLoc(lookup->getDebugLoc());
    IRBuilder<> builder(lookup);
    PHINode *view = builder.CreatePHI(builder.getPtrTy(), 2);
    view->addIncoming(known, before);
    view->addIncoming(found, end->getParent());
    lookup->replaceAllUsesWith(view);
    lookup->eraseFromParent();
  }

  void beginAgain(Function &copy, CallInst *lookup, unsigned entry) {
    Function &function = *lookup->getFunction();
    auto [known, end] = readEntry(lookup, entry, /*isEnd=*/true);
    SmallVector<Value *> args(make_pointer_range(function.args()));
    CallInst *call = CallInst::Create(&copy, args, "", end->getIterator());
    AttributeList attributes = function.getAttributes();
    call->setAttributes(attributes.removeFnAttributes(function.getContext()));
    call->setCallingConv(function.getCallingConv());
    call->setTailCallKind(CallInst::TCK_MustTail);
    DISubprogram *scope = function.getSubprogram();
    call->setDebugLoc(lookup->getDebugLoc() || !scope ? lookup->getDebugLoc()
                                                      : DebugLoc(DILocation::get(function.getContext(), 0, 0, scope)));
    ReturnInst::Create(function.getContext(), call->getType()->isVoidTy() ? nullptr : call, end->getIterator());
    end->eraseFromParent();
    lookup->replaceAllUsesWith(known);
    lookup->eraseFromParent();
  }

  /// Returns the function that looks up a view and writes an entry. It is called seldom, so it leaves most registers to
  /// its caller.
  Function *keepFunction(const CallInst &lookup, unsigned entry) {
    SmallVector<Value *> rest(drop_begin(lookup.args()));
    Function *&function =
        keepFunctions[{lookup.getCalledFunction(), entry, std::vector<Value *>(rest.begin(), rest.end())}];
    if (function)
      return function;
    Type *pointer = PointerType::getUnqual(module.getContext());
    function = Function::Create(FunctionType::get(pointer, pointer, /*isVarArg=*/false), GlobalValue::InternalLinkage,
                                "__cilk2gpu_keep_lookup", module);
    Triple triple = module.getTargetTriple();
    if (triple.isX86_64() || triple.isAArch64())
      function->setCallingConv(CallingConv::PreserveMost);
    for (Attribute::AttrKind kind : {Attribute::NoInline, Attribute::Cold, Attribute::NoUnwind})
      function->addFnAttr(kind);
    IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", function));
    SmallVector<Value *> args{function->getArg(0)};
    append_range(args, rest);
    CallInst *view = builder.CreateCall(lookup.getCalledFunction(), args);
    view->setCallingConv(lookup.getCallingConv());
    Value *thread = builder.CreateThreadLocalAddress(kept);
    builder.CreateStore(args[0], keyAt(builder, thread, entry));
    builder.CreateStore(view, viewAt(builder, thread, entry));
    builder.CreateStore(builder.getInt32(1), fieldAt(builder, thread, offsetof(abi::KeptLookups, isUsed)));
    builder.CreateRet(view);
    return function;
  }

  Module &module;
  KeyNumbers numbers;
  GlobalVariable *kept;
  std::map<std::tuple<Function *, unsigned, std::vector<Value *>>, Function *> keepFunctions;
};

} // namespace

/// Forgets what is known of the effects of a function and its callers: lookups now write a variable of the thread.
static void forgetEffects(Function &function) {
  SmallVector<Function *> work{&function};
  while (!work.empty()) {
    Function *changed = work.pop_back_val();
    if (!changed->hasFnAttribute(Attribute::Memory))
      continue;
    changed->removeFnAttr(Attribute::Memory);
    for (User *user : changed->users())
      if (auto *call = dyn_cast<CallBase>(user)) {
        call->removeFnAttr(Attribute::Memory);
        work.push_back(call->getFunction());
      }
  }
}

PreservedAnalyses KeepLookupsPass::run(Module &module, ModuleAnalysisManager &) {
  bool isShared = module.getPICLevel() != PICLevel::NotPIC && module.getPIELevel() == PIELevel::Default;
  if (isShared || module.getNamedGlobal(kKeptLookupsName)) // the pass has run
    return PreservedAnalyses::all();
  MapVector<Function *, SmallVector<CallInst *>> lookups;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (isKeptLookup(instruction))
        lookups[&function].push_back(cast<CallInst>(&instruction));
  if (lookups.empty())
    return PreservedAnalyses::all();
  LookupKeeper keeper(module);
  for (auto &[function, calls] : lookups) {
    forgetEffects(*function);
    keeper.keep(*function, calls);
  }
  return PreservedAnalyses::none();
}
