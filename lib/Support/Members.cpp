#include "cilk2gpu/Support/Members.h"

#include "cilk2gpu/Support/TypeSizes.h"

using namespace mlir;
using namespace cilk2gpu;

void cilk2gpu::forEachMember(OpBuilder &builder, Location loc, const DataLayout &dataLayout, Value value,
                             llvm::function_ref<void(Value, uint64_t)> visit) {
  auto inside = [&](int64_t index, Type type, uint64_t offset) {
    Value member = LLVM::ExtractValueOp::create(builder, loc, type, value, ArrayRef<int64_t>{index});
    forEachMember(builder, loc, dataLayout, member,
                  [&](Value part, uint64_t further) { visit(part, offset + further); });
  };
  if (auto record = dyn_cast<LLVM::LLVMStructType>(value.getType())) {
    uint64_t offset = 0;
    for (auto [index, member] : llvm::enumerate(record.getBody())) {
      offset = llvm::alignTo(offset, record.isPacked() ? 1 : dataLayout.getTypeABIAlignment(member));
      inside(index, member, offset);
      offset += allocSize(dataLayout, member);
    }
  } else if (auto array = dyn_cast<LLVM::LLVMArrayType>(value.getType())) {
    uint64_t size = allocSize(dataLayout, array.getElementType());
    for (uint64_t index = 0; index < array.getNumElements(); ++index)
      inside(index, array.getElementType(), index * size);
  } else {
    visit(value, 0);
  }
}

Value cilk2gpu::joinMembers(OpBuilder &builder, Location loc, const DataLayout &dataLayout, Type type,
                            llvm::function_ref<Value(Type, uint64_t)> get) {
  Value whole;
  auto insert = [&](int64_t index, Type member, uint64_t offset) {
    Value part = joinMembers(builder, loc, dataLayout, member,
                             [&](Type inner, uint64_t further) { return get(inner, offset + further); });
    whole = LLVM::InsertValueOp::create(builder, loc, whole, part, ArrayRef<int64_t>{index});
  };
  if (auto record = dyn_cast<LLVM::LLVMStructType>(type)) {
    whole = LLVM::PoisonOp::create(builder, loc, type);
    uint64_t offset = 0;
    for (auto [index, member] : llvm::enumerate(record.getBody())) {
      offset = llvm::alignTo(offset, record.isPacked() ? 1 : dataLayout.getTypeABIAlignment(member));
      insert(index, member, offset);
      offset += allocSize(dataLayout, member);
    }
  } else if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    whole = LLVM::PoisonOp::create(builder, loc, type);
    uint64_t size = allocSize(dataLayout, array.getElementType());
    for (uint64_t index = 0; index < array.getNumElements(); ++index)
      insert(index, array.getElementType(), index * size);
  } else {
    whole = get(type, 0);
  }
  return whole;
}

/// Returns the number of bytes up to the end of the last member.
static uint64_t coveredSize(const DataLayout &dataLayout, Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type); array && array.getNumElements())
    return (array.getNumElements() - 1) * allocSize(dataLayout, array.getElementType()) +
           coveredSize(dataLayout, array.getElementType());
  auto record = dyn_cast<LLVM::LLVMStructType>(type);
  if (!record)
    return storeSize(dataLayout, type);
  uint64_t end = 0, next = 0;
  for (Type member : record.getBody()) {
    uint64_t offset = llvm::alignTo(next, record.isPacked() ? 1 : dataLayout.getTypeABIAlignment(member));
    end = offset + coveredSize(dataLayout, member);
    next = offset + allocSize(dataLayout, member);
  }
  return end;
}

void cilk2gpu::storeResult(OpBuilder &builder, Location loc, Value value, Value dest, unsigned alignment) {
  DataLayout dataLayout = DataLayout::closest(builder.getInsertionBlock()->getParentOp());
  if (value.getType().isInteger(1)) // a bool takes a whole byte, 0 or 1
    value = LLVM::ZExtOp::create(builder, loc, builder.getI8Type(), value);
  if (coveredSize(dataLayout, value.getType()) == storeSize(dataLayout, value.getType())) {
    LLVM::StoreOp::create(builder, loc, value, dest, alignment);
    return;
  }
  forEachMember(builder, loc, dataLayout, value, [&](Value member, uint64_t offset) {
    Value place = dest;
    if (offset)
      place = LLVM::GEPOp::create(builder, loc, dest.getType(), builder.getI8Type(), dest,
                                  ArrayRef<LLVM::GEPArg>{int32_t(offset)});
    LLVM::StoreOp::create(builder, loc, member, place, /*alignment=*/1);
  });
}
