// Tests that references lead to variables: of lambdas in the same function, and of lambdas that a template gets. Variables
// that are only read are passed by value, through the template, to the loop's body.
// RUN: %cilk2gpuxx -O1 --emit=cilk %s | FileCheck %s
// RUN: %cilk2gpuxx -O1 %s -o %t && env CILK2GPU_ELIDE=never %t | FileCheck %s --check-prefix=OUT
#include <cilk/cilk.h>
#include <cstdio>

template <class F> static void loop(int n, F f) {
  cilk_for (int i = 0; i < n; ++i)
    f(i);
}
template <class F> static void outer(int n, const F &f) { loop(n, [&f](int i) { f(i); }); }

// The loop gets two numbers and a pointer behind the range and the grain.
// CHECK-DAG: llvm.func internal @_Z4samePlii.for0.loop(%{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i32, %{{[^:]*}}: i32, %{{[^:]*}}: !llvm.ptr)
void same(long *r, int n, int k) {
  auto f = [&](int i) { r[i] += k * n; };
  k += 2;
  cilk_for (int i = 0; i < n; ++i)
    f(i);
}

// The template with the lambda of `pass` gets what the references lead to.
// CHECK-DAG: llvm.func internal @_ZL4loopIZ4passPliiE3$_0EviT_(%{{[^:]*}}: i32{{[^:]*}}, %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: i32, %{{[^:]*}}: i32)
void pass(long *r, int n, int k) {
  loop(n, [&](int i) { r[i] += k * n; });
  k = 0;
}

// The lambda of `write` changes a variable, which stays where it is.
// CHECK-DAG: llvm.func internal @_ZL4loopIZ5writePlE3$_0EviT_(%{{[^:]*}}: i32{{[^:]*}}, %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: !llvm.ptr)
long write(long *r) {
  long x = 0;
  loop(1, [&](int i) { x += r[i]; });
  return x;
}

// Through a second template and a second lambda.
// CHECK-DAG: llvm.func internal @_ZL4loopIZL5outerIZ7throughPlE3$_0EviRKT_EUliE_EviS3_(%{{[^:]*}}: i32{{[^:]*}}, %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: i64)
void through(long *r) {
  long x = r[0];
  outer(3, [&](int i) { r[i] -= x; });
}

int main() {
  long r[4] = {1, 2, 3, 4};
  same(r, 4, 1);
  pass(r, 4, 10);
  long w = write(r);
  through(r);
  // OUT: 53 0 1 56
  printf("%ld %ld %ld %ld\n", w, r[0], r[1], r[3]);
}
