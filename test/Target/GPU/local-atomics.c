// Tests atomic operations through pointers that may lead to a lane's own variable. NVIDIA's atomic instructions know no local
// memory, so this path has ordinary operations. For global memory, there is no test of the address.
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm %s | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=ptx %s | FileCheck %s --check-prefix=PTX
#include <cilk/cilk.h>
#include <stdatomic.h>

atomic_int total;

// CHECK: define internal{{.*}} i32 @{{.*}}_bump(
// CHECK: %[[LOCAL:.*]] = call i1 @llvm.nvvm.isspacep.local(ptr [[P:%[^ ,)]+]])
// CHECK-NEXT: br i1 %[[LOCAL]]
// CHECK: %[[OLD:.*]] = load i32, ptr [[P]]
// CHECK: add i32 %[[OLD]],
// CHECK: store i32 %{{.*}}, ptr [[P]]
// CHECK: atomicrmw add ptr [[P]], i32 3 monotonic
// CHECK: phi i32 [ %[[OLD]], %{{.*}} ], [ %
// CHECK: isspacep.local
// CHECK: cmpxchg
// CHECK: isspacep.local
// CHECK: load atomic
// PTX: .func {{.*}}_bump(
// PTX: isspacep.local
// PTX: atom.add.u32
__attribute__((noinline)) static int bump(atomic_int *p, atomic_long *q, int n) {
  long expected = 3;
  int old = atomic_fetch_add(p, n);
  atomic_compare_exchange_strong(q, &expected, n);
  return old + (int)atomic_load(q);
}

// CHECK: define internal{{.*}} @{{.*}}_count(
// CHECK-NOT: isspacep
// CHECK: atomicrmw add ptr
__attribute__((noinline)) static void count(int n) { atomic_fetch_add(&total, n); }

int sum(int n) {
  atomic_int x = n;
  atomic_long y = n;
  if (n == 0)
    return bump(&x, &y, 3);
  int a = cilk_spawn sum(n - 1);
  count(n);
  cilk_sync;
  return a + x;
}
