// A view exists so that a strand updates a reducer without others, and so that the updates are reduced in serial order.
// Where the order does not matter, a lane collects its updates in a variable. Where its function returns, it applies
// them to the reducer by one atomic operation:
//
//   *__hyper_lookup(&sum, ...) += x;      =>      own += x;
//   return;                                       if (own != 0) atomic_fetch_add(&sum, own);
//
// A lane that is refused space returns, too, and goes on in another function. That function collects anew. An address
// of a reducer that is computed in the function may be another one each time. Then the variable is for one reducer at a
// time.
//
// The reducer is then exact once the run has ended. No task reads it before: the lookup of a read stays, and is
// refused.
#include "DeviceReducers.h"

#include "cilk2gpu/Support/ReducerMarks.h"
#include "cilk2gpu/Support/ReducerOperations.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace cilk2gpu;

/// Calls of the runtime that track strands. Device code has no use for them.
static constexpr StringLiteral kTracking[] = {kViewsBegin, kViewsEnd, kViewsSync, kViewsEnter, kViewsLeave};

/// Names no slot: calls for a known activation look up views as others do.
static void forgetActivations(Module &program) {
  for (StringRef name : kTracking)
    if (Function *function = program.getFunction(name))
      for (User *user : make_early_inc_range(function->users()))
        cast<CallInst>(user)->eraseFromParent();
  if (Function *spawn = program.getFunction(kViewsSpawn))
    for (User *user : make_early_inc_range(spawn->users())) {
      auto *call = cast<CallInst>(user);
      call->replaceAllUsesWith(Constant::getNullValue(call->getType()));
      call->eraseFromParent();
    }
  Function *tracked = program.getFunction(kViewsLookup);
  if (!tracked)
    return;
  auto *type = FunctionType::get(tracked->getReturnType(), tracked->getFunctionType()->params().drop_front(), false);
  FunctionCallee lookup = program.getOrInsertFunction(kHyperLookup, type);
  for (User *user : make_early_inc_range(tracked->users())) {
    auto *call = cast<CallInst>(user);
    IRBuilder<> builder(call);
    call->replaceAllUsesWith(builder.CreateCall(lookup, SmallVector<Value *>(drop_begin(call->args()))));
    call->eraseFromParent();
  }
}

namespace {

/// The lookups of a reducer in a function.
struct Updates {
  Monoid monoid;
  SmallVector<CallBase *> lookups;
};

/// Finds the updates of a function that can be made in place, and makes them so.
class InPlaceUpdates {
public:
  InPlaceUpdates(Function &function, Monoids &monoids) : function(function) {
    inlineMembers(function, SmallPtrSet<const Instruction *, 1>());
    for (Instruction &inst : instructions(function)) {
      if (auto *result = dyn_cast<ReturnInst>(&inst))
        returns.push_back(result);
      if (!isLookup(inst))
        continue;
      auto &lookup = cast<CallBase>(inst);
      const std::optional<Monoid> monoid = monoids.of(lookup);
      Updates &updates = byReducer[lookup.getArgOperand(0)];
      // An operation that is not known, or two operations on one reducer, leave the reducer as it is.
      const bool isSame = monoid && (updates.lookups.empty() || updates.monoid == *monoid);
      updates.monoid = isSame ? *monoid : Monoid();
      updates.lookups.push_back(&lookup);
    }
  }

  void rewrite() {
    byReducer.remove_if([this](auto &entry) { return !fits(entry.second); });
    for (auto &[reducer, updates] : byReducer)
      collect(*reducer, updates);
  }

private:
  bool fits(const Updates &updates) const {
    constexpr unsigned kBits[] = {32, 64}; // of atomic operations
    return updates.monoid.type && is_contained(kBits, updates.monoid.type->getBitWidth()) &&
           all_of(updates.lookups, IsaPred<CallInst>) && // an invoke is of the host's code
           onlyAccumulates(function, updates.monoid,
                           [&](CallBase &call) { return is_contained(updates.lookups, &call); });
  }

  /// Applies what a variable has collected to a reducer, in front of an instruction.
  static void apply(const Monoid &monoid, AllocaInst &own, Value &reducer, Instruction &before) {
    IRBuilder<> builder(&before);
    Value *update = builder.CreateLoad(monoid.type, &own);
    builder.SetInsertPoint(SplitBlockAndInsertIfThen(builder.CreateICmpNE(update, monoid.neutral()),
                                                     before.getIterator(),
                                                     /*Unreachable=*/false));
    builder.CreateAtomicRMW(monoid.operation, &reducer, update, MaybeAlign(), AtomicOrdering::Monotonic);
  }

  AllocaInst *createVariable(Constant &value, const char *name) {
    IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
    AllocaInst *variable = builder.CreateAlloca(value.getType(), nullptr, name);
    builder.CreateStore(&value, variable);
    return variable;
  }

  /// Collects updates in a variable, and applies them where the function returns. If the function may get to a lookup
  /// with several reducers, such as elements of an array, the variable is for one of them at a time.
  void collect(Value &reducer, Updates &updates) {
    const Monoid &monoid = updates.monoid;
    AllocaInst *own = createVariable(*monoid.neutral(), "own"), *current = nullptr;
    auto *computed = dyn_cast<Instruction>(&reducer);
    if (computed && !isa<AllocaInst>(computed))
      current = createVariable(*Constant::getNullValue(reducer.getType()), "current");
    for (CallBase *lookup : updates.lookups) {
      if (current) {
        IRBuilder<> builder(lookup);
        Value *last = builder.CreateLoad(reducer.getType(), current);
        Value *isOther = builder.CreateICmpNE(last, &reducer);
        Instruction *change = SplitBlockAndInsertIfThen(isOther, lookup->getIterator(), /*Unreachable=*/false);
        apply(monoid, *own, *last, *change);
        builder.SetInsertPoint(change);
        builder.CreateStore(monoid.neutral(), own);
        builder.CreateStore(&reducer, current);
      }
      lookup->replaceAllUsesWith(own);
      lookup->eraseFromParent();
    }
    inlineUpdatesOf(*own, monoid);
    for (ReturnInst *result : returns) {
      IRBuilder<> builder(result);
      Value *last = current ? builder.CreateLoad(reducer.getType(), current) : &reducer;
      apply(monoid, *own, *last, *result);
    }
  }

  Function &function;
  SmallVector<ReturnInst *> returns;
  MapVector<Value *, Updates> byReducer;
};

} // namespace

void cilk2gpu::updateReducersInPlace(Module &program) {
  forgetActivations(program);
  Function *lookup = program.getFunction(kHyperLookup);
  if (!lookup)
    return;
  Monoids monoids;
  SmallVector<Function *> functions; // the analysis adds some for a while
  for (Function &function : program)
    if (!function.isDeclaration())
      functions.push_back(&function);
  for (Function *function : functions)
    InPlaceUpdates(*function, monoids).rewrite();
}
