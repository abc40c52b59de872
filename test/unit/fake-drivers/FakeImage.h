// Images that the fake drivers load instead of GPU code: functions of the test program, which they run on the CPU.
#ifndef CILK2GPU_TEST_UNIT_FAKE_DRIVERS_FAKEIMAGE_H
#define CILK2GPU_TEST_UNIT_FAKE_DRIVERS_FAKEIMAGE_H

#include "cilk2gpu/abi/Records.h"

namespace cilk2gpu::test {

/// Shape of a launch: blocks of threads, and the number of threads in a wavefront.
struct Grid {
  unsigned blocks, threads, wave;
};

struct FakeSymbol {
  const char *name;
  void (*kernel)(const FakeSymbol &self, abi::Wave *wave, const Grid &grid); ///< null for a variable
  void *variable;
  uint64_t bytes;   ///< of the variable
  abi::LaneFn lane; ///< of a kernel: runs one lane
  bool restarts;
  /// Of a persistent kernel, which has no `kernel`: runs one wavefront, on a thread beside the other wavefronts'.
  void (*wavefront)(void *parameter) = nullptr;
};

/// Memory of lanes, which the host must not touch.
struct PrivateMemory {
  bool (*isHostAwaited)();      ///< does a lane wait for an answer of the host?
  void (*close)(bool isClosed); ///< closes it to the host; lanes that need it wait until it is open
};

/// Data of an ImageRecord.
struct FakeImage {
  char magic[8]; ///< "// fake", as PTX might begin
  const FakeSymbol *symbols;
  uint64_t numSymbols;
  /// Finds symbols that are not in the table, and returns null for symbols that do not exist. May be null itself.
  const FakeSymbol *(*find)(const char *name);
  void (**access)(const void *memory, uint64_t bytes, bool writes); ///< the program's hook for lanes' accesses
  const PrivateMemory *ownMemory = nullptr;                         ///< null if the host may touch everything
};

/// Symbol of a FakeImage that runs instead of a program's real code. The program has it, or the library that
/// FAKE_GPU_IMAGE names.
inline constexpr char kFakeImageSymbol[] = "cilk2gpu_fake_image";

} // namespace cilk2gpu::test

#endif // CILK2GPU_TEST_UNIT_FAKE_DRIVERS_FAKEIMAGE_H
