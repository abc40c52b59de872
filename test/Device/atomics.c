// Tests that the order of a program's atomic operations is kept: LLVM 22's NVPTX drops it from read-modify-writes, so
// fences stand around them.
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=ptx %s | FileCheck %s
#include <cilk/cilk.h>
#include <stdatomic.h>

void count(_Atomic long *total, long *seen, int n) {
  if (n == 0) {
    // CHECK: fence.{{sc|acq_rel}}
    // CHECK: atom{{.*}}add.u64
    // CHECK: fence.{{sc|acq_rel}}
    *seen = atomic_fetch_add(total, 1);
    return;
  }
  cilk_spawn count(total, seen, n - 1);
  cilk_spawn count(total, seen + 1, n - 1);
}
