// Tests that code which several functions need is compiled once. The scalar kernel of a cilk_for calls the loop that is
// also the elision. An entry calls its elision, and is not inlined.
// RUN: %cilk2gpu -O2 -fcilk-lanes=scalar -S -emit-llvm %s -o - | FileCheck %s
#include <cilk/cilk.h>
void add(long *to, const long *from, long n) {
  cilk_for (long i = 0; i < n; ++i)
    for (long k = from[i]; k; k >>= 1)
      to[i] += k;
}
void twice(long *to, const long *from, long n) {
  add(to, from, n);
  add(to, from, n + 1);
}
// CHECK-LABEL: define {{.*}}void @twice(
// CHECK: call void @add(
// CHECK: call void @add(
// CHECK-LABEL: define {{.*}}void @add(
// CHECK-NOT: load i64
// CHECK: call {{.*}}@add.serial(
// CHECK-LABEL: define {{.*}}void @add.for0.k0(
// CHECK-NOT: ashr
// CHECK: call {{.*}}@add.for0.loop(
// CHECK-NOT: ashr
// CHECK: }
