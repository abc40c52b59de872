// Tests that a spawned block gets a copy of an object of 1024 bytes, in words, and the address of a larger object.
// RUN: %cilk2gpuxx -O0 --emit=cilk %s | FileCheck %s
#include <cilk/cilk.h>

template <int size> struct Bytes {
  char bytes[size];
  int at(int i) const { return bytes[i]; }
};

// CHECK-LABEL: llvm.func internal @_Z7addressRlRK5BytesILi1025EE.block0(
// CHECK-SAME: %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: !llvm.ptr)
void address(long &result, const Bytes<1025> &bytes) {
  Bytes<1025> copy = bytes;
  cilk_spawn { result = copy.at(6); }
  cilk_sync;
}

// CHECK-LABEL: llvm.func internal @_Z4copyRlRK5BytesILi1024EE.block0(
// CHECK-SAME: !llvm.array<128 x i64>
void copy(long &result, const Bytes<1024> &bytes) {
  Bytes<1024> copy = bytes;
  cilk_spawn { result = copy.at(5); }
  cilk_sync;
}
