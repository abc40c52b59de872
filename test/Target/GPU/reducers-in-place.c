// Tests reducers that tasks on GPUs update in place: one atomic operation where the function returns, or where the reducer
// is another one. Reads of a reducer, and numbers for which GPUs have no atomic operation, are refused.
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=llvm %s | FileCheck %s
// RUN: not %cilk2gpu -O2 --offload-arch=gfx90a -DREADS %s -o %t 2>&1 | FileCheck %s --check-prefix=READS
// RUN: not %cilk2gpu -O2 --offload-arch=gfx90a -DOWN %s -o %t 2>&1 | FileCheck %s --check-prefix=CREATES
// RUN: not %cilk2gpu -O2 --offload-arch=gfx90a -DTYPE=short %s -o %t 2>&1 | FileCheck %s --check-prefix=READS
// RUN: not %cilk2gpu -O2 --offload-arch=gfx90a -DTYPE=double %s -o %t 2>&1 | FileCheck %s --check-prefix=READS
#include <cilk/cilk.h>
#include <stdio.h>

#ifndef TYPE
#define TYPE long
#endif

static void zero(void *view) { *(TYPE *)view = 0; }
static void add(void *left, void *right) { *(TYPE *)left += *(TYPE *)right; }

TYPE cilk_reducer(zero, add) sum = 0;
TYPE cilk_reducer(zero, add) parts[8];
TYPE values[1000];

// CHECK-NOT: hyper_lookup
// CHECK-NOT: __cilk2gpu_views
// CHECK: %[[ANY:.*]] = icmp eq i64 %[[OWN:.*]], 0
// CHECK-NEXT: br i1 %[[ANY]]
// CHECK: atomicrmw add ptr{{.*}}, i64 %[[OWN]]{{.*}} monotonic
// CHECK-NOT: hyper_lookup
// CHECK-NOT: __cilk2gpu_views
void loop(int n) {
  cilk_for (int i = 0; i < n; ++i) {
    sum += values[i];
    parts[i % 8] += values[i];
#ifdef READS
    // READS: reducers-in-place.c:[[#]]:{{.*}} error: a task on a GPU uses a reducer in another way
    values[i] = sum;
#endif
  }
}

#ifdef OWN
// CREATES: reducers-in-place.c:[[#]]:{{.*}} error: a task on a GPU has a reducer of its own
long own(int n) {
  TYPE cilk_reducer(zero, add) result = 0;
  cilk_for (int i = 0; i < n; ++i)
    result += values[i];
  return result;
}
#endif

int main(void) {
  loop(1000);
#ifdef OWN
  sum += own(1000);
#endif
  printf("%g\n", (double)sum);
}
