// The managed memory of a graph on a device: blocks for channels, frames and lists. Small blocks share pieces that the
// driver has allocated at one time. Memory is on the device before lanes use it.
//
// Errors end the process with one line.
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_GRAPHMEMORY_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_GRAPHMEMORY_H

#include "core/Tunables.h"
#include "executors/gpu/Slabs.h"

namespace cilk2gpu::device {

class GraphMemory {
public:
  GraphMemory(const Driver &driver, const DeviceFacts &device) : driver(driver), device(device) {}

  /// Sets the bytes that are free on the device, which bound the pieces. Must be called before allocate().
  void setFree(uint64_t bytes) { freeBytes = bytes; }
  /// Returns a block. The device is current for the calling thread, here and below. Null: no machine has so many bytes.
  void *allocate(uint64_t bytes, uint64_t align);
  /// Takes back a block that allocate() has returned for the same size and alignment.
  void release(void *block, uint64_t bytes, uint64_t align);

  /// Moves all memory to the device, where the host has written to it.
  void moveToDevice() const;
  /// Returns what the driver has allocated.
  const BlockList &pieces() const { return all; }

private:
  void *allocatePiece(uint64_t bytes);
  void prefetch(void *start, uint64_t bytes) const;

  const Driver &driver;
  const DeviceFacts &device;
  uint64_t freeBytes = 0;
  BlockList all;
  Slabs shared; ///< free parts of pieces that blocks share
  uint64_t nextSlab = rt::tunables::kFirstSlab;
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_GRAPHMEMORY_H
