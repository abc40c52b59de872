// Arrays and tables that grow, without the C++ library: C programs link this code. Elements are copied as bytes.
#ifndef CILK2GPU_RUNTIME_SCALE_GROWING_H
#define CILK2GPU_RUNTIME_SCALE_GROWING_H

#include "process/Message.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>

namespace cilk2gpu::rt::scale {

/// An array that grows at its end. Never shrinks its memory.
template <typename T> class Growing {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  Growing() = default;
  Growing(const Growing &) = delete;
  ~Growing() { free(items); }

  T &add(const T &item) {
    if (count == capacity)
      grow();
    items[count] = item;
    return items[count++];
  }

  void drop() { --count; }
  uint32_t size() const { return count; }
  T &operator[](uint32_t index) { return items[index]; }
  const T &operator[](uint32_t index) const { return items[index]; }
  T &last() { return items[count - 1]; }
  T *begin() { return items; }
  T *end() { return items + count; }
  const T *begin() const { return items; }
  const T *end() const { return items + count; }

private:
  void grow() {
    capacity = capacity ? capacity * 2 : 16;
    items = static_cast<T *>(realloc(static_cast<void *>(items), capacity * sizeof(T)));
    if (!items)
      fatal("cilk-scale needs memory for its records, but the system has none left; run a smaller input");
  }

  T *items = nullptr;
  uint32_t count = 0;
  size_t capacity = 0;
};

/// Maps three numbers to the index of an entry. Entries are never removed.
class IndexTable {
public:
  IndexTable() = default;
  IndexTable(const IndexTable &) = delete;
  ~IndexTable() { free(slots); }

  /// Returns the index of the key. A new key gets the index `next`.
  uint32_t find(uint32_t a, uint32_t b, uint32_t c, uint32_t next) {
    if ((used + 1) * 2 > capacity)
      grow();
    Slot &slot = place(a, b, c);
    if (!slot.index) {
      slot = {a, b, c, next + 1};
      ++used;
    }
    return slot.index - 1;
  }

private:
  struct Slot {
    uint32_t a, b, c;
    uint32_t index; ///< plus one; 0: the slot is free
  };

  Slot &place(uint32_t a, uint32_t b, uint32_t c) {
    uint64_t hash = (a * 0x9E3779B97F4A7C15u) ^ (b * 0xC2B2AE3D27D4EB4Fu) ^ (c * 0x165667B19E3779F9u);
    for (size_t at = (hash ^ (hash >> 29)) & (capacity - 1);; at = (at + 1) & (capacity - 1)) {
      Slot &slot = slots[at];
      if (!slot.index || (slot.a == a && slot.b == b && slot.c == c))
        return slot;
    }
  }

  void grow() {
    size_t before = capacity;
    Slot *old = slots;
    capacity = capacity ? capacity * 2 : 1024;
    slots = static_cast<Slot *>(calloc(capacity, sizeof(Slot)));
    if (!slots)
      fatal("cilk-scale needs memory for its tables, but the system has none left; run a smaller input");
    for (size_t i = 0; i < before; ++i)
      if (old[i].index)
        place(old[i].a, old[i].b, old[i].c) = old[i];
    free(old);
  }

  Slot *slots = nullptr;
  size_t used = 0, capacity = 0;
};

} // namespace cilk2gpu::rt::scale

#endif // CILK2GPU_RUNTIME_SCALE_GROWING_H
