// Leaves a hook at each use of a reducer, for the race detector. A read of the value races with updates in parallel
// strands: what it finds depends on which views have been reduced. An update is no race.
//
//   long n = sum;               a read
//   sum += 2;                   an update
//   if (best < n) best = n;     an update: what is read only decides what the view becomes
//   slot = n;                   an assignment: a later read of the same view, by the same task, is no race
//   r.get_value(); r.set_value(n)   a read; a new value, which races with updates, too
#include "InstrumentPasses.h"
#include "RaceNames.h"
#include "Sites.h"

#include "cilk2gpu/Support/ReducerMarks.h"
#include "cilk2gpu/abi/RaceHooks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace cilk2gpu;

static constexpr StringLiteral kHook = "__cilk2gpu_race_view";

namespace {

/// Returns true if two keys are computed in the same way, as in unoptimised code of one function.
bool isSameKey(Value *one, Value *other, unsigned depth = 0) {
  auto *left = dyn_cast<Instruction>(one), *right = dyn_cast<Instruction>(other);
  if (one == other || !left || !right || isa<AllocaInst>(left) || depth > 8)
    return one == other;
  return left->isSameOperationAs(right) && all_of(zip(left->operands(), right->operands()), [&](auto operands) {
           auto [a, b] = operands;
           return isSameKey(a, b, depth + 1);
         });
}

bool isLookup(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee && (callee->getName() == kHyperLookup || callee->getName() == kReducerLookupInC);
}

/// What becomes of a value that was loaded from a view.
struct Flow {
  bool reachesView = false;   ///< it decides what is stored to the same reducer
  bool reachesBranch = false; ///< it decides what code runs
};

/// Classifies the lookups of one function.
class ViewUses {
public:
  explicit ViewUses(Function &function) {
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst); call && isLookup(*call))
        lookups.push_back(call);
  }

  ArrayRef<CallBase *> getLookups() const { return lookups; }
  unsigned kindOf(CallBase *lookup) const;

private:
  static bool onlyLoads(CallBase *lookup) {
    return !lookup->use_empty() && all_of(lookup->users(), [](User *user) { return isa<LoadInst>(user); });
  }
  static bool onlyStores(CallBase *lookup) {
    return !lookup->use_empty() && all_of(lookup->uses(), [](Use &use) {
      return isa<StoreInst>(use.getUser()) && use.getOperandNo() == StoreInst::getPointerOperandIndex();
    });
  }
  bool isViewOf(Value *address, Value *key) const {
    return any_of(lookups,
                  [&](CallBase *lookup) { return lookup == address && isSameKey(lookup->getArgOperand(0), key); });
  }
  Flow flowOf(CallBase *lookup) const;
  bool isWrittenBehind(CallBase *lookup) const;

  SmallVector<CallBase *> lookups;
};

} // namespace

Flow ViewUses::flowOf(CallBase *lookup) const {
  Flow flow;
  SmallSetVector<Value *, 16> values;
  for (User *load : lookup->users())
    values.insert(load);
  for (unsigned i = 0; i < values.size(); ++i)
    for (User *user : values[i]->users()) {
      auto *store = dyn_cast<StoreInst>(user);
      if (!store) {
        flow.reachesBranch |= isa<BranchInst, SwitchInst>(user);
        values.insert(user);
      } else if (store->getValueOperand() == values[i]) {
        flow.reachesView |= isViewOf(store->getPointerOperand(), lookup->getArgOperand(0));
        if (auto *local = dyn_cast<AllocaInst>(getUnderlyingObject(store->getPointerOperand())))
          for (User *access : local->users())
            if (isa<LoadInst>(access))
              values.insert(access);
      }
    }
  return flow;
}

/// Returns true if the reducer may be written behind the lookup, in the same function.
bool ViewUses::isWrittenBehind(CallBase *lookup) const {
  SmallSetVector<BasicBlock *, 16> blocks;
  auto isWriteIn = [&](BasicBlock::iterator first, BasicBlock *block) {
    return any_of(make_range(first, block->end()), [&](Instruction &inst) {
      auto *call = dyn_cast<CallBase>(&inst);
      return call && isLookup(*call) && !onlyLoads(call) && isSameKey(call->getArgOperand(0), lookup->getArgOperand(0));
    });
  };
  if (isWriteIn(std::next(lookup->getIterator()), lookup->getParent()))
    return true;
  blocks.insert_range(successors(lookup->getParent()));
  for (unsigned i = 0; i < blocks.size(); ++i) {
    if (isWriteIn(blocks[i]->begin(), blocks[i]))
      return true;
    blocks.insert_range(successors(blocks[i]));
  }
  return false;
}

