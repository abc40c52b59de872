// A bit for each byte of memory. Words of 64 bits are in arrays, which are made when a bit is set. Other threads may
// clear bits.
#ifndef CILK2GPU_RUNTIME_RACES_ADDRESSBITS_H
#define CILK2GPU_RUNTIME_RACES_ADDRESSBITS_H

#include <stddef.h>
#include <stdint.h>

namespace cilk2gpu::races {

class AddressBits {
public:
  void open();
  void set(uintptr_t at);
  void clear(uintptr_t at, size_t size);
  bool has(uintptr_t at) const;
  /// Returns the highest address from `low` to `at` that has its bit set, or 0. Looks at 64 GiB at most.
  uintptr_t lastBefore(uintptr_t low, uintptr_t at) const;

private:
  static constexpr unsigned kAddressBits = 47;
  static constexpr uintptr_t kWordBytes = 64, kLeafBytes = uintptr_t(1) << 22;

  uint64_t *leafOf(uintptr_t at) const { return at >> kAddressBits || !leaves ? nullptr : leaves[at / kLeafBytes]; }

  uint64_t **leaves = nullptr;
};

} // namespace cilk2gpu::races

#endif // CILK2GPU_RUNTIME_RACES_ADDRESSBITS_H
