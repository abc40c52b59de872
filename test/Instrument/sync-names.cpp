// Tests that cilk-scale's hooks tell apart the syncs of a function: those with code behind them, those that a return implies, and
// those at the end.
// RUN: %cilk2gpuxx -O1 -fcilk-scale --emit=llvm %s -o - | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

struct Noted {
  int &place;
  ~Noted() { place = 1; }
};

// CHECK-LABEL: define {{.*}}i32 @_Z6behindi(
// CHECK-NOT: call {{.*}}@__cilk2gpu_scale_sync_
// CHECK: call {{.*}}@__cilk2gpu_scale_sync(
// CHECK: ret i32
int behind(int n) {
  int a = cilk_spawn leaf(n);
  int b = leaf(n - 1);
  cilk_sync;
  return a + b;
}

// Children end before destructors run.
// CHECK-LABEL: define {{.*}}i32 @_Z7impliediRi(
// CHECK-NOT: call {{.*}}@__cilk2gpu_scale_sync(
// CHECK: call {{.*}}@__cilk2gpu_scale_sync_return(
// CHECK: ret i32
int implied(int n, int &place) {
  Noted noted{place};
  cilk_spawn leaf(n);
  return leaf(n - 1);
}

// CHECK-LABEL: define {{.*}}void @_Z5atEndi(
// CHECK-NOT: call {{.*}}@__cilk2gpu_scale_sync(
// CHECK: call {{.*}}@__cilk2gpu_scale_sync_end(
// CHECK: ret void
void atEnd(int n) {
  cilk_spawn leaf(n);
  leaf(n - 1);
  cilk_sync;
}
