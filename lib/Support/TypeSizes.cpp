#include "cilk2gpu/Support/TypeSizes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace cilk2gpu;

uint64_t cilk2gpu::allocSize(const DataLayout &dataLayout, Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return array.getNumElements() * allocSize(dataLayout, array.getElementType());
  if (auto record = dyn_cast<LLVM::LLVMStructType>(type)) {
    uint64_t size = 0, align = 1;
    for (Type member : record.getBody()) {
      uint64_t own = record.isPacked() ? 1 : dataLayout.getTypeABIAlignment(member);
      size = llvm::alignTo(size, own) + allocSize(dataLayout, member);
      align = std::max(align, own);
    }
    return llvm::alignTo(size, align);
  }
  return llvm::alignTo(dataLayout.getTypeSize(type).getFixedValue(), dataLayout.getTypeABIAlignment(type));
}

uint64_t cilk2gpu::storeSize(const DataLayout &dataLayout, Type type) {
  return isa<LLVM::LLVMArrayType, LLVM::LLVMStructType>(type) ? allocSize(dataLayout, type)
                                                              : dataLayout.getTypeSize(type).getFixedValue();
}

uint64_t cilk2gpu::columnSize(const DataLayout &dataLayout, Type type) {
  uint64_t size = storeSize(dataLayout, type);
  return isa<IntegerType>(type) && size <= 8 ? llvm::PowerOf2Ceil(size) : size;
}

bool cilk2gpu::coversMemory(const DataLayout &dataLayout, Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return coversMemory(dataLayout, array.getElementType());
  // To MLIR, a vector of three elements has the size of four.
  if (auto vector = dyn_cast<VectorType>(type))
    return coversMemory(dataLayout, vector.getElementType()) &&
           vector.getNumElements() * allocSize(dataLayout, vector.getElementType()) == allocSize(dataLayout, type);
  auto record = dyn_cast<LLVM::LLVMStructType>(type);
  if (!record)
    return dataLayout.getTypeSizeInBits(type).getFixedValue() == 8 * allocSize(dataLayout, type);
  uint64_t members = 0;
  for (Type member : record.getBody()) {
    if (!coversMemory(dataLayout, member))
      return false;
    members += allocSize(dataLayout, member);
  }
  return members == allocSize(dataLayout, type);
}

Type cilk2gpu::withoutPadding(const DataLayout &dataLayout, Type type) {
  if (coversMemory(dataLayout, type))
    return type;
  uint64_t bytes = allocSize(dataLayout, type), align = dataLayout.getTypeABIAlignment(type);
  uint64_t word = llvm::MinAlign(bytes, align < 16 ? 8 : 16);
  return LLVM::LLVMArrayType::get(IntegerType::get(type.getContext(), 8 * word), bytes / word);
}
