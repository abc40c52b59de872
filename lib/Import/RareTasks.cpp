// Marks Cilk functions that run as few tasks at a time, such as a function that only `main` calls. Vectors would have
// one lane there.
//
// The pass estimates how many calls of each function run at a time:
//
//   int main() { for (...) step(); }              step: 1, because the caller waits for each call
//   void step() { spawn half(a); half(b); }       half: 2, a spawned call and the call beside it
//   cilk_for (...) half(c[i]);                    half: many
//   long fib(n) { spawn fib(n-1); fib(n-2); }     fib: many, because each call adds another one
//
// Calls that their callers wait for follow one another, so the largest number of a caller counts. Spawned calls run
// beside all others, so their numbers are added. Other files are expected to wait for what they call.
#include "Extract.h"
#include "ImportPasses.h"
#include "OrdinaryCode.h"

#include "cilk2gpu/Support/Callee.h"
#include "cilk2gpu/Support/Markers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace cilk2gpu;

/// Most tasks at a time that are few. Vectors of so few lanes gain next to nothing.
static constexpr unsigned kFew = 4, kMany = kFew + 1;

namespace {

/// A call of a function.
struct Site {
  const Function *caller;
  bool isSpawned;  ///< its caller goes on at once
  bool isRepeated; ///< its caller may spawn it, or run it in iterations, any number of times
};

/// Estimates how many calls of each function of a unit run at a time.
class CallEstimate {
public:
  explicit CallEstimate(Module &unit);

  bool isFew(const Function &function) const { return numbers.lookup(&function) <= kFew; }

private:
  void findSites(Function &function);
  unsigned callsFromElsewhere(const Function &function) const;
  unsigned estimate(const Function &function) const;

  SmallPtrSet<const Function *, 32> cilkFunctions;
  DenseMap<const Function *, SmallVector<Site, 2>> sites;       ///< by callee
  DenseMap<const Function *, SetVector<const Function *>> next; ///< the functions that a function calls
  DenseMap<const Function *, unsigned> numbers;                 ///< calls at a time, at most kMany
};

} // namespace

/// Returns the blocks from which control may come back to them.
static SmallPtrSet<const BasicBlock *, 16> blocksInCycles(Function &function) {
  SmallPtrSet<const BasicBlock *, 16> result;
  for (auto cycle = scc_begin(&function); !cycle.isAtEnd(); ++cycle)
    if (cycle.hasCycle())
      result.insert_range(*cycle);
  return result;
}

void CallEstimate::findSites(Function &function) {
  SmallPtrSet<const Instruction *, 32> spawned, iterated;
  if (cilkFunctions.contains(&function)) {
    markRegions(function, kSpawnBeginMarker, kSpawnEndMarker, spawned);
    markRegions(function, kSpawnedBlockBeginMarker, kSpawnedBlockEndMarker, spawned);
    markRegions(function, kForBeginMarker, kForEndMarker, iterated);
  }
  SmallPtrSet<const BasicBlock *, 16> cycles;
  if (!spawned.empty())
    cycles = blocksInCycles(function);
  for (Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&inst);
    Function *callee = call ? calleeOf(*call) : nullptr;
    if (!callee || callee->isDeclaration())
      continue;
    bool isSpawned = spawned.contains(call);
    bool isRepeated = iterated.contains(call) || (isSpawned && cycles.contains(call->getParent()));
    sites[callee].push_back({&function, isSpawned, isRepeated});
    next[&function].insert(callee);
  }
}

/// Returns how many calls come from pointers and other files.
unsigned CallEstimate::callsFromElsewhere(const Function &function) const {
  bool isTask = cilkFunctions.contains(&function);
  if (function.hasAddressTaken())
    return isTask ? kMany : 1;
  if (function.isDiscardableIfUnused())
    return 0;
  if (function.getName() == "main")
    return 1;
  // Other files may well spawn a function that this file does not call.
  bool isCalled = sites.contains(&function) || function.hasFnAttribute(kInlinedCallAttr);
  return isTask && !isCalled ? kMany : 1;
}

unsigned CallEstimate::estimate(const Function &function) const {
  unsigned waited = callsFromElsewhere(function), spawned = 0;
  auto found = sites.find(&function);
  if (found == sites.end())
    return waited;
  for (const Site &site : found->second) {
    unsigned callers = numbers.lookup(site.caller);
    if (site.isRepeated && callers)
      return kMany;
    if (site.isSpawned)
      spawned = std::min(spawned + callers, kMany);
    else
      waited = std::max(waited, callers);
  }
  return std::min(waited + spawned, kMany);
}

CallEstimate::CallEstimate(Module &unit) {
  cilkFunctions.insert_range(findCilkFunctions(unit));
  SetVector<const Function *> changed;
  for (Function &function : unit)
    if (!function.isDeclaration()) {
      findSites(function);
      changed.insert(&function);
    }
  while (!changed.empty()) {
    const Function *function = changed.pop_back_val();
    unsigned number = estimate(*function);
    if (number == std::exchange(numbers[function], number))
      continue;
    if (auto callees = next.find(function); callees != next.end())
      changed.insert_range(callees->second);
  }
}

bool MarkRareTasksPass::runOn(Module &module, Module &) {
  CallEstimate calls(module);
  for (Function *function : findCilkFunctions(module))
    if (calls.isFew(*function))
      function->addFnAttr(kRareTaskAttr);
  return true;
}
