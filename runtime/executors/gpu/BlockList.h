// A list of blocks of a device's memory, in the order of their addresses. The list is in host memory, so a look-up
// moves no page of a block.
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_BLOCKLIST_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_BLOCKLIST_H

#include "executors/gpu/Driver.h"

#include <stdlib.h>
#include <string.h>

namespace cilk2gpu::device {

class BlockList {
public:
  BlockList() = default;
  ~BlockList() { free(ranges); }
  BlockList(const BlockList &) = delete;

  /// Adds a block. Returns false if there is no memory for the list.
  bool add(void *start, uint64_t bytes) {
    if (count == capacity && !grow())
      return false;
    uint64_t at = before(start);
    memmove(ranges + at + 1, ranges + at, (count++ - at) * sizeof(HostRange));
    ranges[at] = {start, bytes, false};
    return true;
  }

  /// Removes the block that contains `address`, and returns its start.
  void *remove(void *address) {
    uint64_t at = before(address);
    // The index of the block that begins at `address`, or of the last block before it.
    if (at == count || ranges[at].address != address)
      --at;
    void *start = ranges[at].address;
    removeAt(at);
    return start;
  }
  void removeAt(uint64_t at) { memmove(ranges + at, ranges + at + 1, (--count - at) * sizeof(HostRange)); }

  void clear() { count = 0; }

  const HostRange *begin() const { return ranges; }
  const HostRange *end() const { return ranges + count; }
  HostRange &at(uint64_t index) { return ranges[index]; }
  uint64_t size() const { return count; }

  /// Returns the number of blocks that begin before `address`.
  uint64_t before(const void *address) const {
    uint64_t low = 0, high = count;
    while (low < high) {
      uint64_t middle = (low + high) / 2;
      (ranges[middle].address < address ? low : high) = ranges[middle].address < address ? middle + 1 : middle;
    }
    return low;
  }

private:
  bool grow() {
    uint64_t wanted = capacity ? 2 * capacity : 64;
    void *fresh = realloc(ranges, wanted * sizeof(HostRange));
    if (!fresh)
      return false;
    ranges = static_cast<HostRange *>(fresh);
    capacity = wanted;
    return true;
  }

  HostRange *ranges = nullptr;
  uint64_t count = 0, capacity = 0;
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_BLOCKLIST_H
