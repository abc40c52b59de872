// What the fake drivers load instead of GPU code: functions of the test program, which they run on the CPU.
#ifndef CILK2GPU_TEST_UNIT_DEVICE_FAKEIMAGE_H
#define CILK2GPU_TEST_UNIT_DEVICE_FAKEIMAGE_H

#include "abi/Records.h"

namespace cilk2gpu::test {

struct FakeSymbol {
  const char *name;
  void (*kernel)(abi::Wave *wave); ///< null: a variable
  void *variable;
  uint64_t bytes;
};

/// The data of an ImageRecord.
struct FakeImage {
  char magic[8]; ///< "// fake", as PTX might begin
  const FakeSymbol *symbols;
  uint64_t numSymbols;
  void (**access)(const void *memory, uint64_t bytes, bool writes); ///< the program's hook for what lanes touch
};

} // namespace cilk2gpu::test

#endif // CILK2GPU_TEST_UNIT_DEVICE_FAKEIMAGE_H
