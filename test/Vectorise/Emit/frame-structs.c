// Tests that lanes load a struct of their frames as whole registers, from which they pick words. A spawn with a struct as its
// result is a spawn of the function itself, in every language and calling convention.
// RUN: split-file %s %t
// RUN: cilk2gpu -O2 -march=x86-64-v4 -Rpass=cilk -Rpass-missed=cilk --emit=llvm %t/two.c -o %t/two.ll 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: FileCheck %s --check-prefix=LOADS < %t/two.ll
// RUN: cilk2gpu -O2 -march=x86-64-v4 -Rpass=cilk -Rpass-missed=cilk --emit=llvm %t/three.c -o - 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: cilk2gpu -O2 -march=x86-64-v4 -Rpass=cilk -Rpass-missed=cilk --emit=llvm %t/pair.cpp -o - 2>&1 | FileCheck %s --check-prefix=PAIR
// TWO-DAG: remark: kernel 'fib.k0' runs 32 lanes at once with AVX-512
// TWO-DAG: remark: kernel 'fib.k1' runs 32 lanes at once with AVX-512

// LOADS-LABEL: define {{.*}} @fib.k1.simd.avx512
// LOADS-NOT: @llvm.prefetch
// LOADS: br i1 %{{.*}}, label %[[TOGETHER:.*]], label %[[APART:.*]], !prof
// LOADS: load <8 x i64>
// LOADS: shufflevector <8 x i64> %{{.*}}, <8 x i64> {{.*}}, <8 x i32> <i32 0, i32 2, i32 4, i32 6,
// Both words of a result at once.
// LOADS: store <2 x i64>
// LOADS-NOT: @llvm.masked.scatter
// LOADS: ret void

// THREE-NOT: fib.spawn0
// THREE: remark: kernel 'fib.k1' runs 32 lanes at once with AVX-512
// THREE-NOT: fib.spawn0

// PAIR-NOT: .spawn0
// PAIR: remark: kernel '{{.*}}fib{{.*}}.k1' runs 32 lanes at once with AVX-512
// PAIR-NOT: .spawn0

//--- two.c
struct two {
  long a, b;
};
static struct two fib(int n) {
  if (n < 2)
    return (struct two){n, 1};
  struct two x = cilk_spawn fib(n - 1);
  struct two y = fib(n - 2);
  cilk_sync;
  return (struct two){x.a + y.a, x.b * 3 + y.b};
}
long run(int n) { return fib(n).b; }

//--- three.c
struct three {
  double a, b, c;
};
static struct three fib(int n) {
  if (n < 2)
    return (struct three){n, 1, 2};
  struct three x = cilk_spawn fib(n - 1);
  struct three y = fib(n - 2);
  cilk_sync;
  return (struct three){x.a + y.a, x.b + y.b, x.c * y.c};
}
double run(int n) { return fib(n).b; }

//--- pair.cpp
#include <utility>
static std::pair<long, int> fib(int n) {
  if (n < 2)
    return {n, 1};
  std::pair<long, int> x = cilk_spawn fib(n - 1), y = fib(n - 2);
  cilk_sync;
  return {x.first + y.first, x.second > y.second ? x.second + 1 : y.second + 1};
}
long run(int n) { return fib(n).first; }
