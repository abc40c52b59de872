// A GPU that runs kernels out of the program's images: choosing it, loading images, memory, launches.
//
// One launch for each dispatch, which is waited for (the scheduler's thread and the lanes never run at once), so that
// all memory both sides use is used in turns. Elements and frames are in managed memory: one address on both sides. The
// scheduler's bookkeeping stays in the host's memory: a launch takes a copy of what it needs (LaunchRecord.h). The
// program's own memory is visible as it is where the device reaches pageable memory; elsewhere it is
// registered while a graph runs (HostMemory.h).
//
// Errors after open() end the process with one line that names the kernel, the call and the code.
// Thread-safety: one thread at a time, any thread; counters any time.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_GPU_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_GPU_H

#include "core/TaskTable.h"
#include "executors/gpu/BlockList.h"
#include "executors/gpu/HostMemory.h"
#include "executors/gpu/ImageSet.h"
#include "executors/gpu/LaunchRecord.h"
#include "executors/gpu/LaunchThread.h"

namespace cilk2gpu::device {

class Gpu {
public:
  explicit Gpu(const Driver &driver)
      : driver(driver), own{this, dispatch, allocate, release, copy, false}, launcher(driver) {}
  Gpu(const Gpu &) = delete;

  /// Loads the driver (`library` instead of the usual one if not null) and opens the first device that one of the
  /// program's images runs on. `stackBytes`: of each lane; 0: as the driver has it.
  bool open(const char *library, uint64_t stackBytes, Reason &why);

  const rt::DeviceHooks *hooks() const { return &own; }

  /// Returns the persistent kernel of the program's images, or null.
  const ImageSet::PersistentCode *persistentCode();
  /// Blocks of `threads` threads of a kernel that are resident at one time.
  uint32_t residentBlocks(void *kernel, uint32_t threads);
  /// Launches a persistent kernel, serves what its lanes ask for, and returns when it has ended.
  void runPersistent(void *kernel, uint32_t blocks, uint32_t threads, void *record);
  /// Managed memory, which stays.
  void *allocateManaged(uint64_t bytes) { return allocate(this, bytes, 64); }

  /// Around a run of the graph.
  void beginRun();
  void endRun();
  /// In a forked child: the device stays with the parent.
  void lose() { lost = true; }
  /// Ends the process if the device is lost.
  void checkNotLost() const;

  const DeviceFacts &facts() const { return device; }
  const Driver &api() const { return driver; }
  int driverVersion() const { return version; }
  uint32_t waveSize() const { return wave; }
  /// The image that is tried first.
  const char *imageArch() const { return images.bestArch(); }
  /// Bytes of device memory that were free when it was opened.
  uint64_t freeMemory() const { return freeBytes; }
  uint64_t launches() const { return __atomic_load_n(&numLaunches, __ATOMIC_RELAXED); }

private:
  static void dispatch(void *gpu, const rt::TaskInfo &task, bool restarts, abi::Wave *wave);
  static void copy(void *gpu, void *to, const void *from, uint64_t bytes);
  static void *allocate(void *gpu, uint64_t bytes, uint64_t align);
  static void release(void *gpu, void *memory, uint64_t bytes, uint64_t align);

  bool chooseDevice(Reason &why);
  bool prepare(uint64_t stack, Reason &why);
  bool launchesBlock() const;
  Status runKernel(const Launch &launch);
  template <typename HasEnded> Status serveUntil(HasEnded hasEnded);
  void prepareLaunch(const rt::TaskInfo &task, bool restarts, const abi::Wave &wave);
  Status launch(void *function, uint32_t lanes);
  void check(Status status, const char *doing, const char *subject) const;
  [[noreturn]] void failKernel(const char *kernel, Status status);

  const Driver &driver;
  rt::DeviceHooks own;
  DeviceFacts device = {};
  int version = 0;
  int chosen = 0; ///< ordinal
  uint32_t wave = 0;
  uint64_t freeBytes = 0;
  BlockList blocks;
  LaunchRecord record;
  void *recordOnDevice = nullptr;
  uint64_t recordBytes = 0;
  HostMemory hostMemory;
  ImageSet images{driver, device};
  bool isBlocking = false; ///< launches return when the kernel has ended
  LaunchThread launcher;   ///< makes launches if they do, and lanes ask for something
  bool lost = false;
  uint64_t numLaunches = 0;
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_GPU_H
