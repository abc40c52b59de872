// A GPU's driver, loaded at run time. Both APIs have one table of calls, so that the rest of the runtime need not know
// which API it is. No vendor's header is needed to build this, and no vendor's library to link or to start a program.
//
//   const Driver &driver = cudaDriver();
//   Reason why;
//   if (!driver.load(nullptr, why) || driver.failed(driver.initialise(), why)) ... why.text says what was wrong
//
// Thread-safety: one thread at a time calls load(). Afterwards any thread may call, with makeCurrent() first.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_DRIVER_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_DRIVER_H

#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Image.h"
#pragma GCC visibility pop

namespace cilk2gpu::device {

/// The reason why something cannot be done: one line for a person, without the prefix of a message.
struct Reason {
  char text[1024] = "";
  void set(const char *format, ...) __attribute__((format(printf, 2, 3)));
};

/// The outcome of a driver's call.
struct Status {
  const char *call; ///< its name
  int code;         ///< 0: success
};

/// Facts that a driver tells the runtime of a device.
struct DeviceFacts {
  char name[256];
  char arch[64];     ///< "gfx90a:sramecc+:xnack-", "sm_90"
  uint32_t waveSize; ///< lanes of a wavefront
  bool managed;      ///< it can have memory at one address for both sides
  bool pageable;     ///< it reaches all of the process's memory, no matter what allocated it
  bool concurrent;   ///< the host may touch managed memory while a kernel runs
  bool sameAddress;  ///< registered memory has the host's address there, as far as is known
};

/// A range of the host's memory that is made visible to a device.
struct HostRange {
  void *address;
  uint64_t bytes;
  bool readOnly;
};

/// An environment variable that, with one of these bits set, has launches return only when the kernel has ended.
struct BlockingVariable {
  const char *name;
  long bits;
};

struct Driver {
  const char *name;                 ///< as in CILK2GPU_DEVICE
  const char *product;              ///< what a person must install
  abi::ImageKind images;            ///< what it loads
  const char *variable;             ///< names another library
  const char *const *libraries;     ///< tried in this order, up to a null
  const BlockingVariable *blocking; ///< up to one without a name

  /// Finds all calls in `library`. Returns the name of the first one that is missing, or null.
  const char *(*bind)(void *library);
  /// Sets name and meaning of an error code; leaves those of an unknown code as they are.
  void (*describe)(int code, const char *&name, const char *&meaning);

  Status (*initialise)();
  Status (*version)(int &version);
  Status (*countDevices)(int &count);
  Status (*facts)(int ordinal, DeviceFacts &facts);
  /// Opens the device that all calls below are about.
  Status (*open)(int ordinal);
  /// Makes the device current for the calling thread, which may have had another device or none.
  Status (*makeCurrent)();
  /// Bytes of stack for each lane. `unsupported`: the driver has no such limit.
  Status (*setStack)(uint64_t bytes, bool &unsupported);
  Status (*memoryInfo)(uint64_t &free, uint64_t &total);

  /// `log`, of `logBytes` bytes, gets what the driver's compiler says.
  Status (*loadModule)(const abi::ImageRecord &image, void *&module, char *log, uint64_t logBytes);
  /// Null in `function` or `address`: there is none of this name.
  Status (*findFunction)(void *module, const char *symbol, void *&function);
  Status (*findGlobal)(void *module, const char *symbol, void *&address, uint64_t &bytes);
  /// The kernel's one parameter is `parameter`.
  Status (*launch)(void *function, uint32_t blocks, uint32_t threads, void *parameter);
  /// Sets the number of blocks, of `threads` threads each, that are resident on the whole device at one time.
  Status (*occupancy)(void *function, uint32_t threads, uint32_t &blocks);
  /// As launch(), but all blocks are resident at once; fails if they cannot be. Where the device has no such launch, an
  /// ordinary one.
  Status (*launchTogether)(void *function, uint32_t blocks, uint32_t threads, void *parameter);
  /// Waits for everything that was launched.
  Status (*synchronise)();
  /// Whether all of it has ended, without waiting.
  Status (*poll)(bool &ended);

  /// Memory at one address for both sides, which use it in turns.
  Status (*allocate)(uint64_t bytes, void *&memory);
  /// Memory of the device alone.
  Status (*allocateDevice)(uint64_t bytes, void *&memory);
  Status (*release)(void *memory);
  /// Memory of the host's that both sides see at one address while a kernel runs.
  Status (*allocateShared)(uint64_t bytes, void *&memory);
  Status (*copyToDevice)(void *to, const void *from, uint64_t bytes);
  Status (*copyFromDevice)(void *to, const void *from, uint64_t bytes);
  Status (*copyOnDevice)(void *to, const void *from, uint64_t bytes);
  /// Returns whether memory that the process cannot write can be made visible to the device that was opened.
  bool (*registersReadOnly)();
  /// Makes host memory visible. `seenAt`: its address for the device. `already`: it was visible before.
  Status (*registerHost)(const HostRange &range, void *&seenAt, bool &already);
  Status (*unregisterHost)(void *address);

  /// Opens the library `path`; null: the usual libraries.
  bool load(const char *path, Reason &why) const;
  /// Returns whether a call failed. `why` then says which call, and how.
  bool failed(Status status, Reason &why) const;
};

const Driver &cudaDriver();
const Driver &hipDriver();

/// Opens the first library of `names`, up to a null, that exists. Returns null if none does; `why` is about the first.
void *loadLibrary(const char *const *names, Reason &why);

/// Calls dlsym. Returns null if there is no such symbol.
void *findSymbol(void *library, const char *symbol);

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_DRIVER_H
