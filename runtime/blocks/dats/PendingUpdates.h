// The pending update buffer (PUB) of the modelled scheduler: Wireframe, MICRO 2017, section 4.2.2.
//
// A node that completes tells its children. A child that is not in the local node array yet gets the update when it is
// loaded. Until then, the update is an entry of this buffer: the ID of the child. Two parents of a child are two
// entries.
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_PENDINGUPDATES_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_PENDINGUPDATES_H

#include "blocks/dats/DatsArray.h"

namespace cilk2gpu::rt {

class PendingUpdates {
public:
  PendingUpdates(uint64_t capacity, uint64_t nodes) : entries(nodes), capacity(capacity) {}

  uint64_t size() const { return used; }
  uint64_t free() const { return capacity - used; }
  /// The largest number of entries so far.
  uint64_t highWater() const { return most; }
  /// The entries with the ID `node`.
  uint32_t entriesFor(uint64_t node) const { return entries[node]; }

  /// Adds an entry. The buffer has a free one.
  void add(uint64_t node) {
    ++entries[node];
    if (++used > most)
      most = used;
  }

  /// Removes the entries with the ID `node`, and returns their number.
  uint32_t take(uint64_t node) {
    uint32_t taken = entries[node];
    entries[node] = 0;
    used -= taken;
    return taken;
  }

private:
  /// The hardware compares all entries with an ID at once. The model keeps a count for each ID.
  DatsArray<uint32_t> entries;
  uint64_t capacity, used = 0, most = 0;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_PENDINGUPDATES_H
