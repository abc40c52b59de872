// A hash table from keys of two numbers to counts. It never shrinks, and it does not grow beyond its first size.
#ifndef CILK2GPU_RUNTIME_RACES_COUNTTABLE_H
#define CILK2GPU_RUNTIME_RACES_COUNTTABLE_H

#include "ReservedArray.h"

namespace cilk2gpu::races {

class CountTable {
public:
  void open() { slots = static_cast<Slot *>(reserve(kSize * sizeof(Slot))); }
  /// Returns the count of a key, which is 0 at first. Returns null if the table is full. `first` is not 0.
  uint64_t *find(uint64_t first, uint64_t second) {
    size_t at = ((first * kFactor ^ second) * kFactor) >> (64 - kBits);
    for (; slots[at].first; at = (at + 1) % kSize)
      if (slots[at].first == first && slots[at].second == second)
        return &slots[at].count;
    if (used == kSize / 2)
      return nullptr;
    ++used;
    slots[at] = {first, second, 0};
    return &slots[at].count;
  }
  size_t size() const { return used; }

private:
  struct Slot {
    uint64_t first, second, count;
  };
  static constexpr unsigned kBits = 20;
  static constexpr size_t kSize = size_t(1) << kBits;
  static constexpr uint64_t kFactor = 0x9E3779B97F4A7C15;

  Slot *slots = nullptr;
  size_t used = 0;
};

} // namespace cilk2gpu::races

#endif // CILK2GPU_RUNTIME_RACES_COUNTTABLE_H
