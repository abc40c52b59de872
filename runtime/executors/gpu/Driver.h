// A GPU's driver, loaded at run time: one table of calls for both APIs, so that nothing above it knows which one it is.
// No vendor's header is needed to build this, no vendor's library to link or to start a program.
//
//   const Driver &driver = cudaDriver();
//   Reason why;
//   if (!driver.load(nullptr, why) || driver.failed(driver.initialise(), why)) ... why.text says what was wrong
//
// Thread-safety: load() by one thread at a time; after it any thread may call, with makeCurrent() first.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_DRIVER_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_DRIVER_H

#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Image.h"
#pragma GCC visibility pop

namespace cilk2gpu::device {

/// Why something cannot be done: one line for a person, without the prefix of a message.
struct Reason {
  char text[1024] = "";
  void set(const char *format, ...) __attribute__((format(printf, 2, 3)));
};

/// The outcome of a driver's call.
struct Status {
  const char *call; ///< its name
  int code;         ///< 0: it did what it should
};

/// What the runtime wants to know of a device.
struct DeviceFacts {
  char name[256];
  char arch[64];     ///< "gfx90a:sramecc+:xnack-", "sm_90"
  uint32_t waveSize; ///< lanes of a wavefront
  bool managed;      ///< it can have memory at one address for both sides
  bool pageable;     ///< it reaches all of the process's memory, whoever allocated it
  bool concurrent;   ///< the host may touch managed memory while a kernel runs
  bool sameAddress;  ///< registered memory has the host's address there, as far as is known
};

/// How a host range is made visible.
struct HostRange {
  void *address;
  uint64_t bytes;
  bool readOnly;
};

/// A variable that, with one of these bits set, has launches return only when the kernel has ended.
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

  /// Finds all calls in `library`. Returns the first missing one's name, or null.
  const char *(*bind)(void *library);
  /// Name and meaning of an error code; leaves what it does not know.
  void (*describe)(int code, const char *&name, const char *&meaning);

  Status (*initialise)();
  Status (*version)(int &version);
  Status (*countDevices)(int &count);
  Status (*facts)(int ordinal, DeviceFacts &facts);
  /// Makes the device the one that everything below is about.
  Status (*open)(int ordinal);
  /// For the calling thread, which may have had another device or none.
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
  /// Blocks of so many threads each that are resident on the whole device at one time.
  Status (*occupancy)(void *function, uint32_t threads, uint32_t &blocks);
  /// As launch(), of blocks that are to be resident all at once: fails if they cannot be. An ordinary launch where the
  /// device knows no other.
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
  /// Whether memory that the process cannot write can be made visible. Of the device that was opened.
  bool (*registersReadOnly)();
  /// Makes host memory visible. `seenAt`: its address for the device. `already`: it was visible before.
  Status (*registerHost)(const HostRange &range, void *&seenAt, bool &already);
  Status (*unregisterHost)(void *address);

  /// Opens the library, `path` instead of the usual ones if it is not null.
  bool load(const char *path, Reason &why) const;
  /// Whether a call failed; says then in `why` which, and how.
  bool failed(Status status, Reason &why) const;
};

const Driver &cudaDriver();
const Driver &hipDriver();

/// Opens the first of `names`, up to a null, that there is. Null if there is none: `why` is about the first one then.
void *loadLibrary(const char *const *names, Reason &why);

/// dlsym; null if there is none.
void *findSymbol(void *library, const char *symbol);

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_DRIVER_H
