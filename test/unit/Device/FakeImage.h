// What the fake drivers load instead of GPU code: functions of the test program, which they run on the CPU.
#ifndef CILK2GPU_TEST_UNIT_DEVICE_FAKEIMAGE_H
#define CILK2GPU_TEST_UNIT_DEVICE_FAKEIMAGE_H

#include "cilk2gpu/abi/Records.h"

namespace cilk2gpu::test {

/// Of a launch: blocks of threads, and how many of these are a wavefront.
struct Grid {
  unsigned blocks, threads, wave;
};

struct FakeSymbol {
  const char *name;
  void (*kernel)(const FakeSymbol &self, abi::Wave *wave, const Grid &grid); ///< null: a variable
  void *variable;
  uint64_t bytes;   ///< of the variable
  abi::LaneFn lane; ///< of a kernel: what each of its lanes does
  bool restarts;
  /// Of a persistent kernel, which has no `kernel`'s: what each of its wavefronts does, beside the others, on a thread.
  void (*wavefront)(void *parameter) = nullptr;
};

/// Lanes' own memory, which the host must not touch.
struct PrivateMemory {
  bool (*isHostAwaited)();      ///< whether a lane waits for what it has asked of the host
  void (*close)(bool isClosed); ///< to the host; lanes that need theirs wait until it is open
};

/// The data of an ImageRecord.
struct FakeImage {
  char magic[8]; ///< "// fake", as PTX might begin
  const FakeSymbol *symbols;
  uint64_t numSymbols;
  /// Null, or finds symbols that are not in the table; null for those that do not exist.
  const FakeSymbol *(*find)(const char *name);
  void (**access)(const void *memory, uint64_t bytes, bool writes); ///< the program's hook for what lanes touch
  const PrivateMemory *ownMemory = nullptr;                         ///< null, if the host may touch everything
};

/// A program that brings real code has a FakeImage of this name, which is run instead; or the library that
/// FAKE_GPU_IMAGE names has one.
inline constexpr char kFakeImageSymbol[] = "cilk2gpu_fake_image";

} // namespace cilk2gpu::test

#endif // CILK2GPU_TEST_UNIT_DEVICE_FAKEIMAGE_H
