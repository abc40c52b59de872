// The layout of a shared channel's elements in memory. A layout gives each field an offset and a stride: field f of the
// element in slot s is at base + offset[f] + s * stride[f].
//
//   StructureOfArrays      | f0 f0 f0 f0 ... | f1 f1 f1 f1 ... |  columns start at cache lines, so accesses coalesce
//   ArrayOfStructures      | f0 f1 | f0 f1 | ...                  the layout of the paper and of hand-written graphs
//   PaddedStructures       | f0 f1 ....pad.. | f0 f1 ....pad.. |  no two elements share a cache line, as in a linked
//                                                                 list (the paper's Figure 17)
//
// Thread-safety: layouts are constants. The channel's protocol says who may touch an element. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_CHANNELLAYOUT_H
#define CILK2GPU_RUNTIME_CORE_CHANNELLAYOUT_H

#include "cilk2gpu/abi/Records.h"

namespace cilk2gpu::rt {

/// Bytes of a cache line: the unit of false sharing on all CPUs and GPUs that we know (lines of 128 bytes have two
/// sectors).
inline constexpr uint64_t kCacheLine = 64;

/// Offset and stride of one field in the data of a channel, in bytes.
struct FieldLayout {
  uint64_t offset;
  uint64_t stride;
};

/// Size and alignment of a whole data array, in bytes. `bytes` is kTooLarge if 64 bits cannot hold the size.
struct StoreSize {
  static constexpr uint64_t kTooLarge = ~uint64_t(0);
  uint64_t bytes;
  uint64_t align;
};

namespace detail {
/// Sums sizes, and remembers whether the sum overflowed.
class Extent {
public:
  uint64_t append(uint64_t size, uint64_t count, uint64_t align) {
    uint64_t bytes = 0, start = 0;
    overflow |= __builtin_add_overflow(end, align - 1, &start);
    start &= ~(align - 1);
    overflow |= __builtin_mul_overflow(size, count, &bytes);
    overflow |= __builtin_add_overflow(start, bytes, &end);
    largestAlign = align > largestAlign ? align : largestAlign;
    return start;
  }
  StoreSize size() const { return {overflow ? StoreSize::kTooLarge : end, largestAlign}; }

private:
  uint64_t end = 0;
  uint64_t largestAlign = 1;
  bool overflow = false;
};

/// Places one structure after another, each at a multiple of `lineAlign`, or of the alignment of the fields if that is
/// more.
inline StoreSize placeStructures(const abi::FieldRecord *fields, uint32_t numFields, uint64_t width, uint64_t lineAlign,
                                 FieldLayout *places) {
  Extent one;
  for (uint32_t f = 0; f < numFields; ++f)
    places[f].offset = one.append(fields[f].size, 1, fields[f].align);
  one.append(0, 0, one.size().align > lineAlign ? one.size().align : lineAlign);
  uint64_t stride = one.size().bytes;
  for (uint32_t f = 0; f < numFields; ++f)
    places[f].stride = stride;
  Extent all;
  all.append(stride, width, kCacheLine > one.size().align ? kCacheLine : one.size().align);
  return all.size();
}
} // namespace detail

struct StructureOfArrays {
  static StoreSize place(const abi::FieldRecord *fields, uint32_t numFields, uint64_t width, FieldLayout *places) {
    detail::Extent all;
    for (uint32_t f = 0; f < numFields; ++f) {
      uint64_t align = fields[f].align > kCacheLine ? fields[f].align : kCacheLine;
      places[f] = {all.append(fields[f].size, width, align), fields[f].size};
    }
    return all.size();
  }
};

struct ArrayOfStructures {
  static StoreSize place(const abi::FieldRecord *fields, uint32_t numFields, uint64_t width, FieldLayout *places) {
    return detail::placeStructures(fields, numFields, width, 1, places);
  }
};

struct PaddedStructures {
  static StoreSize place(const abi::FieldRecord *fields, uint32_t numFields, uint64_t width, FieldLayout *places) {
    return detail::placeStructures(fields, numFields, width, kCacheLine, places);
  }
};

/// A channel's data array. Owns nothing: `memory` has the size and alignment that Layout::place returned, and `places`
/// points to the layouts that it filled in. Both outlive the store.
struct ElementStore {
  char *memory;
  const FieldLayout *places;

  void *address(uint32_t field, uint64_t slot) const {
    return memory + places[field].offset + slot * places[field].stride;
  }

  /// Returns a reference to a field, whose type is T.
  template <class T> T &field(uint32_t index, uint64_t slot) const { return *static_cast<T *>(address(index, slot)); }
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_CHANNELLAYOUT_H
