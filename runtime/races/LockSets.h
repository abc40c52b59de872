// Sets of locks. A set has a number, and equal sets have equal numbers. Two properties of accesses count as locks: all
// accesses with the property hold the lock, so that they do not race with one another. The idea is in section 4 of
// "Detecting data races in Cilk programs that use locks" (SPAA 1998).
//
//   bit 0 of the number: the access reads
//   bit 1 of the number: the access is atomic
//   other bits: the number of the set of the locks that the program holds; 0: none
#ifndef CILK2GPU_RUNTIME_RACES_LOCKSETS_H
#define CILK2GPU_RUNTIME_RACES_LOCKSETS_H

#include "ReservedArray.h"

namespace cilk2gpu::races {

using LockSet = uint32_t;
inline constexpr LockSet kRead = 1, kAtomic = 2, kProperties = 3;

class LockSets {
public:
  void open();
  /// The locks that the program holds now, without properties.
  LockSet held() const { return heldNow; }
  void lock(const void *lock);
  void unlock(const void *lock);

  /// Returns true if no lock is in both sets.
  bool areDisjoint(LockSet left, LockSet right) const {
    if (left & right & kProperties)
      return false;
    return !(left >> 2) || !(right >> 2) || areLocksDisjoint(left >> 2, right >> 2);
  }
  /// Returns true if each lock of `left` is in `right`.
  bool isSubset(LockSet left, LockSet right) const {
    if (left & ~right & kProperties)
      return false;
    return !(left >> 2) || left >> 2 == right >> 2 || areLocksSubset(left >> 2, right >> 2);
  }

private:
  /// A set: a range of `members`, in ascending order.
  struct Set {
    uint32_t first, count;
  };
  bool areLocksDisjoint(uint32_t left, uint32_t right) const;
  bool areLocksSubset(uint32_t left, uint32_t right) const;
  uint32_t intern();

  ReservedArray<Set> sets;
  ReservedArray<const void *> members;
  ReservedArray<const void *> stack; ///< the locks held, in ascending order; a lock held twice is in it twice
  LockSet heldNow = 0;
};

} // namespace cilk2gpu::races

#endif // CILK2GPU_RUNTIME_RACES_LOCKSETS_H
