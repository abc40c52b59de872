// An array of the modelled machine for block graphs. Its size is set once, and its entries begin as zeros. The runtime
// is linked to programs written in C, so the containers of the C++ library are not available.
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_DATSARRAY_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_DATSARRAY_H

#include "process/Message.h"

#include <stdint.h>
#include <stdlib.h>

namespace cilk2gpu::rt {

template <class T> class DatsArray {
public:
  DatsArray() = default;
  explicit DatsArray(uint64_t size) { reset(size); }
  ~DatsArray() { free(entries); }
  DatsArray(const DatsArray &) = delete;
  DatsArray &operator=(const DatsArray &) = delete;
  DatsArray(DatsArray &&other) : entries(other.entries), count(other.count) {
    other.entries = nullptr, other.count = 0;
  }
  DatsArray &operator=(DatsArray &&other) {
    T *old = entries;
    entries = other.entries, count = other.count;
    other.entries = nullptr, other.count = 0;
    free(old);
    return *this;
  }

  /// Makes `size` entries, all zero. What the array held before is lost.
  void reset(uint64_t size) {
    free(entries);
    entries = static_cast<T *>(calloc(size ? size : 1, sizeof(T)));
    if (!entries)
      fatal("out of memory: %llu bytes for the modelled machine for block graphs could not be allocated",
            (unsigned long long)(size * sizeof(T)));
    count = size;
  }

  uint64_t size() const { return count; }
  T &operator[](uint64_t index) { return entries[index]; }
  const T &operator[](uint64_t index) const { return entries[index]; }
  T *begin() { return entries; }
  T *end() { return entries + count; }
  const T *begin() const { return entries; }
  const T *end() const { return entries + count; }

private:
  T *entries = nullptr;
  uint64_t count = 0;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_DATSARRAY_H
