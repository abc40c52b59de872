// A GPU that runs the kernels of the program's images. This class chooses the GPU, manages its memory, and launches
// kernels. ImageSet.h has the images.
//
// The host waits for each launch, so the scheduler's thread and the lanes use all memory in turns:
//
//   elements, frames        in managed memory, at one address on both sides
//   scheduler's data        in the host's memory; a launch copies the parts that it needs (LaunchRecord.h)
//   the program's memory    visible without further steps if the device reaches pageable memory; else registered while
//                           a graph runs (HostMemory.h)
//
// Errors after open() end the process with one line that names the kernel, the call and the code.
//
// Thread-safety: any thread may call these functions, but only one at a time. Counters may be read at any time.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_GPU_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_GPU_H

#include "core/TaskTable.h"
#include "executors/gpu/FrameLister.h"
#include "executors/gpu/GraphMemory.h"
#include "executors/gpu/HostMemory.h"
#include "executors/gpu/ImageSet.h"
#include "executors/gpu/LaunchRecord.h"
#include "executors/gpu/LaunchThread.h"

namespace cilk2gpu::device {

class Gpu {
public:
  explicit Gpu(const Driver &driver)
      : driver(driver), own{this,
                            dispatch,
                            allocate,
                            release,
                            copy,
                            write,
                            [](void *gpu, void **list, char *chunk, uint64_t count, const rt::FrameShape &shape) {
                              return static_cast<Gpu *>(gpu)->lister.list({list, chunk, count, shape});
                            },
                            false},
        launcher(driver) {}
  Gpu(const Gpu &) = delete;

  /// Loads the driver, from `library` if that is not null, and opens the first device that can run one of the
  /// program's images. `stackBytes`: stack of each lane; 0: the default. `isPersistent`: the persistent kernel will
  /// run. Its lanes get fewer registers, so that more of them are resident. If this fails, the object may still be
  /// destroyed.
  bool open(const char *library, uint64_t stackBytes, bool isPersistent, Reason &why);

  const rt::DeviceHooks *hooks() const { return &own; }

  /// Returns the persistent kernel of the program's images, or null.
  const ImageSet::PersistentCode *persistentCode();
  /// Returns the number of blocks of a kernel, of `threads` threads each, that can be resident at one time.
  uint32_t residentBlocks(void *kernel, uint32_t threads);
  /// Launches a persistent kernel, serves requests of its lanes, and returns when the kernel has ended.
  void runPersistent(void *kernel, uint32_t blocks, uint32_t threads, void *record);
  // For a kernel that stays resident while the host goes on (GraphLaunch.h).
  /// Looks for a kernel and a pointer variable beside it in the images. Returns false if no image has the kernel.
  bool find(const char *kernel, const char *variable, ImageSet::KernelCode &code);
  /// Returns a kernel of the images; null: no image has it.
  void *findKernel(const char *kernel);
  void setVariable(const ImageSet::KernelCode &code, void *pointer);
  void start(const char *name, const Launch &launch);
  /// Serves what the lanes ask for. Returns whether the kernel still runs. Ends the process if it has failed.
  bool attend(const char *name);
  /// Returns memory of the host's that both sides use while a kernel runs. It stays until the process ends.
  void *allocateShared(uint64_t bytes, const char *purpose);

  /// Returns managed memory, which is never freed.
  void *allocateManaged(uint64_t bytes) { return allocate(this, bytes, 64); }

  /// Called before and after a run of the graph. Registers the process's memory for the run, if the device needs that.
  void beginRun();
  void endRun();
  /// Called in a forked child, which cannot use the device any more.
  void lose() { lost = true; }
  /// Ends the process if the device is lost.
  void checkNotLost() const;

  const DeviceFacts &facts() const { return device; }
  const Driver &api() const { return driver; }
  int driverVersion() const { return version; }
  uint32_t waveSize() const { return wave; }
  /// Returns the architecture of the image that suits the device best.
  const char *imageArch() const { return images.bestArch(); }
  /// Returns the bytes of device memory that were free when the device was opened.
  uint64_t freeMemory() const { return freeBytes; }
  uint64_t launches() const { return __atomic_load_n(&numLaunches, __ATOMIC_RELAXED); }

private:
  static void dispatch(void *gpu, const rt::TaskInfo &task, bool restarts, abi::Wave *wave);
  static void copy(void *gpu, void *to, const void *from, uint64_t bytes);
  static void write(void *gpu, void *to, const void *from, uint64_t bytes);
  static void *allocate(void *gpu, uint64_t bytes, uint64_t align);
  static void release(void *gpu, void *memory, uint64_t bytes, uint64_t align);

  bool chooseDevice(Reason &why);
  bool prepare(uint64_t stack, bool isPersistent, Reason &why);
  Status begin(const Launch &launch, bool isServed);
  bool hasEnded(Status &status);
  uint64_t serve();
  Status await();
  Status runKernel(const Launch &launch);
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
  GraphMemory memory{driver, device};
  BlockList reachable; ///< all memory that need not be registered
  LaunchRecord record;
  void *recordOnDevice = nullptr;
  uint64_t recordBytes = 0;
  HostMemory hostMemory;
  ImageSet images{driver, device};
  FrameLister lister{driver, device, images};
  bool isBlocking = false;      ///< launches return when the kernel has ended
  bool isLaunchedApart = false; ///< by the launcher
  LaunchThread launcher;        ///< makes launches if they do, and lanes ask for something
  bool lost = false;
  uint64_t numLaunches = 0;
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_GPU_H
