// Fills the stack below the caller with a pattern. Then bytes that a program copies without having written them, such
// as the gaps of a structure, depend on the pattern. So a check can tell them from results.
#ifndef CILK2GPU_RUNTIME_CORE_FILLSTACK_H
#define CILK2GPU_RUNTIME_CORE_FILLSTACK_H

#include "core/Tunables.h"

namespace cilk2gpu::rt {

/// Fills tunables::kFilledStack bytes. The pattern 0 fills nothing.
[[gnu::noinline]] inline void fillStack(uint8_t pattern) {
  if (!pattern)
    return;
  char area[tunables::kFilledStack];
  __builtin_memset(area, pattern, sizeof area);
  __asm__ volatile("" : : "r"(area) : "memory"); // the bytes are written
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_FILLSTACK_H
