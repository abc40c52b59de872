// Replaces loads of references by the addresses that were stored there. Clang's unoptimised code keeps a reference in a
// variable, and a lambda's captures in members of its object:
//
//   auto f = [&](int i) { v[i] = n; };       store ptr %n, ptr %f.0; store ptr %v, ptr %f.1
//   cilk_for (int i = 0; i < n; i++) f(i);   %r = load ptr, ptr %f.0; load i32, ptr %r   ->   load i32, ptr %n
//
// Behind the references, the captured variables look as if their addresses were known elsewhere, so that every
// iteration would load them again from the parent's frame. Without the references, they are passed by value
// (Captures.cpp).
//
// A load is replaced if the bytes that it loads have one store in the whole function, or a copy of such bytes. The
// stored address must be the same at all times: that of a variable, a global or a parameter, or of a part of one.
// A load that runs before the store has no defined value.
//
// LLVM's passes (SROA, mem2reg) cannot do this here, because they would also turn variables into values that tasks
// share.
#include "References.h"

#include "Extract.h"
#include "ImportPasses.h"
#include "Variables.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// An access of a variable at a place that is known.
struct Access {
  Instruction *inst;
  int64_t offset; ///< in bytes, from the start of the variable
  uint64_t size;  ///< in bytes
};

/// The accesses of a variable whose address only serves them.
class Variable {
public:
  explicit Variable(AllocaInst &storage);

  SmallVector<Access> loads, writes;
  bool escapes = false; ///< there are other uses

  /// Returns true if no code reads the variable.
  bool isUnread() const { return !escapes && loads.empty(); }
  void erase();

private:
  void add(Instruction &user, const Use &use, int64_t offset);

  AllocaInst &storage;
  SmallVector<Instruction *> others; ///< addresses and marks
};

/// An address that is the same at all times.
struct Address {
  Value *base = nullptr; ///< null: unknown
  int64_t offset = 0;    ///< in bytes
};

using VariableSet = SmallPtrSet<const AllocaInst *, 16>;

/// The variables of a function, as they are before the function is changed.
class Variables {
public:
  explicit Variables(Function &function);

  /// Replaces loads, and adds the variables that held their addresses to `resolved`. Returns false if nothing changed.
  bool replaceLoads(VariableSet &resolved);
  /// Erases the variables among `resolved` that are not read. Returns false if nothing changed.
  bool eraseUnread(const VariableSet &resolved);

private:
  static constexpr unsigned kMostSteps = 16; ///< from copy to copy
  Address storedAt(AllocaInst &alloca, int64_t offset, VariableSet &resolved, unsigned steps = 0) const;
  bool replace(LoadInst &load, const Address &address) const;

  const DataLayout &layout;
  MapVector<AllocaInst *, Variable> variables;
};

} // namespace

Variable::Variable(AllocaInst &storage) : storage(storage) {
  SmallVector<std::pair<Value *, int64_t>> pointers = {{&storage, 0}};
  const DataLayout &layout = storage.getDataLayout();
  while (!pointers.empty() && !escapes) {
    auto [pointer, offset] = pointers.pop_back_val();
    for (const Use &use : pointer->uses()) {
      auto *inst = cast<Instruction>(use.getUser());
      auto *address = dyn_cast<GetElementPtrInst>(inst);
      APInt more(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
      if (address && use.getOperandNo() == 0 && address->accumulateConstantOffset(layout, more)) {
        others.push_back(address);
        pointers.push_back({address, offset + more.getSExtValue()});
      } else {
        add(*inst, use, offset);
      }
    }
  }
}

void Variable::add(Instruction &user, const Use &use, int64_t offset) {
  const DataLayout &layout = storage.getDataLayout();
  auto *mark = dyn_cast<IntrinsicInst>(&user);
  if ((mark && mark->isLifetimeStartOrEnd()) || isVariableMark(user)) {
    others.push_back(&user);
  } else if (auto *load = dyn_cast<LoadInst>(&user); load && load->isSimple()) {
    loads.push_back({load, offset, layout.getTypeStoreSize(load->getType())});
  } else if (auto *store = dyn_cast<StoreInst>(&user);
             store && store->isSimple() && use.getOperandNo() == StoreInst::getPointerOperandIndex()) {
    writes.push_back({store, offset, layout.getTypeStoreSize(store->getValueOperand()->getType())});
  } else if (auto *copy = dyn_cast<MemTransferInst>(&user);
             copy && !copy->isVolatile() && isa<ConstantInt>(copy->getLength()) && use.getOperandNo() < 2) {
    uint64_t size = cast<ConstantInt>(copy->getLength())->getZExtValue();
    (use.getOperandNo() == 0 ? writes : loads).push_back({copy, offset, size});
  } else {
    escapes = true;
  }
}

/// Erases an unread variable with all its uses.
void Variable::erase() {
  for (const Access &write : writes)
    write.inst->eraseFromParent();
  for (Instruction *other : reverse(others))
    other->eraseFromParent();
  storage.eraseFromParent();
}

/// Returns an address if it is the same whenever it is computed.
static Address constantAddress(Value *pointer, const DataLayout &layout) {
  APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/false);
  auto *alloca = dyn_cast<AllocaInst>(base);
  bool isConstant = isa<Argument, GlobalValue>(base) || (alloca && alloca->isStaticAlloca());
  return isConstant ? Address{base, offset.getSExtValue()} : Address{};
}

