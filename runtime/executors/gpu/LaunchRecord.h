// The record of a launch, in one piece: the abi::Wave, and all data that it refers to except elements and frames. The
// record is copied to the device before the launch, and back after it.
//
//   | Wave | columns of consumed elements | spawns* | syncs* | Cursor, its columns | ... | FrameStore |
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_LAUNCHRECORD_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_LAUNCHRECORD_H

#include "core/TaskTable.h"

namespace cilk2gpu::device {

class LaunchRecord {
public:
  LaunchRecord() = default;
  ~LaunchRecord();
  LaunchRecord(const LaunchRecord &) = delete;

  /// Makes room for the largest record of this task's kernels. Returns its bytes; 0: there is no memory.
  uint64_t reserve(const rt::TaskInfo &task);

  /// Writes the record. `address` is its address on the device. `wave` must not change until settle().
  void build(const rt::TaskInfo &task, bool restarts, const abi::Wave &wave, uint64_t address);

  void *data() { return buffer; }
  uint64_t size() const { return used; }

  /// Called after the record was copied back. Updates the wave's cursors and frames to what the lanes have taken.
  void settle();

private:
  struct Copy {
    abi::Cursor *original;
    uint64_t offset;
  };

  template <typename T> T *at(uint64_t offset) { return reinterpret_cast<T *>(buffer + offset); }
  /// Reserves room for `count` objects. Returns their offset.
  template <typename T> uint64_t take(uint64_t count);
  template <typename T> T *onDevice(uint64_t offset) const { return reinterpret_cast<T *>(base + offset); }
  void **addColumns(void *const *columns, uint64_t count);
  abi::Cursor *addCursor(abi::Cursor *original, uint64_t columns);
  abi::Cursor **addSpawns(const rt::TaskInfo &task, const abi::Wave &wave);
  abi::Cursor **addSyncs(const rt::TaskInfo &task, const abi::Wave &wave);

  char *buffer = nullptr;
  Copy *copies = nullptr;
  uint64_t capacity = 0, copyCapacity = 0;
  uint64_t used = 0, numCopies = 0;
  uint64_t base = 0;
  abi::FrameStore *frames = nullptr;
  uint64_t framesOffset = 0;
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_LAUNCHRECORD_H
