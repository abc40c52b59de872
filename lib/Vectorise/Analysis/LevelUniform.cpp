// See LevelUniform.h.
#include "LevelUniform.h"

#include "Elementwise.h"

#include "cilk2gpu/Vectorise/LaneAttributes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OperationSupport.h"
#include <map>

using namespace mlir;
using namespace cilk2gpu;

namespace {

/// The fields of one kernel's element, by number, and the values that its spawns of the same task give them.
class Fields {
public:
  explicit Fields(LLVM::LLVMFuncOp kernel);

  /// Removes fields until each remaining field depends only on remaining fields.
  void reduce();
  SmallVector<lane::DeqOp> left() const;

private:
  bool isHandedOn(unsigned field) const;
  bool isFunctionOfFields(Value value, unsigned depth = 0) const;
  bool isSameFunction(Value a, Value b, unsigned depth = 0) const;

  std::map<unsigned, SmallVector<lane::DeqOp>> fetched;
  SmallVector<lane::SpawnOp> spawns;
};

} // namespace

static constexpr unsigned kDeepest = 8; ///< longest chain of operations that is followed

/// Returns the number of the kernel's own task among the targets that it spawns, or nothing.
static std::optional<unsigned> ownTarget(LLVM::LLVMFuncOp kernel) {
  unsigned number;
  if (ArrayAttr attributes = kernel.getPassthroughAttr())
    for (Attribute attribute : attributes)
      if (auto pair = dyn_cast<ArrayAttr>(attribute))
        if (cast<StringAttr>(pair[0]).getValue() == lane::kOwnTargetAttr &&
            !cast<StringAttr>(pair[1]).getValue().getAsInteger(10, number))
          return number;
  return std::nullopt;
}

/// Returns true if memory is loaded from a pointer, or from the array at it. For example, an accumulator's address is
/// only passed on.
static bool isLoadedFrom(Value pointer) {
  return isa<LLVM::LLVMPointerType>(pointer.getType()) && llvm::any_of(pointer.getUsers(), [](Operation *user) {
           auto gep = dyn_cast<LLVM::GEPOp>(user);
           return isa<LLVM::LoadOp>(user) ||
                  (gep && llvm::any_of(gep->getUsers(), [](Operation *next) { return isa<LLVM::LoadOp>(next); }));
         });
}

/// Returns true if a number is the offset of a destination, which is also only passed on.
static bool isDestination(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) { return isa<lane::DestinationOp>(user); });
}

Fields::Fields(LLVM::LLVMFuncOp kernel) {
  std::optional<unsigned> own = ownTarget(kernel);
  kernel.walk([&](lane::DeqOp deq) {
    bool isNumber = deq.getType().isInteger();
    if (isNumber ? !isDestination(deq) : isLoadedFrom(deq))
      fetched[deq.getField()].push_back(deq);
  });
  kernel.walk([&](lane::SpawnOp spawn) {
    if (own == spawn.getTarget())
      spawns.push_back(spawn);
  });
  if (spawns.empty())
    fetched.clear();
}

bool Fields::isFunctionOfFields(Value value, unsigned depth) const {
  Operation *op = value.getDefiningOp();
  if (!op || depth > kDeepest)
    return false;
  if (auto deq = dyn_cast<lane::DeqOp>(op))
    return fetched.count(deq.getField());
  return isElementwise(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return isFunctionOfFields(operand, depth + 1); });
}

bool Fields::isSameFunction(Value a, Value b, unsigned depth) const {
  if (a == b)
    return true;
  Operation *left = a.getDefiningOp(), *right = b.getDefiningOp();
  return left && right && depth <= kDeepest &&
         OperationEquivalence::isEquivalentTo(
             left, right, [&](Value x, Value y) { return success(isSameFunction(x, y, depth + 1)); },
             /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

bool Fields::isHandedOn(unsigned field) const {
  lane::SpawnOp first = spawns.front();
  return llvm::all_of(spawns, [&](lane::SpawnOp spawn) {
    Value value = spawn.getValues()[field];
    return isFunctionOfFields(value) && isSameFunction(value, first.getValues()[field]);
  });
}

void Fields::reduce() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = fetched.begin(); it != fetched.end();) {
      bool stays = isHandedOn(it->first);
      changed |= !stays;
      it = stays ? std::next(it) : fetched.erase(it);
    }
  }
}

SmallVector<lane::DeqOp> Fields::left() const {
  SmallVector<lane::DeqOp> ops;
  for (auto &[number, each] : fetched)
    llvm::append_range(ops, each);
  return ops;
}

SmallVector<lane::DeqOp> cilk2gpu::findLevelUniformFields(LLVM::LLVMFuncOp kernel) {
  Fields fields(kernel);
  fields.reduce();
  return fields.left();
}

bool cilk2gpu::isWorthAgreeing(LLVM::LLVMFuncOp kernel, const Divergence &general, const Divergence &agreed,
                               const PrivateArrays &arrays) {
  auto gains = [&](Value value) { return general.varies(value) && !agreed.varies(value); };
  return kernel
      .walk([&](Operation *op) {
        if (auto loop = dyn_cast<scf::WhileOp>(op); loop && gains(loop.getConditionOp().getCondition()))
          return WalkResult::interrupt();
        if (auto gep = dyn_cast<LLVM::GEPOp>(op);
            gep && arrays.baseOf(gep.getBase()) && llvm::any_of(gep.getDynamicIndices(), gains))
          return WalkResult::interrupt();
        if (auto load = dyn_cast<LLVM::LoadOp>(op);
            load && gains(load.getAddr()) && !arrays.baseOf(load.getAddr()) && load->getParentOfType<scf::WhileOp>())
          return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}
