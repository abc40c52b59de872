// A set of level numbers that finds its deepest and its shallowest member quickly. It has a bit for each level, and a
// bit for each word of these bits.
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_CORE_LEVELSET_H
#define CILK2GPU_RUNTIME_CORE_LEVELSET_H

#include "core/Arena.h"

namespace cilk2gpu::rt {

class LevelSet {
public:
  static constexpr uint64_t kNone = ~uint64_t(0);

  void insert(Arena &arena, uint64_t level) {
    if (level / 64 >= numWords)
      grow(arena, level / 64 + 1);
    words[level / 64] |= uint64_t(1) << level % 64;
    summary[level / 4096] |= uint64_t(1) << level / 64 % 64;
  }

  void erase(uint64_t level) {
    if (level / 64 >= numWords)
      return;
    if ((words[level / 64] &= ~(uint64_t(1) << level % 64)) == 0)
      summary[level / 4096] &= ~(uint64_t(1) << level / 64 % 64);
  }

  /// Returns the deepest member that is not deeper than `level`; kNone if there is none.
  uint64_t atOrAbove(uint64_t level) const {
    if (level >= numWords * 64)
      level = numWords * 64 - 1; // wraps to kNone if the set is empty
    if (level == kNone)
      return kNone;
    if (uint64_t word = words[level / 64] & below(level % 64))
      return level / 64 * 64 + top(word);
    for (uint64_t at = level / 64; at-- > 0; at = at / 64 * 64) {
      uint64_t word = summary[at / 64] & below(at % 64);
      if (word)
        return (at / 64 * 64 + top(word)) * 64 + top(words[at / 64 * 64 + top(word)]);
    }
    return kNone;
  }
  uint64_t deepest() const { return atOrAbove(kNone - 1); }

  /// Returns the shallowest member that is not above `level`; kNone if there is none.
  uint64_t atOrBelow(uint64_t level) const {
    for (; level < numWords * 64; level = (level / 64 + 1) * 64) {
      uint64_t word = words[level / 64] & ~uint64_t(0) << level % 64;
      if (word)
        return level / 64 * 64 + uint64_t(__builtin_ctzll(word));
      if (level / 64 % 64 == 63 || !(summary[level / 4096] >> (level / 64 % 64 + 1)))
        level = level / 4096 * 4096 + 4095; // this word of the summary has no further member
    }
    return kNone;
  }

  /// Calls `holds` for the members, the deepest first, until it returns true. Returns that member; kNone if there is
  /// none. `holds` may change the set.
  template <typename Holds> uint64_t findDeepest(Holds holds) const {
    uint64_t at = deepest();
    while (at != kNone && !holds(at))
      at = at ? atOrAbove(at - 1) : kNone;
    return at;
  }

  /// Returns the most bytes that a set of levels below `levels` takes, including the array that it grew from.
  static uint64_t bound(uint64_t levels) {
    uint64_t size = (levels / 64 + 1 <= 64 ? 64 : 2 * (levels / 64 + 1) + 63) / 64 * 64;
    uint64_t bytes = Arena::blockBytes((size + size / 64) * 8, 8);
    return size == 64 ? bytes : 2 * bytes;
  }

private:
  static uint64_t below(uint64_t bit) { return ~uint64_t(0) >> (63 - bit); } ///< Returns bits 0 to `bit`.
  static uint64_t top(uint64_t word) { return 63 - uint64_t(__builtin_clzll(word)); }

  void grow(Arena &arena, uint64_t needed) {
    uint64_t size = (needed > 2 * numWords ? needed : 2 * numWords) + 63;
    size -= size % 64;
    auto *fresh = static_cast<uint64_t *>(arena.allocate((size + size / 64) * 8, 8));
    for (uint64_t i = 0; i < size; ++i)
      fresh[i] = i < numWords ? words[i] : 0;
    for (uint64_t i = 0; i < size / 64; ++i)
      fresh[size + i] = i < numWords / 64 ? summary[i] : 0;
    arena.release(words, (numWords + numWords / 64) * 8, 8);
    words = fresh;
    summary = fresh + size;
    numWords = size;
  }

  uint64_t *words = nullptr, *summary = nullptr; ///< one block
  uint64_t numWords = 0;                         ///< a multiple of 64
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_LEVELSET_H
