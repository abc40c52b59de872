// The compute units of the modelled machine and their slots for blocks: Wireframe, MICRO 2017, sections 4.1 and 4.3. A
// block goes to the units in rotation. A full unit is skipped.
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_COMPUTEUNITS_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_COMPUTEUNITS_H

#include "blocks/dats/DatsArray.h"

namespace cilk2gpu::rt {

class ComputeUnits {
public:
  ComputeUnits(uint32_t units, uint32_t slots) : used(units), slots(slots) {}

  bool isFull() const { return busySlots == used.size() * slots; }
  uint64_t busy() const { return busySlots; }
  uint64_t highWater() const { return most; }
  uint32_t usedSlots(uint32_t unit) const { return used[unit]; }

  /// Takes a slot of the next unit that has one, and returns the unit. The machine is not full.
  uint32_t take() {
    while (used[next] == slots)
      next = following(next);
    uint32_t unit = next;
    ++used[unit];
    next = following(unit);
    if (++busySlots > most)
      most = busySlots;
    return unit;
  }

  void release(uint32_t unit) {
    --used[unit];
    --busySlots;
  }

private:
  uint32_t following(uint32_t unit) const { return unit + 1 == used.size() ? 0 : unit + 1; }

  DatsArray<uint32_t> used;
  uint32_t slots, next = 0;
  uint64_t busySlots = 0, most = 0;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_COMPUTEUNITS_H
