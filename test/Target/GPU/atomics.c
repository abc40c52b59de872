// Tests that the order of a program's atomic operations is kept. LLVM 22's NVPTX drops the order of read-modify-writes. So fences
// stand behind acquiring operations and before releasing operations.
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=ptx %s | FileCheck %s
#include <cilk/cilk.h>
#include <stdatomic.h>

void count(_Atomic long *total, long *seen, int n) {
  if (n == 0) {
    // CHECK: .visible .entry
    // CHECK-NOT: fence.
    // CHECK: fence.sc.sys;
    // CHECK-NOT: fence.
    // CHECK: atom.global.add.u64 {{.*}}, 10;
    // CHECK-NEXT: fence.sc.sys;
    seen[0] = atomic_fetch_add(total, 10);
    // CHECK-NOT: fence.
    // CHECK: fence.sc.sys;
    // CHECK-NEXT: atom.global.exch.b64 {{.*}}, 20;
    // CHECK-NEXT: fence.sc.sys;
    seen[1] = atomic_exchange(total, 20);
    // CHECK-NOT: fence.
    // CHECK: fence.sc.sys;
    // CHECK-NEXT: atom.global.and.b64 {{.*}}, 30;
    // CHECK-NEXT: fence.sc.sys;
    seen[2] = atomic_fetch_and(total, 30);
    // CHECK-NOT: fence.
    // CHECK: fence.sc.sys;
    // CHECK-NEXT: atom.global.min.s64 {{.*}}, 40;
    // CHECK-NEXT: fence.sc.sys;
    seen[3] = __atomic_fetch_min((long *)total, 40, __ATOMIC_SEQ_CST);
    // CHECK-NOT: fence.
    // CHECK: atom.global.add.u64 {{.*}}, 50;
    // CHECK-NEXT: fence.acq_rel.sys;
    seen[4] = atomic_fetch_add_explicit(total, 50, memory_order_acquire);
    // CHECK-NOT: fence.
    // CHECK: fence.acq_rel.sys;
    // CHECK-NEXT: atom.global.add.u64 {{.*}}, 60;
    seen[5] = atomic_fetch_add_explicit(total, 60, memory_order_release);
    // CHECK-NOT: fence.
    // CHECK: atom.global.add.u64 {{.*}}, 70;
    atomic_signal_fence(memory_order_seq_cst); // no signal interrupts a lane
    seen[6] = atomic_fetch_add_explicit(total, 70, memory_order_relaxed);
    // CHECK-NOT: fence.
    // CHECK: fence.acq_rel.sys;
    // CHECK-NEXT: atom.global.exch.b64 {{.*}}, 80;
    // CHECK-NEXT: fence.acq_rel.sys;
    seen[7] = atomic_exchange_explicit(total, 80, memory_order_acq_rel);
    return;
  }
  cilk_spawn count(total, seen, n - 1);
  cilk_spawn count(total, seen + 1, n - 1);
}
