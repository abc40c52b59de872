// See PrivateArrays.h.
#include "PrivateArrays.h"

#include "cilk2gpu/Support/Displacement.h"
#include "cilk2gpu/Support/TypeSizes.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace cilk2gpu;

PrivateArrays::PrivateArrays(LLVM::LLVMFuncOp func, const DataLayout &dataLayout) : dataLayout(dataLayout) {
  func.walk([&](LLVM::AllocaOp local) {
    Array array;
    if (collect(local, array))
      arrays[local] = array;
  });
  unifyCopies(func);
}

const PrivateArrays::Array *PrivateArrays::find(LLVM::AllocaOp local) const {
  auto it = arrays.find(local);
  return it == arrays.end() ? nullptr : &it->second;
}

LLVM::AllocaOp PrivateArrays::baseOf(Value pointer) const {
  while (auto gep = pointer.getDefiningOp<LLVM::GEPOp>())
    pointer = gep.getBase();
  auto local = pointer.getDefiningOp<LLVM::AllocaOp>();
  return local && find(local) ? local : LLVM::AllocaOp();
}

bool PrivateArrays::collect(LLVM::AllocaOp local, Array &array) {
  APInt count;
  if (!matchPattern(local.getArraySize(), m_ConstantInt(&count)))
    return false;
  array.size = allocSize(dataLayout, local.getElemType()) * count.getZExtValue();
  if (array.size == 0)
    return false;
  array.granule = std::gcd(array.granule, array.size);
  SmallVector<Value> work{local.getResult()};
  while (!work.empty())
    for (OpOperand &use : work.pop_back_val().getUses()) {
      if (!collectUse(use, array))
        return false;
      if (isa<LLVM::GEPOp>(use.getOwner()))
        work.push_back(use.getOwner()->getResult(0));
    }
  return true;
}

bool PrivateArrays::collectUse(OpOperand &use, Array &array) {
  auto access = [&](Type type, LLVM::AtomicOrdering ordering, bool isVolatile) {
    uint64_t size = storeSize(dataLayout, type);
    array.granule = std::gcd(array.granule, size);
    return ordering == LLVM::AtomicOrdering::not_atomic && !isVolatile && llvm::isPowerOf2_64(size) && size <= 8 &&
           dataLayout.getTypeSizeInBits(type) == size * 8;
  };
  auto copy = [&](Value length, bool isVolatile) {
    APInt bytes;
    if (isVolatile || !matchPattern(length, m_ConstantInt(&bytes)))
      return false;
    array.granule = std::gcd(array.granule, bytes.getZExtValue());
    return true;
  };
  return TypeSwitch<Operation *, bool>(use.getOwner())
      .Case([&](LLVM::LoadOp op) { return access(op.getType(), op.getOrdering(), op.getVolatile_()); })
      .Case([&](LLVM::StoreOp op) {
        return use.getOperandNumber() == 1 && access(op.getValue().getType(), op.getOrdering(), op.getVolatile_());
      })
      .Case([&](LLVM::GEPOp op) {
        auto terms = isa<VectorType>(op.getType()) ? std::nullopt : displacement(op, dataLayout);
        if (!terms || use.getOperandNumber() != 0)
          return false;
        for (const AddressTerm &term : *terms)
          array.granule = std::gcd(array.granule, uint64_t(std::abs(term.stride)));
        return true;
      })
      .Case([&](LLVM::MemcpyOp op) { return copy(op.getLen(), op.getIsVolatile()); })
      .Case([&](LLVM::MemsetOp op) { return copy(op.getLen(), op.getIsVolatile()); })
      .Default([](Operation *) { return false; });
}

/// Gives arrays that are copied into each other elements of the same size. An array that is copied into itself is
/// removed.
void PrivateArrays::unifyCopies(LLVM::LLVMFuncOp func) {
  for (bool changed = true; changed;) {
    changed = false;
    func.walk([&](LLVM::MemcpyOp op) {
      LLVM::AllocaOp from = baseOf(op.getSrc()), to = baseOf(op.getDst());
      if (!from || !to)
        return;
      if (from == to) {
        arrays.erase(from);
        changed = true;
        return;
      }
      Array &a = arrays[from], &b = arrays[to];
      changed |= a.granule != b.granule;
      a.granule = b.granule = std::gcd(a.granule, b.granule);
    });
  }
}
