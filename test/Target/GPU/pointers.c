// Tests calls through pointers on a GPU. A table leads from the host's addresses to the device's versions of functions that the
// program points at and a GPU can run. Known functions are called directly and need no table.
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm %s | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=llvm %s | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=hsaco %s -o %t.co
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm -DKNOWN %s | FileCheck %s --check-prefix=KNOWN
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm -DCHOSEN %s | FileCheck %s --check-prefix=CHOSEN
// RUN: not %cilk2gpu -O2 --offload-arch=sm_90 --emit=ptx -DNONE %s 2>&1 | FileCheck %s --check-prefix=NONE
#include <cilk/cilk.h>
#include <unistd.h>

__attribute__((noinline)) static long twice(long x) { return 2 * x; }
long square(long x) { return x * x; }
long hostly(long x) { return x + fork(); }

// CHECK: @__cilk2gpu_function_table = internal addrspace(1) constant [2 x { ptr addrspace(1), ptr }]
// CHECK-SAME: @__cilk2gpu_address_{{[0-9a-f]+}}, ptr @{{[^ ]*(twice|square)}}
// CHECK-SAME: @__cilk2gpu_address_{{[0-9a-f]+}}, ptr @{{[^ ]*(twice|square)}}
// CHECK: @__cilk2gpu_deep_stack
// CHECK: [[TARGET:%.*]] = {{.*}}call ptr @__cilk2gpu_device_function(
// CHECK: call i64 [[TARGET]](
// KNOWN-NOT: @__cilk2gpu_function_table
// A constant table is the host's: pointers read from it are looked up. (A copy would hold the device's addresses.)
// CHOSEN-NOT: [{{[23]}} x ptr]
// CHOSEN: @__cilk2gpu_function_table
// CHOSEN-NOT: [{{[23]}} x ptr]
#if defined(KNOWN) || defined(CHOSEN)
#define TABLE const
#else
#define TABLE
#endif
#ifdef NONE
long (*TABLE functions[])(long) = {hostly};
#else
long (*TABLE functions[])(long) = {twice, square
#ifndef KNOWN
                                   , hostly
#endif
};
#endif

long apply(int n, int which) {
  if (n == 0)
#ifdef KNOWN
    return functions[1](3);
#else
    // NONE: pointers.c:[[#@LINE+1]]:{{[0-9]+}}: error: a task on a GPU calls through a pointer, but no function of this type
    return functions[which](3);
#endif
  long a = cilk_spawn apply(n - 1, which);
  long b = apply(n - 1, which);
  cilk_sync;
  return a + b;
}
