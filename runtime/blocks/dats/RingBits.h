// A set of positions of a circular buffer. It finds the first member behind a position without a look at each entry.
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_RINGBITS_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_RINGBITS_H

#include "blocks/dats/DatsArray.h"

namespace cilk2gpu::rt {

class RingBits {
public:
  static constexpr uint64_t kNone = ~uint64_t(0);

  explicit RingBits(uint64_t size) : words((size + 63) / 64), size(size) {}

  bool has(uint64_t position) const { return words[position / 64] >> position % 64 & 1; }
  void add(uint64_t position) { words[position / 64] |= uint64_t(1) << position % 64; }
  void remove(uint64_t position) { words[position / 64] &= ~(uint64_t(1) << position % 64); }

  /// Returns the distance from `start` to the first member at or behind it, around the end of the ring; kNone if the
  /// set is empty.
  uint64_t distanceFrom(uint64_t start) const {
    uint64_t found = firstIn(start, size);
    if (found != kNone)
      return found - start;
    found = firstIn(0, start);
    return found == kNone ? kNone : found + size - start;
  }

private:
  /// Returns the first member in [from, to).
  uint64_t firstIn(uint64_t from, uint64_t to) const {
    while (from < to) {
      uint64_t rest = words[from / 64] >> from % 64;
      if (rest) {
        from += uint64_t(__builtin_ctzll(rest));
        return from < to ? from : kNone;
      }
      from = (from / 64 + 1) * 64;
    }
    return kNone;
  }

  DatsArray<uint64_t> words;
  uint64_t size;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_RINGBITS_H
