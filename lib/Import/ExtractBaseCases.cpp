// Makes an ordinary function from the base case of a recursion: the part of a task that allocates memory and computes
// in loops, but spawns nothing.
//
//   Matrix f(const Matrix &a, ...) { if (small) { Matrix c; loops over a and c; return c; } ... spawn ... }
//   -> f.base(ptr result, ptr a): Matrix c; loops
//
// LLVM knows that an argument of a function does not point to memory that the function allocates itself. So the loops
// need not load values again, and run in vectors. In a kernel, arguments are loaded from an element, and might point to
// any memory that has escaped. A product of matrices in std::vector objects took six times as long. The function is
// called, not inlined, because its allocations take longer than the call.
//
// Other base cases with loops become functions as well if the elision of the task would do the same. Scalar kernels
// then call the elision, and the loops are compiled once.
//
//   void f(int lo, int hi) { if (hi - lo < 4) { loop; return; } ... spawn ... }
//   -> f.loops(int lo, int hi): if (hi - lo < 4) { loop; return; } unreachable
#include "Extract.h"
#include "ImportPasses.h"

#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/SerialLoops.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

class BaseCases {
public:
  /// `original` is the module with the bodies of the functions that `task` calls.
  BaseCases(Function &task, const Module &original);
  /// Returns the largest part that should become a function, with its first block in front. Returns an empty list if
  /// there is none.
  SmallVector<BasicBlock *> find() const;

  /// A base case for which the task's elision can be called.
  struct Elided {
    SmallVector<BasicBlock *> part;         ///< the base case
    SmallSetVector<BasicBlock *, 16> front; ///< blocks that lead to it, without effects
    BasicBlock *end = nullptr;              ///< behind it, where the task returns
  };

  /// Returns the largest base case for which the task's elision can be called, if there is one.
  std::optional<Elided> findElided() const;

private:
  bool findSurroundings(Elided &found) const;
  bool isOrdinary(const BasicBlock &block) const;
  bool isPart(const DomTreeNode &first, SmallVectorImpl<BasicBlock *> &part) const;
  bool allocates(ArrayRef<BasicBlock *> part) const;

  Function &task;
  const Module &original;
  DominatorTree dominators;
  LoopInfo loops;
  SmallPtrSet<const BasicBlock *, 32> spawnLater; ///< blocks from which a spawn or a call of a task can be reached
};

} // namespace

static const Function *calleeOf(const Instruction &inst) {
  auto *call = dyn_cast<CallBase>(&inst);
  return call ? call->getCalledFunction() : nullptr;
}

BaseCases::BaseCases(Function &task, const Module &original)
    : task(task), original(original), dominators(task), loops(dominators) {
  SmallVector<const BasicBlock *> work;
  for (BasicBlock &block : task)
    for (Instruction &inst : block)
      if (const Function *callee = calleeOf(inst))
        if (callee->getName() == kSpawnBeginMarker || callee->hasFnAttribute(kTaskFunctionAttr))
          work.push_back(&block);
  while (!work.empty()) {
    const BasicBlock *block = work.pop_back_val();
    if (spawnLater.insert(block).second)
      append_range(work, predecessors(block));
  }
}

/// Returns true if a block contains only ordinary code. Blocks that leave the task do not count.
bool BaseCases::isOrdinary(const BasicBlock &block) const {
  if (isa<ReturnInst>(block.getTerminator()) || spawnLater.contains(&block) || block.hasAddressTaken())
    return false;
  return none_of(block, [&](const Instruction &inst) {
    const Function *callee = calleeOf(inst);
    return callee && callee->getName().starts_with("__cilk2gpu_");
  });
}

/// Collects the ordinary blocks that `first` dominates and that are reached only through such blocks. Returns true if
/// they can become a function.
bool BaseCases::isPart(const DomTreeNode &first, SmallVectorImpl<BasicBlock *> &part) const {
  SmallVector<const DomTreeNode *> work{&first};
  bool hasLoop = false;
  while (!work.empty()) {
    const DomTreeNode *node = work.pop_back_val();
    BasicBlock *block = node->getBlock();
    if (!isOrdinary(*block))
      continue;
    part.push_back(block);
    const Loop *loop = loops.getLoopFor(block);
    hasLoop |= loop && dominators.dominates(first.getBlock(), loop->getHeader());
    append_range(work, node->children());
  }
  // If an ordinary block precedes a block that was not collected, that block has another predecessor outside of the
  // part. The extracted code cannot branch there.
  SmallPtrSet<BasicBlock *, 16> inside(part.begin(), part.end());
  return hasLoop && all_of(drop_begin(part), [&](BasicBlock *block) {
           return all_of(predecessors(block), [&](BasicBlock *before) { return inside.contains(before); });
         });
}