unsigned ViewUses::kindOf(CallBase *lookup) const {
  if (onlyStores(lookup))
    return kCilk2gpuViewAssigned;
  if (!onlyLoads(lookup))
    return kCilk2gpuViewUpdated;
  Flow flow = flowOf(lookup);
  bool isUpdate = flow.reachesView || (flow.reachesBranch && isWrittenBehind(lookup));
  return isUpdate ? kCilk2gpuViewUpdated : kCilk2gpuViewRead;
}

/// Returns the use by a member function of the reducers of <cilk/reducer.h> and the headers beside it. Returns nothing
/// for constructors, destructors and other functions.
static std::optional<unsigned> useByMember(const Function &function) {
  if (!function.getName().starts_with("_ZN4cilk") && !function.getName().starts_with("_ZNK4cilk"))
    return std::nullopt;
  std::string mangled = function.getName().str();
  ItaniumPartialDemangler name;
  if (name.partialDemangle(mangled.c_str()) || !name.isFunction() || name.isCtorOrDtor())
    return std::nullopt;
  auto text = [](char *made) {
    std::string result = made ? made : "";
    free(made);
    return result;
  };
  if (!StringRef(text(name.getFunctionDeclContextName(nullptr, nullptr))).starts_with("cilk::reducer"))
    return std::nullopt;
  std::string member = text(name.getFunctionBaseName(nullptr, nullptr));
  if (is_contained({"get_value", "get_reference", "move_out"}, member))
    return kCilk2gpuViewRead;
  return is_contained({"set_value", "move_in"}, member) ? kCilk2gpuViewSet : kCilk2gpuViewUpdated;
}

namespace {

/// Inserts the hooks of one module.
class ViewMarker {
public:
  explicit ViewMarker(Module &module)
      : module(module), sites(module), pointer(PointerType::get(module.getContext(), 0)) {}

  void run(Function &function) {
    ViewUses uses(function);
    for (CallBase *lookup : uses.getLookups())
      if (auto *call = dyn_cast<CallInst>(lookup))
        insert(function, *call, call->getNextNode(), call, uses.kindOf(call));
    SmallVector<std::pair<CallBase *, unsigned>> members;
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst); call && call->getCalledFunction())
        if (std::optional<unsigned> kind = useByMember(*call->getCalledFunction()))
          members.emplace_back(call, *kind);
    for (auto [call, kind] : members)
      insert(function, *call, call, ConstantPointerNull::get(pointer), kind);
  }

private:
  /// Calls the hook for a use by `call`, whose first argument is the reducer.
  void insert(Function &function, CallBase &call, Instruction *before, Value *view, unsigned kind) {
    Value *key = call.getArgOperand(call.hasStructRetAttr() ? 1 : 0);
    IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    Constant *record =
        sites.makeAccess(sites.placeOf(function, call.getDebugLoc()), kCilk2gpuViewAccess, nameOfMemory(key));
    Type *none = builder.getVoidTy(), *i32 = builder.getInt32Ty();
    FunctionCallee hook = module.getOrInsertFunction(kHook, none, pointer, pointer, i32, pointer);
    if (auto *declaration = dyn_cast<Function>(hook.getCallee()))
      declaration->setDoesNotThrow();
    builder.CreateCall(hook, {key, view, builder.getInt32(kind), record});
  }

  Module &module;
  Sites sites;
  PointerType *pointer;
};

} // namespace

PreservedAnalyses MarkViewsPass::run(Module &module, ModuleAnalysisManager &) {
  if (module.getFunction(kHook))
    return PreservedAnalyses::all(); // the pass may run twice
  ViewMarker marker(module);
  for (Function &function : module)
    if (!function.isDeclaration() && !useByMember(function) && function.getName() != kReducerLookupInC)
      marker.run(function);
  return PreservedAnalyses::none();
}
