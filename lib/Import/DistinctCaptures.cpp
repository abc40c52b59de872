// Makes alias scopes for the objects that a cilk_for's iterations capture. When the body is a function of its own, LLVM
// does not see where its arguments come from. Without the scopes, loops in the body would need comparisons of addresses
// to run in vectors, or would not run in vectors.
//
//   p = malloc(...); q = malloc(...); cilk_for (...) p[i] = q[i];
//   -> f.for0.body(i, p, q): store p[i] in scope P, not in Q; load q[i] in scope Q, not in P
//
// Scopes hold for a whole function, with all accesses that are inlined into it. So the function around the loop must
// make the objects itself, and the objects must differ in every round of a loop, too. Restrict parameters do not
// qualify, because two calls may pass the same objects in another order. LLVM's inliner gives each copy scopes of its
// own.
//
// Lanes of one kernel run in parallel, and an object of one lane may be another object of another lane. If one lane
// writes where another lane reads, the program has a race.
#include "ImportPasses.h"
#include "LoopCalls.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// Pairs of arguments of range tasks and their bodies that lead to different objects in every call.
class DistinctArguments {
public:
  explicit DistinctArguments(Module &module);
  const LoopCalls &getCalls() const { return calls; }
  bool operator()(const Argument *a, const Argument *b) const { return a != b && !mayMeet.contains(key(a, b)); }

private:
  using Pair = std::pair<const Argument *, const Argument *>;
  static Pair key(const Argument *a, const Argument *b) { return std::minmax(a, b, std::less<>()); }
  bool areDistinct(const Value *a, const Value *b) const;
  bool weaken(const CallBase &call);

  LoopCalls calls;
  DenseSet<Pair> mayMeet; ///< all other pairs count as distinct until a call shows otherwise
};

} // namespace

DistinctArguments::DistinctArguments(Module &module) : calls(module) {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[function, sites] : calls)
      for (CallBase *call : sites)
        changed |= weaken(*call);
  }
}

/// Returns true for an object that the function creates, or of which only one exists.
static bool isOwnObject(const Value *object) {
  auto *local = dyn_cast<AllocaInst>(object);
  return (local && local->isStaticAlloca()) || isa<GlobalVariable>(object) || isNoAliasCall(object);
}

bool DistinctArguments::areDistinct(const Value *a, const Value *b) const {
  a = getUnderlyingObject(a, /*MaxLookup=*/0), b = getUnderlyingObject(b, /*MaxLookup=*/0);
  auto *outerA = dyn_cast<Argument>(a), *outerB = dyn_cast<Argument>(b);
  if (outerA && outerB)
    return calls.contains(outerA->getParent()) && (*this)(outerA, outerB);
  return a != b && isOwnObject(a) && isOwnObject(b);
}

/// Removes facts that do not hold in `call`. Returns true if there were any.
bool DistinctArguments::weaken(const CallBase &call) {
  bool changed = false;
  for (const Argument &a : call.getCalledFunction()->args())
    for (const Argument &b : call.getCalledFunction()->args())
      if (&a < &b && a.getType()->isPointerTy() && b.getType()->isPointerTy() && (*this)(&a, &b) &&
          !areDistinct(call.getArgOperand(a.getArgNo()), call.getArgOperand(b.getArgNo())))
        changed |= mayMeet.insert(key(&a, &b)).second;
  return changed;
}

/// Returns the plain loads and stores of a function, for each argument from which alone their address is computed.
static MapVector<Argument *, SmallVector<Instruction *>> findAccesses(Function &function) {
  MapVector<Argument *, SmallVector<Instruction *>> accesses;
  for (Instruction &inst : instructions(function)) {
    auto *load = dyn_cast<LoadInst>(&inst);
    auto *store = dyn_cast<StoreInst>(&inst);
    if (!(load && load->isSimple()) && !(store && store->isSimple()))
      continue;
    if (auto *argument = dyn_cast<Argument>(getUnderlyingObject(getLoadStorePointerOperand(&inst), /*MaxLookup=*/0)))
      accesses[const_cast<Argument *>(argument)].push_back(&inst);
  }
  return accesses;
}

static void append(Instruction &inst, unsigned kind, ArrayRef<Metadata *> scopes) {
  inst.setMetadata(kind, MDNode::concatenate(inst.getMetadata(kind), MDNode::get(inst.getContext(), scopes)));
}

static void mark(Function &function, function_ref<bool(const Argument *, const Argument *)> areDistinct) {
  MapVector<Argument *, SmallVector<Instruction *>> accesses = findAccesses(function);
  MDBuilder builder(function.getContext());
  MDNode *domain = nullptr;
  MapVector<Argument *, Metadata *> scopes;
  for (auto &[argument, found] : accesses)
    if (any_of(accesses, [&, a = argument](auto &other) { return areDistinct(a, other.first); })) {
      if (!domain)
        domain = builder.createAnonymousAliasScopeDomain(function.getName());
      scopes[argument] = builder.createAnonymousAliasScope(domain, argument->getName());
    }
  for (auto &[argument, scope] : scopes) {
    SmallVector<Metadata *> others;
    for (auto &[other, otherScope] : scopes)
      if (areDistinct(argument, other))
        others.push_back(otherScope);
    for (Instruction *inst : accesses[argument]) {
      append(*inst, LLVMContext::MD_alias_scope, {scope});
      append(*inst, LLVMContext::MD_noalias, others);
    }
  }
}

bool MarkDistinctCapturesPass::runOn(Module &module, Module &) {
  DistinctArguments areDistinct(module);
  for (auto &[function, sites] : areDistinct.getCalls())
    mark(*function, areDistinct);
  visitSerialLoops(module, areDistinct.getCalls(), [&](Function &loop, Function &task) {
    mark(loop, [&](const Argument *a, const Argument *b) {
      return areDistinct(task.getArg(a->getArgNo()), task.getArg(b->getArgNo()));
    });
  });
  return true;
}
