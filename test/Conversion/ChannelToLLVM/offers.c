// Tests where kernels offer their children to workers that wait for work: behind a spawn, before a call that may take long, and
// before a loop. Descriptors say which kernels may take long (the third number). The count of children is in its record during
// the offer, and in a register before and after.
// RUN: cilk2gpu -O2 -fcilk-lanes=scalar --emit=llvm %s -o %t.ll
// RUN: FileCheck %s --check-prefix=RECORD < %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: cilk2gpu -O2 -fcilk-lanes=scalar -fcilk-count-instructions --emit=llvm %s -o - | FileCheck %s --check-prefix=COUNTED

#include <cilk/cilk.h>
#include <stdlib.h>

void work(int *p, int n);

// RECORD-DAG: @__cilk2gpu_task_pair.kernels = {{.*}} ptr @pair.k0, ptr @pair.k0.resume, ptr null, i32 0, i16 1, i16 1,
// CHECK-LABEL: define internal void @pair.k0(ptr
// CHECK: %[[HUNGRY:.*]] = getelementptr i8, ptr %0, i64 56
// CHECK: load atomic i32, ptr %{{.*}} monotonic
// CHECK: store i64 %{{.*}}, ptr %[[COUNT:[0-9]+]], align
// CHECK-NEXT: call void @__cilk2gpu_offer(ptr
// CHECK-NEXT: load i64, ptr %[[COUNT]],
// CHECK: {{invoke|call}} void @work(
void pair(int *v, int n) {
  cilk_spawn work(v, n);
  work(v + 1, n);
  cilk_sync;
  v[0]++;
}

// The call stands before the spawn: there is nothing to offer.
// CHECK-LABEL: define internal void @first.k0(ptr
// CHECK-NOT: @__cilk2gpu_offer
// CHECK: ret void
void first(int *v, int n) {
  work(v + 1, n);
  cilk_spawn work(v, n);
  cilk_sync;
  v[0]++;
}

// A function of the C library that ends soon.
// RECORD-DAG: @__cilk2gpu_task_brief.kernels = {{.*}} ptr @brief.k0, ptr @brief.k0.resume, ptr null, i32 0, i16 1, i16 0,
// CHECK-LABEL: define internal void @brief.k0(ptr
// CHECK-NOT: @__cilk2gpu_offer
// CHECK: ret void
void brief(int *v, int n) {
  cilk_spawn work(v, n);
  free(v + 1);
  cilk_sync;
  v[0]++;
}

// CHECK-LABEL: define internal void @counting.k0(ptr
// CHECK: call void @__cilk2gpu_offer(ptr
// CHECK: ret void
void counting(volatile int *v, int n) {
  cilk_spawn work((int *)v, n);
  for (int i = 1; i < n; ++i)
    v[i] += i;
  cilk_sync;
  v[0]++;
}

// COUNTED-NOT: @__cilk2gpu_offer
