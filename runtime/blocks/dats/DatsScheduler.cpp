#include "blocks/dats/DatsScheduler.h"

namespace cilk2gpu::rt {

DatsScheduler::Issue DatsScheduler::issueNext(Dgb &buffer) {
  if (computeUnits.isFull())
    return {Dgb::kNone, 0};
  uint64_t node = buffer.firstReady();
  if (node == Dgb::kNone)
    return {Dgb::kNone, 0};
  uint64_t level = buffer.entry(node).level;
  if (policy.isLevelBound && levels.rangeWith(level) > policy.bound)
    return {Dgb::kNone, 0};
  buffer.issue(node);
  levels.add(level);
  return {node, computeUnits.take()};
}

void DatsScheduler::release(uint32_t unit, uint64_t level) {
  computeUnits.release(unit);
  levels.remove(level);
}

} // namespace cilk2gpu::rt