/// Returns true if the part, or a function that it calls, may allocate memory. Other parts gain nothing from
/// extraction.
bool BaseCases::allocates(ArrayRef<BasicBlock *> part) const {
  constexpr unsigned kMostFunctions = 100;
  SmallVector<const Function *> called;
  SmallPtrSet<const Function *, 16> seen;
  auto scan = [&](const BasicBlock &block) {
    return any_of(block, [&](const Instruction &inst) {
      if (const Function *callee = calleeOf(inst); callee && seen.insert(callee).second)
        called.push_back(callee);
      return isNoAliasCall(&inst);
    });
  };
  if (any_of(part, [&](const BasicBlock *block) { return scan(*block); }))
    return true;
  for (unsigned i = 0; i < called.size() && i < kMostFunctions; ++i)
    if (const Function *body = original.getFunction(called[i]->getName()))
      if (any_of(*body, scan))
        return true;
  return false;
}

SmallVector<BasicBlock *> BaseCases::find() const {
  for (const DomTreeNode *node : depth_first(dominators.getRootNode())) {
    SmallVector<BasicBlock *> part;
    bool isEntry = node->getBlock() == &task.getEntryBlock();
    if (!isEntry && isPart(*node, part) && allocates(part))
      return part;
  }
  return {};
}

/// Collects the blocks in front of a base case and the block behind it. Returns true if the elision does the same when
/// it is called in place of the base case: nothing in front has an effect, and behind it the task returns. The elision
/// computes what stands in front again, so calls and loops do not count as free.
bool BaseCases::findSurroundings(Elided &found) const {
  SmallPtrSet<BasicBlock *, 16> inside(found.part.begin(), found.part.end());
  auto isOutside = [&](BasicBlock *block) { return !inside.contains(block); };
  found.front.insert_range(make_filter_range(predecessors(found.part.front()), isOutside));
  for (unsigned i = 0; i < found.front.size(); ++i) {
    BasicBlock *block = found.front[i];
    auto isFree = [](const Instruction &inst) { return !inst.mayHaveSideEffects() && !isa<CallBase>(inst); };
    if (loops.getLoopFor(block) || !all_of(*block, isFree))
      return false;
    found.front.insert_range(predecessors(block));
  }
  for (BasicBlock *block : found.part)
    for (BasicBlock *next : make_filter_range(successors(block), isOutside)) {
      if (found.end && found.end != next)
        return false;
      found.end = next;
    }
  return found.end && isa<ReturnInst>(*found.end->getFirstNonPHIIt());
}

std::optional<BaseCases::Elided> BaseCases::findElided() const {
  for (const DomTreeNode *node : depth_first(dominators.getRootNode())) {
    Elided found;
    bool isEntry = node->getBlock() == &task.getEntryBlock();
    if (!isEntry && isPart(*node, found.part) && findSurroundings(found))
      return found;
  }
  return std::nullopt;
}

static Function *extract(Function &task, ArrayRef<BasicBlock *> part) {
  DebugLoc line = part.front()->getFirstNonPHIIt()->getStableDebugLoc();
  SmallVector<AllocaInst *> own = sinkPrivates(part);
  SetVector<Value *> outputs;
  Function *baseCase = extractPart(part, outputs);
  for (AllocaInst *alloca : own)
    alloca->moveBefore((baseCase ? baseCase : &task)->getEntryBlock().getFirstInsertionPt());
  if (!baseCase)
    return nullptr;
  baseCase->setName(task.getName() + ".base");
  giveLine(*baseCase, line);
  dropTaskMarks(*baseCase);
  baseCase->addFnAttr(Attribute::NoInline);
  return baseCase;
}

