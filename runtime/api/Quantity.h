// Numbers as people read them: 92,735 tasks, 1.4 MB, 3.21 ms.
#ifndef CILK2GPU_RUNTIME_API_QUANTITY_H
#define CILK2GPU_RUNTIME_API_QUANTITY_H

#include <stdint.h>

namespace cilk2gpu::rt {

/// A short text. Long nouns are cut off.
struct QuantityText {
  char text[64];
};

/// Returns a number with commas between groups of three digits.
QuantityText grouped(uint64_t number);
/// Returns a number with its noun. `plural` null: the noun with an s.
QuantityText counted(uint64_t number, const char *singular, const char *plural = nullptr);
/// Returns a number of bytes in B, KB, MB, GB or TB, of which each is 1024 of the one before.
QuantityText bytes(uint64_t number);
/// Returns nanoseconds in ns, us, ms or s.
QuantityText duration(uint64_t nanoseconds);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_QUANTITY_H
