// See MemoryObjects.h.
#include "MemoryObjects.h"

namespace cilk2gpu::races {

void MemoryObjects::add(uintptr_t at, size_t size) {
  if (size > 1)
    marks.clear(at + 1, size - 1);
  marks.set(at);
  marks.set(at + size);
  if (at <= lastEnd && lastStart <= at + size)
    lastStart = lastEnd = 0;
}

uintptr_t MemoryObjects::startOf(uintptr_t at) {
  if (!hasGlobals) {
    hasGlobals = true;
    addGlobals(*this);
  }
  if (lastStart <= at && at <= lastEnd)
    return lastStart;
  // Elements of an array are looked up one after the other: the search ends where the last one began.
  bool isBehind = lastStart && lastEnd < at;
  uintptr_t start = marks.lastBefore(isBehind ? lastEnd + 1 : 0, at);
  if (!start)
    start = isBehind ? lastStart : at;
  lastStart = start;
  lastEnd = at;
  return start;
}

} // namespace cilk2gpu::races