static void extractBaseCases(Function &task, const Module &original) {
  constexpr unsigned kMost = 8; // a part that was refused would be found again
  for (unsigned i = 0; i < kMost; ++i) {
    SmallVector<BasicBlock *> part = BaseCases(task, original).find();
    if (part.empty() || !extract(task, part))
      return;
  }
}

/// Returns the declaration of the task's elision if a kernel can call it with the task's arguments.
static Function *elisionOf(Function &task) {
  Function *elision = task.getParent()->getFunction(task.getFnAttribute(kElisionFunctionAttr).getValueAsString());
  bool isCallable = elision && elision->getFunctionType() == task.getFunctionType() && !task.isVarArg() &&
                    task.doesNotThrow() && none_of(task.args(), [](const Argument &argument) {
                      return argument.hasPassPointeeByValueCopyAttr() || argument.hasStructRetAttr();
                    });
  return isCallable ? elision : nullptr;
}

/// Returns a copy of the task that only leads to the base case.
static Function *copyBaseCase(Function &task, const BaseCases::Elided &found) {
  ValueToValueMapTy mapping;
  Function *copy = CloneFunction(&task, mapping);
  copy->setName(task.getName() + ".loops");
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setVisibility(GlobalValue::DefaultVisibility);
  copy->setComdat(nullptr);
  copy->setDSOLocal(true);
  giveLine(*copy, found.part.front()->getFirstNonPHIIt()->getStableDebugLoc());
  dropTaskMarks(*copy);
  auto *nowhere = BasicBlock::Create(copy->getContext(), "nowhere", copy);
  (new UnreachableInst(copy->getContext(), nowhere))->setDebugLoc(DebugLoc());
  for (BasicBlock *block : found.front)
    for (BasicBlock *next : successors(block))
      if (next != found.part.front() && !found.front.contains(next)) {
        auto *copied = cast<BasicBlock>(mapping[block]), *other = cast<BasicBlock>(mapping[next]);
        other->removePredecessor(copied);
        copied->getTerminator()->replaceSuccessorWith(other, nowhere);
      }
  removeUnreachableBlocks(*copy);
  return copy;
}

/// Puts a call into the place of the base case.
static void replaceBaseCase(Function &task, const BaseCases::Elided &found, Function &copy) {
  auto *calling = BasicBlock::Create(task.getContext(), "", &task, found.part.front());
  IRBuilder<> builder(calling);
  builder.SetCurrentDebugLocation(found.part.front()->getFirstNonPHIIt()->getStableDebugLoc());
  SmallVector<Value *> arguments(make_pointer_range(task.args()));
  CallInst *call = builder.CreateCall(&copy, arguments);
  SmallVector<AttributeSet> parameters;
  AttributeList attributes = task.getAttributes();
  for (unsigned i = 0; i < task.arg_size(); ++i)
    parameters.push_back(attributes.getParamAttrs(i));
  call->setAttributes(AttributeList::get(task.getContext(), AttributeSet(), attributes.getRetAttrs(), parameters));
  builder.CreateBr(found.end);
  Value *result = cast<ReturnInst>(found.end->getTerminator())->getReturnValue();
  for (PHINode &phi : found.end->phis())
    phi.addIncoming(&phi == result ? cast<Value>(call) : PoisonValue::get(phi.getType()), calling);
  for (BasicBlock *block : found.front)
    block->getTerminator()->replaceSuccessorWith(found.part.front(), calling);
  removeUnreachableBlocks(task);
}

static void shareBaseCase(Function &task) {
  Function *elision = elisionOf(task);
  std::optional<BaseCases::Elided> found =
      elision ? BaseCases(task, *task.getParent()).findElided() : std::optional<BaseCases::Elided>();
  if (!found)
    return;
  Function *copy = copyBaseCase(task, *found);
  copy->addFnAttr(kBaseCaseAttr, elision->getName());
  replaceBaseCase(task, *found, *copy);
}

/// Handles only user functions. Functions made from loops and spawns were parts of user functions. At -O0, functions
/// stay as they are.
bool ExtractBaseCasesPass::runOn(Module &module, Module &unit) {
  for (Function *task : findCilkFunctions(module)) {
    const Function *original = isUserFunction(*task) ? unit.getFunction(task->getName()) : nullptr;
    if (!original || original->hasOptNone() || original->getName() == "main")
      continue;
    extractBaseCases(*task, unit);
    shareBaseCase(*task);
  }
  return true;
}
