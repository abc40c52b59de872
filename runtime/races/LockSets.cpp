// See LockSets.h.
#include "LockSets.h"

namespace cilk2gpu::races {

static constexpr size_t kMostSets = 1 << 24, kMostMembers = 1 << 28, kMostHeld = 1 << 16;

void LockSets::open() {
  sets.open(kMostSets);
  members.open(kMostMembers);
  stack.open(kMostHeld);
  sets.add({0, 0});
}

bool LockSets::areLocksDisjoint(uint32_t left, uint32_t right) const {
  Set a = sets[left], b = sets[right];
  for (uint32_t i = 0, j = 0; i < a.count && j < b.count;) {
    const void *one = members[a.first + i], *other = members[b.first + j];
    if (one == other)
      return false;
    one < other ? ++i : ++j;
  }
  return true;
}

bool LockSets::areLocksSubset(uint32_t left, uint32_t right) const {
  Set a = sets[left], b = sets[right];
  uint32_t j = 0;
  for (uint32_t i = 0; i < a.count; ++i, ++j) {
    while (j < b.count && members[b.first + j] < members[a.first + i])
      ++j;
    if (j == b.count || members[b.first + j] != members[a.first + i])
      return false;
  }
  return true;
}

/// Returns the number of the set of all locks on the stack. A program has few sets: a hash of the members finds them.
uint32_t LockSets::intern() {
  static uint32_t table[1 << 16];
  size_t first = members.size(), hash = 0;
  for (const void *lock : stack)
    if (members.size() == first || members.back() != lock) {
      members.add(lock);
      hash = (hash ^ uintptr_t(lock)) * 0x9E3779B97F4A7C15;
    }
  uint32_t count = uint32_t(members.size() - first);
  if (!count)
    return 0;
  size_t at = hash >> 48;
  for (unsigned tries = 0; tries < 64 && table[at]; ++tries, at = (at + 1) & 0xffff) {
    Set known = sets[table[at]];
    bool isSame = known.count == count;
    for (uint32_t i = 0; isSame && i < count; ++i)
      isSame = members[known.first + i] == members[first + i];
    if (isSame) {
      members.shrink(first);
      return table[at];
    }
  }
  return table[at] = sets.add({uint32_t(first), count});
}

void LockSets::lock(const void *lock) {
  stack.add(lock);
  for (size_t i = stack.size() - 1; i && stack[i - 1] > stack[i]; --i) {
    const void *moved = stack[i];
    stack[i] = stack[i - 1];
    stack[i - 1] = moved;
  }
  heldNow = intern() << 2;
}

void LockSets::unlock(const void *lock) {
  size_t i = 0;
  while (i < stack.size() && stack[i] != lock)
    ++i;
  if (i == stack.size())
    return; // the program releases a lock that was taken where the detector does not see it
  for (; i + 1 < stack.size(); ++i)
    stack[i] = stack[i + 1];
  stack.pop();
  heldNow = intern() << 2;
}

} // namespace cilk2gpu::races
