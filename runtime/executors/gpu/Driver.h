// A GPU's driver, loaded at run time. CUDA and HIP have the same table of calls, so the rest of the runtime does not
// depend on the API. The runtime builds without a vendor's header, and programs link and start without a vendor's
// library.
//
//   const Driver &driver = cudaDriver();
//   Reason why;
//   if (!driver.load(nullptr, why) || driver.failed(driver.initialise(), why)) ... why.text has the reason
//
// Thread-safety: one thread at a time calls load(). Afterwards any thread may make calls, after makeCurrent().
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_DRIVER_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_DRIVER_H

#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Image.h"
#pragma GCC visibility pop

/// Makes a call, and returns its status from the calling function if it failed.
#define CILK2GPU_TRY(...)                                                                                              \
  if (::cilk2gpu::device::Status status = (__VA_ARGS__); status.code)                                                  \
  return status

namespace cilk2gpu::device {

/// The reason of a failure: one line for a person, without the prefix of a message.
struct Reason {
  char text[1024] = "";
  void set(const char *format, ...) __attribute__((format(printf, 2, 3)));
};

/// The outcome of a driver's call.
struct Status {
  const char *call; ///< name of the call
  int code;         ///< 0: success
};

/// Facts about a device, from its driver.
struct DeviceFacts {
  char name[256];
  char arch[64];     ///< "gfx90a:sramecc+:xnack-", "sm_90"
  uint32_t waveSize; ///< lanes of a wavefront
  bool managed;      ///< can have memory at one address for both sides
  bool pageable;     ///< reaches all memory of the process, however it was allocated
  bool concurrent;   ///< the host may touch managed memory while a kernel runs
  bool sameAddress;  ///< registered memory has the host's address on the device, as far as is known
};

/// Bytes that are copied between the host and a device at one time.
inline constexpr uint64_t kCopyBytes = uint64_t(1) << 20;

/// A range of the host's memory that can be made visible to a device.
struct HostRange {
  void *address;
  uint64_t bytes;
  bool readOnly;
};

/// An environment variable that makes launches return only when the kernel has ended, if one of these bits is set.
struct BlockingVariable {
  const char *name;
  long bits;
};

/// Launches of one kernel, one after another.
struct KernelSequence {
  struct Step {
    uint32_t blocks;
    void *parameter;
  };
  const Step *steps;
  uint64_t count;
};

struct Driver {
  const char *name;                 ///< value of CILK2GPU_DEVICE
  const char *product;              ///< product that the user must install
  abi::ImageKind images;            ///< kind of images that the driver loads
  const char *variable;             ///< environment variable that names another library
  const char *const *libraries;     ///< tried in this order, up to a null
  const BlockingVariable *blocking; ///< the list ends with an entry without a name

  /// Finds all calls in `library`. Returns the name of the first missing call, or null.
  const char *(*bind)(void *library);
  /// Sets the name and the meaning of an error code. Does nothing for an unknown code.
  void (*describe)(int code, const char *&name, const char *&meaning);

  Status (*initialise)();
  Status (*version)(int &version);
  Status (*countDevices)(int &count);
  Status (*facts)(int ordinal, DeviceFacts &facts);
  /// Opens a device. All calls below refer to this device.
  Status (*open)(int ordinal);
  /// Makes the device current for the calling thread, which may have had another device or none.
  Status (*makeCurrent)();
  /// Sets the bytes of stack of each lane. Sets `unsupported` if the driver has no such limit.
  Status (*setStack)(uint64_t bytes, bool &unsupported);
  Status (*memoryInfo)(uint64_t &free, uint64_t &total);

  /// Loads an image. `registers`: the most registers of a lane; 0: the driver's compiler decides. Drivers without a
  /// compiler ignore it. Writes the messages of the compiler to `log`, which has `logBytes` bytes.
  Status (*loadModule)(const abi::ImageRecord &image, uint32_t registers, void *&module, char *log, uint64_t logBytes);
  /// Find a function or a variable. Set `function` or `address` to null if there is none with this name.
  Status (*findFunction)(void *module, const char *symbol, void *&function);
  Status (*findGlobal)(void *module, const char *symbol, void *&address, uint64_t &bytes);
  /// Launches a kernel, whose only parameter is `parameter`.
  Status (*launch)(void *function, uint32_t blocks, uint32_t threads, void *parameter);
  /// Launches the steps of `sequence`, a KernelSequence, as one graph of the API. `blocks` does not count. Null: the
  /// API has no graphs.
  Status (*launchGraph)(void *function, uint32_t blocks, uint32_t threads, void *sequence) = nullptr;
  /// Sets `blocks` to the number of blocks, of `threads` threads each, that can be resident on the whole device at one
  /// time.
  Status (*occupancy)(void *function, uint32_t threads, uint32_t &blocks);
  /// As launch(), but all blocks are resident at once, or the launch fails. On a device without cooperative launches,
  /// this is an ordinary launch.
  Status (*launchTogether)(void *function, uint32_t blocks, uint32_t threads, void *parameter);
  /// Waits until all launched kernels have ended.
  Status (*synchronise)();
  /// Sets `ended` to whether all launched kernels have ended, without waiting.
  Status (*poll)(bool &ended);

  /// Allocates managed memory, which has one address on both sides. The sides use it in turns.
  Status (*allocate)(uint64_t bytes, void *&memory);
  /// Moves managed memory to the device, before kernels that are launched later use it. Otherwise the memory moves page
  /// by page when lanes touch it, which takes ten times as long. Null: the API has no such call.
  Status (*prefetch)(void *memory, uint64_t bytes) = nullptr;
  /// Allocates memory that only the device can access.
  Status (*allocateDevice)(uint64_t bytes, void *&memory);
  Status (*release)(void *memory);
  /// Allocates memory of the host that both sides can access at one address while a kernel runs.
  Status (*allocateShared)(uint64_t bytes, void *&memory);
  /// Copy from and to any memory of the host, also if only a part of it is registered.
  Status (*copyToDevice)(void *to, const void *from, uint64_t bytes);
  Status (*copyFromDevice)(void *to, const void *from, uint64_t bytes);
  /// Sets `memory` to kCopyBytes bytes of the host's memory that all copies go through.
  Status (*copyMemory)(void *&memory);
  /// Returns whether this address is in that memory.
  bool (*isCopyMemory)(const void *address);
  /// Copy without waiting, after what was launched before. The host's side is copyMemory().
  Status (*copyToDeviceLater)(void *to, const void *from, uint64_t bytes);
  Status (*copyFromDeviceLater)(void *to, const void *from, uint64_t bytes);
  Status (*copyOnDevice)(void *to, const void *from, uint64_t bytes);
  /// Returns whether read-only memory can be made visible to the opened device.
  bool (*registersReadOnly)();
  /// Makes host memory visible to the device. Sets `seenAt` to its address on the device, and `already` if it was
  /// visible before.
  Status (*registerHost)(const HostRange &range, void *&seenAt, bool &already);
  Status (*unregisterHost)(void *address);

  /// Opens the library `path`; null: the usual libraries.
  bool load(const char *path, Reason &why) const;
  /// Returns whether a call failed. If so, sets `why` to the call and its error.
  bool failed(Status status, Reason &why) const;
};

const Driver &cudaDriver();
const Driver &hipDriver();

/// Opens the first library of `names` (a list that ends with null) that exists. If none exists, returns null and sets
/// `why` to the reason for the first.
void *loadLibrary(const char *const *names, Reason &why);

/// Calls dlsym. Returns null if the library does not have the symbol.
void *findSymbol(void *library, const char *symbol);

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_DRIVER_H
