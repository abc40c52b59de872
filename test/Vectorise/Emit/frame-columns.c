// Tests that lanes with consecutive frames load and store a field as a whole. Other lanes gather and scatter
// fields.
// RUN: cilk2gpu -O2 -march=x86-64-v4 -Rpass=cilk --emit=llvm %s -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: kernel 'fib.k1' runs 32 lanes at once with AVX-512
// RUN: FileCheck %s < %t.ll

// Both results and the task's own destination, in eight lanes each from two groups.
// CHECK-LABEL: define {{.*}} @fib.k1.simd.avx512
// CHECK-NOT: @llvm.masked.gather
// CHECK: br i1 %{{.*}}, label %[[TOGETHER:.*]], label %[[APART:.*]], !prof
// CHECK-DAG: call {{.*}} @llvm.masked.load.v8f64
// CHECK-DAG: call {{.*}} @llvm.masked.gather.v32f64

static double fib(int n) {
  if (n < 2)
    return n;
  double a = cilk_spawn fib(n - 1);
  double b = fib(n - 2);
  cilk_sync;
  return a + b;
}

double run(int n) { return fib(n); }