Variables::Variables(Function &function) : layout(function.getDataLayout()) {
  for (Instruction &inst : function.getEntryBlock())
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && alloca->isStaticAlloca())
      variables.try_emplace(alloca, *alloca);
}

/// Returns the address that a variable has at the offset.
Address Variables::storedAt(AllocaInst &alloca, int64_t offset, VariableSet &resolved, unsigned steps) const {
  auto found = variables.find(&alloca);
  if (found == variables.end() || found->second.escapes || steps == kMostSteps)
    return {};
  int64_t end = offset + int64_t(layout.getPointerSize());
  const Access *only = nullptr;
  for (const Access &write : found->second.writes) {
    int64_t endOfWrite = write.offset + int64_t(write.size);
    if (write.offset >= end || endOfWrite <= offset)
      continue;
    if (only || write.offset > offset || endOfWrite < end)
      return {};
    only = &write;
  }
  if (!only)
    return {};
  resolved.insert(&alloca);
  if (auto *store = dyn_cast<StoreInst>(only->inst)) {
    Value *value = store->getValueOperand();
    return value->getType()->isPointerTy() && only->offset == offset ? constantAddress(value, layout) : Address{};
  }
  Address source = constantAddress(cast<MemTransferInst>(only->inst)->getSource(), layout);
  auto *from = dyn_cast_or_null<AllocaInst>(source.base);
  return from ? storedAt(*from, source.offset + offset - only->offset, resolved, steps + 1) : Address{};
}

/// Replaces a load by the address. Returns false if it cannot.
bool Variables::replace(LoadInst &load, const Address &address) const {
  if (!address.base || address.base->getType() != load.getType())
    return false;
  IRBuilder<> builder(&load);
  Value *value = address.base;
  if (address.offset)
    value = builder.CreateInBoundsGEP(builder.getInt8Ty(), value, builder.getInt64(address.offset));
  load.replaceAllUsesWith(value);
  load.eraseFromParent();
  return true;
}

bool Variables::replaceLoads(VariableSet &resolved) {
  bool changed = false;
  for (auto &[alloca, variable] : variables)
    for (const Access &access : variable.escapes ? ArrayRef<Access>() : variable.loads) {
      auto *load = dyn_cast<LoadInst>(access.inst);
      if (load && load->getType()->isPointerTy())
        changed |= replace(*load, storedAt(*alloca, access.offset, resolved));
    }
  return changed;
}

bool Variables::eraseUnread(const VariableSet &resolved) {
  bool changed = false;
  for (auto &[alloca, variable] : variables)
    if (resolved.contains(alloca) && variable.isUnread()) {
      variable.erase();
      changed = true;
    }
  return changed;
}

bool cilk2gpu::resolveReferences(Function &function) {
  VariableSet resolved;
  bool changed = false;
  // A variable whose address stands in another variable escapes until the other one is erased.
  while (Variables(function).replaceLoads(resolved)) {
    changed = true;
    while (Variables(function).eraseUnread(resolved)) {
    }
  }
  return changed;
}

bool ResolveReferencesPass::runOn(Module &module, Module &) {
  for (Function *task : findGraphFunctions(module))
    if (!task->hasOptNone())
      resolveReferences(*task);
  return true;
}
