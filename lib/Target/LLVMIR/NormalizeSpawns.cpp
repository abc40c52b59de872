// Brings marked spawns into normal form (Markers.h): the call, and at most the store of its result. Whatever else the
// child does after the call (conversions, struct copies, sanitizer checks with their control flow) is outlined, with the
// call, into a task function of its own.
#include "Extract.h"

#include "cilk2gpu/Frontend/Markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

using namespace llvm;
using namespace cilk2gpu;

static bool isCallOf(Instruction &inst, StringRef name) {
  auto *call = dyn_cast<CallBase>(&inst);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
}

/// Calls that Clang puts around the user's: intrinsics, and reports of sanitizers.
static bool isInserted(CallBase &call) {
  Function *callee = call.getCalledFunction();
  return callee && (callee->isIntrinsic() || callee->getName().starts_with("__ubsan_"));
}

namespace {

/// A marked spawn: the child's part runs from `call` up to `end`.
struct Spawn {
  CallInst *begin, *call = nullptr, *end = nullptr;
};

} // namespace

/// Finds the spawned call and the end marker, following control flow from the begin marker.
static bool find(Spawn &spawn) {
  SmallSetVector<BasicBlock *, 8> blocks;
  SmallVector<CallInst *> calls;
  auto scan = [&](BasicBlock::iterator first, BasicBlock *block) {
    for (Instruction &inst : make_range(first, block->end())) {
      if (isCallOf(inst, kSpawnEndMarker) && cast<CallInst>(inst).getArgOperand(0) == spawn.begin->getArgOperand(0)) {
        spawn.end = cast<CallInst>(&inst);
        return;
      }
      if (auto *call = dyn_cast<CallInst>(&inst); call && !isInserted(*call))
        calls.push_back(call);
    }
    blocks.insert_range(successors(block));
  };
  scan(std::next(spawn.begin->getIterator()), spawn.begin->getParent());
  for (unsigned i = 0; i < blocks.size(); ++i)
    scan(blocks[i]->begin(), blocks[i]);
  if (!spawn.end || calls.empty())
    return reportError(*spawn.begin, "a spawned call returns to the function that spawns it; found none that does"), false;
  if (calls.size() != 1)
    return reportError(*calls[1], "between a spawn's evaluated arguments and its assignment stands one call; found another, for "
                                  "a conversion or copy; assign to a variable of the function's own result type"),
           false;
  spawn.call = calls.front();
  if (!spawn.call->getCalledFunction())
    return reportError(*spawn.call, "a spawn names its function; found a call through a pointer or with another type than the "
                                    "function's; wrap it in a function"),
           false;
  return true;
}

static bool isNormal(const Spawn &spawn) {
  Instruction *next = spawn.call->getNextNode();
  if (spawn.begin->getParent() != spawn.end->getParent() || spawn.call->getParent() != spawn.end->getParent())
    return false;
  if (next == spawn.end)
    return true;
  auto *store = dyn_cast<StoreInst>(next);
  return store && store->getValueOperand() == spawn.call && store->isSimple() && store->getNextNode() == spawn.end &&
         store->getPointerOperand() == spawn.begin->getArgOperand(1)->stripPointerCasts();
}

SmallVector<AllocaInst *> cilk2gpu::sinkPrivates(ArrayRef<BasicBlock *> part) {
  SmallPtrSet<BasicBlock *, 8> inside(part.begin(), part.end());
  SmallVector<AllocaInst *> privates;
  for (Instruction &inst : part.front()->getParent()->getEntryBlock())
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && !alloca->use_empty() && alloca->isStaticAlloca())
      if (all_of(alloca->users(), [&](User *user) { return inside.contains(cast<Instruction>(user)->getParent()); }))
        privates.push_back(alloca);
  for (AllocaInst *alloca : privates)
    alloca->moveBefore(part.front()->getFirstInsertionPt());
  return privates;
}

