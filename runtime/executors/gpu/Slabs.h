// Parts of memory that was allocated on a device in large pieces. The list of free parts is in the host's memory, so
// that no page of the device's memory moves.
//
//   Slabs slabs;
//   if (!slabs.put(memory, bytes)) ...          // the list could not grow
//   void *part = slabs.take(bytes, align);      // the first free part that is long enough, or null
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_SLABS_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_SLABS_H

#include "executors/gpu/BlockList.h"

namespace cilk2gpu::device {

class Slabs {
public:
  static constexpr uint64_t kPage = 4096;

  /// Returns the bytes that a part of `bytes` bytes takes.
  static uint64_t wholePages(uint64_t bytes) { return (bytes + kPage - 1) & ~(kPage - 1); }

  /// Takes whole pages, aligned to `align` bytes. Returns null if no free part is long enough.
  void *take(uint64_t bytes, uint64_t align) {
    uint64_t wanted = wholePages(bytes), alignment = align < kPage ? kPage : align;
    for (uint64_t i = 0; i < free.size(); ++i) {
      HostRange &part = free.at(i);
      uint64_t start = reinterpret_cast<uint64_t>(part.address), before = -start & (alignment - 1);
      if (part.bytes < before || part.bytes - before < wanted)
        continue;
      void *place = reinterpret_cast<void *>(start + before);
      uint64_t after = part.bytes - before - wanted;
      if (before && after && !free.add(reinterpret_cast<void *>(start + before + wanted), after))
        return nullptr;
      if (before)
        free.at(i).bytes = before; // add() may have moved the list
      else if (after)
        part = {reinterpret_cast<void *>(start + wanted), after, false};
      else
        free.removeAt(i);
      return place;
    }
    return nullptr;
  }

  /// Adds a free part. Returns false if the list could not grow.
  bool put(void *memory, uint64_t bytes) {
    uint64_t whole = wholePages(bytes), at = free.before(memory);
    bool meetsLower = at && end(free.at(at - 1)) == memory;
    bool meetsUpper = at < free.size() && static_cast<char *>(memory) + whole == free.at(at).address;
    if (meetsLower) {
      free.at(at - 1).bytes += whole + (meetsUpper ? free.at(at).bytes : 0);
      if (meetsUpper)
        free.removeAt(at);
      return true;
    }
    if (meetsUpper) {
      free.at(at) = {memory, whole + free.at(at).bytes, false};
      return true;
    }
    return free.add(memory, whole);
  }

private:
  static void *end(const HostRange &part) { return static_cast<char *>(part.address) + part.bytes; }

  BlockList free;
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_SLABS_H
