// See Displacement.h.
#include "cilk2gpu/Support/Displacement.h"
#include "cilk2gpu/Support/TypeSizes.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cilk2gpu;

std::optional<SmallVector<AddressTerm>> cilk2gpu::displacement(LLVM::GEPOp gep, const DataLayout &dataLayout) {
  SmallVector<AddressTerm> terms;
  Type type = gep.getElemType();
  auto add = [&](LLVM::GEPIndicesAdaptor<ValueRange>::value_type index, int64_t stride) {
    auto value = dyn_cast<Value>(index);
    APInt constant;
    if (!value)
      terms.push_back({Value(), cast<IntegerAttr>(index).getInt() * stride});
    else if (matchPattern(value, m_ConstantInt(&constant)))
      terms.push_back({Value(), constant.getSExtValue() * stride});
    else
      terms.push_back({value, stride});
  };
  for (auto [number, index] : llvm::enumerate(gep.getIndices())) {
    if (number == 0) {
      add(index, allocSize(dataLayout, type));
    } else if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
      type = array.getElementType();
      add(index, allocSize(dataLayout, type));
    } else if (auto record = dyn_cast<LLVM::LLVMStructType>(type)) {
      int64_t member = cast<IntegerAttr>(index).getInt(), at = 0;
      for (int64_t i = 0; i <= member; ++i) {
        Type each = record.getBody()[i];
        at = llvm::alignTo(at, record.isPacked() ? 1 : dataLayout.getTypeABIAlignment(each));
        if (i < member)
          at += allocSize(dataLayout, each);
      }
      terms.push_back({Value(), at});
      type = record.getBody()[member];
    } else {
      return std::nullopt;
    }
  }
  return terms;
}
