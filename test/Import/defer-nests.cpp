// Tests the slot for exceptions that leave iterations of a doacross nest. It is emptied once, in front of the waves. A
// wave reads the place of the first exception of earlier waves, and passes it to its tiles as a value. The exception is
// thrown behind the waves. Nothing is left of the slot if iterations throw nothing.
// RUN: %cilk2gpuxx -fcilk-exceptions -O1 --emit=cilk %s -o - | FileCheck %s
// RUN: %cilk2gpuxx -fcilk-exceptions -O1 --emit=cilk -DCALM %s -o - | FileCheck %s --check-prefix=CALM --implicit-check-not='array<3 x i64>' --implicit-check-not=__cilk2gpu_doacross_thrown
int risky(int n);
int quiet(int n) noexcept;

// CHECK-LABEL: llvm.func internal @_Z4nesti.throwing(
// CHECK: %[[SLOT:.*]] = llvm.alloca {{.*}}!llvm.array<3 x i64>
// CHECK: llvm.store %{{.*}}, %[[SLOT]]
// CHECK: ^bb
// CHECK-NOT: llvm.store %{{.*}}, %[[SLOT]]
// CHECK: %[[HELD:.*]] = llvm.load %[[SLOT]]
// CHECK: %[[NONE:.*]] = llvm.icmp "eq" %[[HELD]],
// CHECK: %[[FIRST:.*]] = llvm.select %[[NONE]], %{{.*}}, %{{.*}} : i1, i64
// CHECK: cilk.call @_Z4nesti.throwing.for0({{.*}}%[[FIRST]], {{.*}}%[[SLOT]])
// CHECK: llvm.call @__cilk2gpu_defer_exception(
#ifndef CALM
void nest(int n) {
#pragma cilk doacross(i-1,j) (i,j-1) tile(4,4)
  cilk_for (int i = 1; i < n; ++i)
    cilk_for (int j = 1; j < n; ++j)
      risky(i * j);
}
#endif

// CHECK-LABEL: llvm.func internal @_Z4nesti.throwing.for0.loop(
// CHECK: llvm.call @__cilk2gpu_defer_caught(

// CALM: llvm.func @_Z4calmi({{.*}}cilk.task
// CALM: cilk.call @_Z4calmi.for0(
void calm(int n) {
#pragma cilk doacross(i-1,j) (i,j-1) tile(4,4)
  cilk_for (int i = 1; i < n; ++i)
    cilk_for (int j = 1; j < n; ++j)
      quiet(i * j);
}
