// See SplitLocals.h. LLVM does the same for other locals, but not for those whose addresses a spawn takes.
#include "SplitLocals.h"

#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "cilk2gpu/Support/Displacement.h"
#include "cilk2gpu/Support/TypeSizes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

#include <map>
#include <numeric>

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::cilk;

namespace {

/// A part of a local: what is stored and loaded there, and the operands that have its address.
struct Part {
  Type type;
  SmallVector<OpOperand *> uses;
};

/// The parts of one local, by their distances from its start in bytes.
class Parts {
public:
  explicit Parts(const DataLayout &layout) : layout(layout) {}

  /// Collects all uses of an address of the local. Returns false if one of them is no access of a part.
  bool collect(Value address, int64_t distance) {
    return llvm::all_of(address.getUses(), [&](OpOperand &use) {
      if (auto step = dyn_cast<LLVM::GEPOp>(use.getOwner()))
        return use.getOperandNumber() == 0 && collectStep(step, distance);
      Type type = accessedType(use);
      if (!type)
        return false;
      hasSpawn |= isa<SpawnOp>(use.getOwner());
      Part &part = parts[distance];
      part.uses.push_back(&use);
      bool isSame = !part.type || part.type == type;
      part.type = type;
      return isSame;
    });
  }

  /// Returns true if a child's result goes to a part, and no part overlaps another or the end of the local.
  bool areSeparate(int64_t bytes) const {
    int64_t end = 0;
    for (auto &[distance, part] : parts) {
      if (distance < end)
        return false;
      end = distance + int64_t(storeSize(layout, part.type));
    }
    return hasSpawn && end <= bytes;
  }

  const std::map<int64_t, Part> &get() const { return parts; }

private:
  bool collectStep(LLVM::GEPOp step, int64_t distance) {
    std::optional<SmallVector<AddressTerm>> terms = displacement(step, layout);
    if (!terms || llvm::any_of(*terms, [](const AddressTerm &term) { return term.index; }))
      return false;
    for (const AddressTerm &term : *terms)
      distance += term.stride;
    return distance >= 0 && collect(step, distance);
  }

  /// Returns the type of what an operation reads or writes at the address `use`; null if it does something else with
  /// the address.
  static Type accessedType(OpOperand &use) {
    Operation *op = use.getOwner();
    if (auto spawn = dyn_cast<SpawnOp>(op)) {
      bool isDest = spawn.getDest() && &use == &spawn.getDestMutable()[0];
      return isDest && spawn.getResultType() ? *spawn.getResultType() : Type();
    }
    auto isPlain = [](auto access) {
      return !access.getVolatile_() && access.getOrdering() == LLVM::AtomicOrdering::not_atomic;
    };
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      return isPlain(load) ? load.getType() : Type();
    auto store = dyn_cast<LLVM::StoreOp>(op);
    return store && use.get() != store.getValue() && isPlain(store) ? store.getValue().getType() : Type();
  }

  const DataLayout &layout;
  std::map<int64_t, Part> parts;
  bool hasSpawn = false;
};

bool isOne(Value value) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) && constant.isOne();
}

void split(LLVM::AllocaOp local, const DataLayout &layout) {
  Parts parts(layout);
  bool isAggregate = isa<LLVM::LLVMArrayType, LLVM::LLVMStructType>(local.getElemType());
  if (!isAggregate || !isOne(local.getArraySize()) || !parts.collect(local, 0) ||
      !parts.areSeparate(int64_t(allocSize(layout, local.getElemType()))))
    return;
  OpBuilder builder(local);
  uint64_t alignment = local.getAlignment().value_or(layout.getTypeABIAlignment(local.getElemType()));
  for (auto &[distance, part] : parts.get()) {
    auto own = LLVM::AllocaOp::create(builder, local.getLoc(), local.getType(), part.type, local.getArraySize(),
                                      unsigned(std::gcd(alignment, uint64_t(distance))));
    for (OpOperand *use : part.uses)
      use->set(own);
  }
}

} // namespace

void cilk2gpu::cilk::splitLocals(LLVM::LLVMFuncOp task, const DataLayout &layout) {
  for (auto local : llvm::make_early_inc_range(task.getBody().front().getOps<LLVM::AllocaOp>()))
    split(local, layout);
}
