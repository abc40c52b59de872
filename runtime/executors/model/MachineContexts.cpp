// Finds a free context. Freestanding, because the aggregator calls this before it dispatches.
#include "executors/model/Machine.h"

namespace cilk2gpu::rt {

Context *Machine::freeContext(uint32_t cu) {
  const MachineShape &shape = settings.shape;
  uint32_t start = nextSlot[cu];
  for (uint32_t i = 0; i <= wordsPerCu; ++i) {
    uint32_t word = (start / 64 + i) % wordsPerCu;
    uint64_t bits = freeBits[cu * wordsPerCu + word];
    if (i == 0)
      bits &= ~uint64_t(0) << start % 64;
    if (bits) {
      uint32_t slot = word * 64 + uint32_t(__builtin_ctzll(bits));
      return &contexts[cu * shape.contextsPerCu + slot];
    }
  }
  return nullptr;
}

Context *Machine::freeContext() {
  for (uint32_t i = 0; i < settings.shape.cus; ++i)
    if (Context *context = freeContext((nextCu + i) % settings.shape.cus))
      return context;
  return nullptr;
}

} // namespace cilk2gpu::rt
