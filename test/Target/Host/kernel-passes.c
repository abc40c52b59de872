// Tests that vector forms, forms for restarting lanes, and functions without loops and calls of the user's go through few of
// LLVM's passes, once. Code generation optimises them like other functions, except forms for restarting lanes, which rarely
// run.
// RUN: cilk2gpu -O2 -fcilk-lanes=simd -fcilk-vector-isa=avx2 -S -emit-llvm %s -o %t.ll -Xclang -fdebug-pass-manager 2> %t.passes
// RUN: grep 'Running pass: .* on walk.k0' %t.passes > %t.kernels
// RUN: FileCheck --check-prefix=VECTORS --input-file=%t.kernels --implicit-check-not='InstCombinePass on walk.k0.simd' \
// RUN:     --implicit-check-not='SLPVectorizerPass on walk.k0.simd' \
// RUN:     --implicit-check-not='GVNPass on walk.k0.simd' %s
// RUN: FileCheck --check-prefix=RESTARTS --input-file=%t.kernels --implicit-check-not='InstCombinePass on walk.k0.resume' \
// RUN:     --implicit-check-not='GVNPass on walk.k0.resume' --implicit-check-not='LICMPass on walk.k0.resume' %s
// RUN: FileCheck --check-prefix=STRAIGHT --input-file=%t.kernels --implicit-check-not='SLPVectorizerPass on walk' %s
// RUN: grep 'Running pass: .* on scale.for0.k0 ' %t.passes | FileCheck --check-prefix=ITERATIONS %s
// RUN: grep 'Running pass: .* on looping.k0' %t.passes | FileCheck --check-prefix=LOOPING %s
// RUN: grep 'Running pass: .* on calling.k0' %t.passes | FileCheck --check-prefix=LOOPING %s
// RUN: grep 'Running pass: .* on real.k0' %t.passes | FileCheck --check-prefix=LOOPING %s
// RUN: FileCheck --check-prefix=IR --input-file=%t.ll --implicit-check-not=own-passes \
// RUN:     --implicit-check-not='walk.k0.lanes' --implicit-check-not='@walk.k0.restart' %s
#include <cilk/cilk.h>

// VECTORS: Running pass: InstCombinePass on walk.k0.simd.avx2
// RESTARTS: Running pass: EarlyCSEPass on walk.k0.resume
// STRAIGHT-DAG: Running pass: JumpThreadingPass on walk.k0 (
// ITERATIONS: Running pass: JumpThreadingPass on scale.for0.k0 (
// ITERATIONS-NOT: SLPVectorizerPass
// LOOPING-COUNT-3: Running pass: InstCombinePass on {{looping|calling|real}}.k0 (
// LOOPING: Running pass: SLPVectorizerPass on {{looping|calling|real}}.k0 (

// IR-DAG: define internal void @walk.k0.simd.avx2({{.*}} #[[SIMD:[0-9]+]]
// IR-DAG: define internal void @walk.k0.resume({{.*}} #[[COLD:[0-9]+]]
// IR-DAG: attributes #[[SIMD]] = { nounwind uwtable "{{.*}}"prefer-vector-width"
// IR-DAG: attributes #[[COLD]] = { cold {{.*}}noinline {{.*}}optnone
int walk(int n, int *sums) {
  if (n < 2)
    return n * sums[0];
  int x = cilk_spawn walk(n - 1, sums), y = cilk_spawn walk(n - 2, sums);
  cilk_sync;
  return x * y;
}

int looping(int n, int *sums) {
  for (int i = 0; i < n; ++i)
    sums[i] += n;
  if (n < 2)
    return n;
  int x = cilk_spawn looping(n - 1, sums), y = cilk_spawn looping(n - 2, sums);
  cilk_sync;
  return x * y;
}

int known(int n, int *sums);

int calling(int n, int *sums) {
  if (n < 2)
    return known(n, sums);
  int x = cilk_spawn calling(n - 1, sums), y = cilk_spawn calling(n - 2, sums);
  cilk_sync;
  return x * y;
}

float real(int n, float factor) {
  if (n < 2)
    return n * factor;
  float x = cilk_spawn real(n - 1, factor), y = cilk_spawn real(n - 2, factor);
  cilk_sync;
  return x * y;
}

// The iterations are in a function that throws nothing, so the kernel has no handler.
void scale(int *sums, int n) {
  cilk_for (int k = 0; k < n; ++k)
    sums[k] = sums[k] / 3 + __builtin_popcount(sums[k]);
}