/// `x = spawn f(x)` for a struct: the address of x is both the by-value argument and the destination. The argument
/// becomes the wrapper's own copy, the destination must stay the parent's variable: copies such arguments first.
static void separateByValueArguments(Spawn &spawn, BasicBlock *first) {
  const DataLayout &dataLayout = spawn.call->getDataLayout();
  IRBuilder<> builder(first->getSinglePredecessor()->getTerminator());
  for (unsigned arg = 0; arg < spawn.call->arg_size(); ++arg) {
    Value *value = spawn.call->getArgOperand(arg);
    if (!spawn.call->isByValArgument(arg) || value->hasOneUse())
      continue;
    Type *type = spawn.call->getParamByValType(arg);
    BasicBlock &entry = first->getParent()->getEntryBlock();
    auto *copy = new AllocaInst(type, 0, nullptr, spawn.call->getParamAlign(arg).value_or(dataLayout.getABITypeAlign(type)), "",
                                entry.getFirstInsertionPt());
    builder.CreateMemCpy(copy, copy->getAlign(), value, spawn.call->getParamAlign(arg), dataLayout.getTypeAllocSize(type));
    spawn.call->setArgOperand(arg, copy);
  }
}

/// Moves the child's part into an internal task function and spawns that.
static bool outline(Spawn &spawn, unsigned number) {
  BasicBlock *first = SplitBlock(spawn.call->getParent(), spawn.call->getIterator());
  BasicBlock *rest = SplitBlock(spawn.end->getParent(), spawn.end->getIterator());
  SmallSetVector<BasicBlock *, 8> part;
  part.insert(first);
  for (unsigned i = 0; i < part.size(); ++i)
    for (BasicBlock *next : successors(part[i]))
      if (next != rest)
        part.insert(next);

  separateByValueArguments(spawn, first);
  SmallVector<std::pair<Value *, AttrBuilder>> byValueAttrs;
  LLVMContext &context = spawn.call->getContext();
  for (unsigned arg = 0; arg < spawn.call->arg_size(); ++arg)
    if (spawn.call->isByValArgument(arg))
      byValueAttrs.emplace_back(spawn.call->getArgOperand(arg), AttrBuilder(context, spawn.call->getParamAttributes(arg)));

  SmallVector<AllocaInst *> privates = sinkPrivates(part.getArrayRef());
  std::string name = (first->getParent()->getName() + ".spawn" + Twine(number)).str();
  CodeExtractorAnalysisCache cache(*first->getParent());
  CodeExtractor extractor(part.getArrayRef(), /*DT=*/nullptr, /*AggregateArgs=*/false, /*BFI=*/nullptr, /*BPI=*/nullptr,
                          /*AC=*/nullptr, /*AllowVarArgs=*/false, /*AllowAlloca=*/true);
  SetVector<Value *> inputs, outputs;
  Function *wrapper = extractor.isEligible() ? extractor.extractCodeRegion(cache, inputs, outputs) : nullptr;
  if (!wrapper || !outputs.empty())
    return reportError(*spawn.begin, "the assignment of a spawned result is one piece of code that the child can run; found "
                                     "one that the rest of the function enters or uses; assign to a plain variable"),
           false;
  wrapper->setName(name);
  wrapper->setLinkage(GlobalValue::InternalLinkage);
  wrapper->addFnAttr(kTaskFunctionAttr);
  for (AllocaInst *alloca : privates)
    alloca->moveBefore(wrapper->getEntryBlock().getFirstInsertionPt());

  // By-value aggregates stay by value, so that the element carries the copy and not the parent's address.
  auto *call = cast<CallInst>(*wrapper->user_begin());
  for (auto &[value, attrs] : byValueAttrs)
    for (unsigned index = 0; index < call->arg_size(); ++index)
      if (call->getArgOperand(index) == value) {
        wrapper->addParamAttrs(index, attrs);
        call->addParamAttrs(index, attrs);
      }
  // One block again: begin, the wrapper's call, end.
  while (call->getParent() != spawn.begin->getParent() && MergeBlockIntoPredecessor(call->getParent())) {
  }
  MergeBlockIntoPredecessor(spawn.end->getParent());
  return true;
}

bool cilk2gpu::normalizeSpawns(Function &function) {
  SmallVector<Spawn> spawns;
  for (Instruction &inst : instructions(function))
    if (isCallOf(inst, kSpawnBeginMarker))
      spawns.push_back({cast<CallInst>(&inst)});
  unsigned number = 0;
  for (Spawn &spawn : spawns) {
    if (!find(spawn))
      return false;
    // What stands before the call is the parent's; with control flow in it (a sanitizer's checks), the spawn starts here.
    if (spawn.begin->getParent() != spawn.call->getParent())
      spawn.begin->moveBefore(spawn.call->getIterator());
    if (!isNormal(spawn) && !outline(spawn, number++))
      return false;
  }
  return true;
}
