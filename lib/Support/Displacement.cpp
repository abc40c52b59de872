// See Displacement.h.
#include "cilk2gpu/Support/Displacement.h"
#include "cilk2gpu/Support/TypeSizes.h"

#include "mlir/IR/Matchers.h"

#include <numeric>

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

SmallVector<int64_t> cilk2gpu::followedTo(Value pointer, const DataLayout &dataLayout) {
  constexpr int64_t kLine = 64;
  constexpr size_t kMost = 2;
  SmallVector<int64_t> distances;
  auto visit = [&](auto &visit, Value address, int64_t distance) -> void {
    for (Operation *user : address.getUsers()) {
      if (isa<LLVM::LoadOp>(user)) {
        bool isNew = llvm::none_of(distances, [&](int64_t other) { return other / kLine == distance / kLine; });
        if (isNew && distances.size() < kMost)
          distances.push_back(distance);
      }
      auto gep = dyn_cast<LLVM::GEPOp>(user);
      std::optional<SmallVector<AddressTerm>> terms;
      if (gep && gep.getBase() == address)
        terms = displacement(gep, dataLayout);
      if (terms && llvm::none_of(*terms, [](const AddressTerm &term) { return bool(term.index); }))
        visit(visit, gep.getResult(),
              std::accumulate(terms->begin(), terms->end(), distance,
                              [](int64_t sum, const AddressTerm &term) { return sum + term.stride; }));
    }
  };
  if (isa<LLVM::LLVMPointerType>(pointer.getType()))
    visit(visit, pointer, 0);
  return distances;
}
