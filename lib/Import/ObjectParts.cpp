// Divides objects into values. See ObjectParts.h.
#include "ObjectParts.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// Divides an object into scalars that have all its bytes. Padding is included, because another member of a union may
/// have data there.
class Division {
public:
  Division(Type *type, Align align, const DataLayout &layout)
      : context(type->getContext()), align(align), layout(layout) {
    add(type, 0);
    fill(layout.getTypeAllocSize(type));
  }

  SmallVector<Part> parts; ///< none if there are more than kMost
  static constexpr size_t kMost = 16;

private:
  void add(Type *type, uint64_t offset);
  void fill(uint64_t end);

  LLVMContext &context;
  Align align;
  const DataLayout &layout;
  uint64_t filled = 0; ///< bytes that the parts have
};

} // namespace

/// Adds integers for the bytes up to `end` that no part has.
void Division::fill(uint64_t end) {
  while (filled < end && parts.size() <= kMost) {
    uint64_t bytes = std::min<uint64_t>(8, commonAlignment(align, filled).value());
    while (bytes > end - filled)
      bytes /= 2;
    parts.push_back({filled, IntegerType::get(context, 8 * bytes)});
    filled += bytes;
  }
}

void Division::add(Type *type, uint64_t offset) {
  if (auto *structure = dyn_cast<StructType>(type)) {
    const StructLayout &fields = *layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements() && parts.size() <= kMost; ++i)
      add(structure->getElementType(i), offset + fields.getElementOffset(i));
    return;
  }
  if (auto *array = dyn_cast<ArrayType>(type)) {
    uint64_t size = layout.getTypeAllocSize(array->getElementType());
    for (uint64_t i = 0; i < array->getNumElements() && parts.size() <= kMost; ++i)
      add(array->getElementType(), offset + i * size);
    return;
  }
  // Bytes of another member of a union may be no number of this type, and LLVM would make one of them.
  if (type->isX86_FP80Ty())
    return;
  fill(offset);
  parts.push_back({offset, type});
  filled = offset + layout.getTypeStoreSize(type);
}

SmallVector<Part> cilk2gpu::partsOf(const Object &object, const DataLayout &layout, bool withLarge) {
  constexpr uint64_t kMostBytes = 1024;
  if (object.type->isSingleValueType())
    return {{0, object.type}};
  if (!isa<StructType>(object.type) || !object.type->isSized() || object.type->isScalableTy())
    return {};
  uint64_t size = layout.getTypeAllocSize(object.type);
  if (!size || size > kMostBytes)
    return {};
  SmallVector<Part> parts = Division(object.type, object.align, layout).parts;
  if (parts.size() <= Division::kMost)
    return parts;
  if (!withLarge)
    return {};
  LLVMContext &context = object.type->getContext();
  uint64_t words = size / 8, rest = size % 8;
  parts.assign(1, {0, ArrayType::get(Type::getInt64Ty(context), words)});
  if (rest)
    parts.push_back({8 * words, ArrayType::get(Type::getInt8Ty(context), rest)});
  return parts;
}

static Value *addressIn(IRBuilder<> &builder, Value *object, uint64_t offset) {
  return offset ? builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), object, offset) : object;
}

Value *cilk2gpu::loadPart(IRBuilder<> &builder, const Object &object, const Part &part) {
  return builder.CreateAlignedLoad(part.type, addressIn(builder, object.pointer, part.offset),
                                   commonAlignment(object.align, part.offset));
}

void cilk2gpu::storePart(IRBuilder<> &builder, const Object &object, const Part &part, Value *value) {
  builder.CreateAlignedStore(value, addressIn(builder, object.pointer, part.offset),
                             commonAlignment(object.align, part.offset));
}
