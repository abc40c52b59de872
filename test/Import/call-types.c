// Tests that calls through another type than the callee's pass their arguments by the call's type.
// RUN: cilk2gpu --target=x86_64-linux-gnu -Wno-incompatible-function-pointer-types -O1 --emit=llvm %s -o - | FileCheck %s
int leaf(int);
struct Big {
  int values[20];
};
int old(struct Big big, int n, int unused);

// CHECK-LABEL: define internal void @chain.k1
// CHECK: i32 @leaf(ptr nest
int chain(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  return x + __builtin_call_with_static_chain(leaf(3), &n);
}

// CHECK-LABEL: define internal void @shorter.k1
// CHECK: i32 @old(ptr {{.*}}byval(%struct.Big)
int shorter(struct Big big, int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  return x + ((int (*)(struct Big, int))old)(big, n);
}
