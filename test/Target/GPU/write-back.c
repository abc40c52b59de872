// Tests that releasing operations wait for the L2 cache's write-back on GPUs with an instruction for it. LLVM 22 leaves the wait
// out if no other access is under way. Each operation writes back once, except sequentially consistent ones.
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=isa %s | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=gfx942 --emit=isa %s | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=gfx942 --emit=llvm %s | FileCheck %s --check-prefix=LLVM
// RUN: %cilk2gpu -O2 --offload-arch=gfx1100 --emit=llvm %s | FileCheck %s --check-prefix=OTHER
#include <cilk/cilk.h>
#include <stdatomic.h>

// CHECK: {{set_k0:$}}
// CHECK: buffer_wbl2
// CHECK-NEXT: s_waitcnt vmcnt(0)
// CHECK-NOT: buffer_wbl2
// CHECK: {{flat|global}}_store_dwordx2
// LLVM: fence release
// LLVM-NEXT: call void @llvm.amdgcn.s.waitcnt(i32 3952)
// LLVM-NEXT: store atomic i64 1, {{.*}} monotonic
// LLVM: fence release
// LLVM-NEXT: call void @llvm.amdgcn.s.waitcnt(i32 3952)
// LLVM-NEXT: atomicrmw add {{.*}} acquire
// LLVM: fence release
// LLVM-NEXT: call void @llvm.amdgcn.s.waitcnt(i32 3952)
// LLVM-NEXT: store atomic i64 2, {{.*}} seq_cst
// LLVM: fence release
// LLVM-NEXT: call void @llvm.amdgcn.s.waitcnt(i32 3952)
// LLVM-NEXT: cmpxchg {{.*}} monotonic monotonic
// LLVM: fence acq_rel
// LLVM-NEXT: call void @llvm.amdgcn.s.waitcnt(i32 3952)
// OTHER-NOT: s.waitcnt
// OTHER: store atomic i64 1, {{.*}} release
void set(_Atomic long *flags, long *data, int n) {
  if (n == 0) {
    long expected = 3;
    data[0] = data[1] + 1;
    atomic_store_explicit(flags, 1, memory_order_release);
    data[1] = atomic_fetch_add_explicit(flags + 1, 1, memory_order_acq_rel);
    atomic_store(flags + 2, 2);
    atomic_compare_exchange_strong_explicit(flags + 3, &expected, 4, memory_order_release, memory_order_relaxed);
    atomic_thread_fence(memory_order_acq_rel);
    atomic_store_explicit(flags + 4, 1, memory_order_relaxed);
    return;
  }
  cilk_spawn set(flags, data, n - 1);
  cilk_spawn set(flags + 8, data + 8, n - 1);
}
