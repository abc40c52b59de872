// Tests structs by value that are passed as the address of a copy, as on AArch64. The parent may make the next copy before the
// child runs. So the child's element contains the struct, and a wrapper task calls the function with an address in the
// element.
// RUN: cilk2gpu --target=aarch64-linux-gnu -O0 --emit=cilk %s | FileCheck %s
// RUN: cilk2gpu --target=aarch64-linux-gnu -O2 --emit=cilk %s | FileCheck %s
#include <cilk/cilk.h>

struct Big {
  long values[5];
};
struct Small {
  long first, second;
};

// CHECK-LABEL: llvm.func @big(
// CHECK: cilk.spawn @big.spawn0(
long big(struct Big b, int n) {
  if (n < 2)
    return b.values[n];
  b.values[0] += n;
  long x = cilk_spawn big(b, n - 1);
  b.values[0] += n;
  long y = cilk_spawn big(b, n - 2);
  cilk_sync;
  return x + y;
}

// A struct in registers has no address.
// CHECK-LABEL: llvm.func @small(
// CHECK: cilk.spawn @small(
long small(struct Small s, int n) {
  if (n < 2)
    return s.second;
  s.first += n;
  long x = cilk_spawn small(s, n - 1);
  cilk_sync;
  return x;
}

// CHECK-LABEL: llvm.func internal @big.spawn0(
// CHECK-SAME: llvm.byval = !llvm.struct<"struct.Big"
// CHECK: cilk.call @big(
