// See Destinations.h.
#include "Destinations.h"

#include "Paths.h"
#include "Updates.h"

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::cilk;

bool cilk2gpu::cilk::isAlignedLocal(Value address, Type type) {
  Type pointee;
  if (auto element = address.getDefiningOp<LLVM::GEPOp>()) {
    auto array = dyn_cast<LLVM::LLVMArrayType>(element.getElemType());
    pointee = array ? array.getElementType() : element.getElemType();
    address = element.getBase();
  }
  auto local = address.getDefiningOp<LLVM::AllocaOp>();
  if (!local)
    return false;
  auto array = dyn_cast<LLVM::LLVMArrayType>(local.getElemType());
  return (pointee ? pointee : local.getElemType()) == type &&
         (local.getElemType() == type || (array && array.getElementType() == type));
}

/// Returns true if a use of a local's address keeps the address within the function.
static bool keepsToItself(OpOperand &use, SymbolTable &symbols) {
  return keepsAddress(use, symbols) || isa<LLVM::MemsetOp, LLVM::MemcpyOp, LLVM::MemmoveOp, LLVM::LifetimeStartOp,
                                           LLVM::LifetimeEndOp, LLVM::DbgDeclareOp, LLVM::DbgValueOp>(use.getOwner());
}

bool cilk2gpu::cilk::isUnsharedLocal(Value address, SpawnOp spawn, SymbolTable &symbols) {
  Points here;
  here.add(spawn.getOperation());
  while (auto element = address.getDefiningOp<LLVM::GEPOp>())
    address = element.getBase();
  if (!address.getDefiningOp<LLVM::AllocaOp>())
    return false;
  SmallVector<Value> pointers{address};
  while (!pointers.empty())
    for (OpOperand &use : pointers.pop_back_val().getUses()) {
      if (isa<LLVM::GEPOp>(use.getOwner()))
        pointers.push_back(use.getOwner()->getResult(0));
      else if (!keepsToItself(use, symbols) && (use.getOwner() == spawn || reaches(use, here, Points())))
        return false;
    }
  return true;
}
