// See AddressBits.h.
#include "AddressBits.h"

#include "ReservedArray.h"

namespace cilk2gpu::races {

void AddressBits::open() {
  leaves = static_cast<uint64_t **>(reserve((sizeof(uint64_t *) << kAddressBits) / kLeafBytes));
}

void AddressBits::set(uintptr_t at) {
  if (at >> kAddressBits)
    return;
  uint64_t *&leaf = leaves[at / kLeafBytes];
  if (!leaf)
    leaf = static_cast<uint64_t *>(reserve(kLeafBytes / 8));
  uint64_t &word = leaf[at % kLeafBytes / kWordBytes], bit = uint64_t(1) << at % kWordBytes;
  // Relaxed: the bits of one word are independent of one another and of all other memory.
  if (!(word & bit))
    __atomic_fetch_or(&word, bit, __ATOMIC_RELAXED);
}

void AddressBits::clear(uintptr_t at, size_t size) {
  for (uintptr_t end = at + size; at < end;) {
    uint64_t *leaf = leafOf(at);
    uintptr_t unit = leaf ? kWordBytes : kLeafBytes, next = (at / unit + 1) * unit, last = next < end ? next : end;
    if (leaf) {
      uint64_t bits = (last - at == kWordBytes ? 0 : uint64_t(1) << (last - at)) - 1,
               &word = leaf[at % kLeafBytes / unit];
      if (word & bits << at % unit)
        __atomic_fetch_and(&word, ~(bits << at % unit), __ATOMIC_RELAXED); // as in set()
    }
    at = last;
  }
}

bool AddressBits::has(uintptr_t at) const {
  const uint64_t *leaf = leafOf(at);
  return leaf && leaf[at % kLeafBytes / kWordBytes] >> at % kWordBytes & 1;
}

uintptr_t AddressBits::lastBefore(uintptr_t low, uintptr_t at) const {
  constexpr uintptr_t kMostBytes = uintptr_t(1) << 36;
  if (at - low > kMostBytes)
    low = at - kMostBytes;
  while (at >= low && at) {
    const uint64_t *leaf = leafOf(at);
    uintptr_t unit = leaf ? kWordBytes : kLeafBytes, first = at / unit * unit;
    uint64_t bits = leaf ? leaf[at % kLeafBytes / unit] << (kWordBytes - 1 - at % unit) : 0;
    if (bits) {
      uintptr_t found = at - uintptr_t(__builtin_clzll(bits));
      return found < low ? 0 : found;
    }
    at = first - 1;
  }
  return 0;
}

} // namespace cilk2gpu::races
