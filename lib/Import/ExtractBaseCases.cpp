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
// not inlined; its allocations take longer than the call.
#include "Extract.h"
#include "ImportPasses.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

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

private:
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

/// Handles only user functions. Functions made from loops and spawns were parts of user functions. At -O0, functions
/// stay as they are.
bool ExtractBaseCasesPass::runOn(Module &module, Module &unit) {
  for (Function *task : findCilkFunctions(module)) {
    const Function *original = isUserFunction(*task) ? unit.getFunction(task->getName()) : nullptr;
    if (original && !original->hasOptNone() && original->getName() != "main")
      extractBaseCases(*task, unit);
  }
  return true;
}
