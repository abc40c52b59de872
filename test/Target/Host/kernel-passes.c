// Tests that vector forms and forms for restarting lanes go through few of LLVM's passes, once. Code generation sees vector
// forms as functions like others. It does not optimise forms for restarting lanes, which rarely run.
// RUN: cilk2gpu -O2 -fcilk-lanes=simd -fcilk-vector-isa=avx2 -S -emit-llvm %s -o %t.ll -Xclang -fdebug-pass-manager 2> %t.passes
// RUN: grep 'Running pass: .* on walk.k0' %t.passes > %t.kernels
// RUN: FileCheck --check-prefix=VECTORS --input-file=%t.kernels --implicit-check-not='InstCombinePass on walk.k0.simd' \
// RUN:     --implicit-check-not='SLPVectorizerPass on walk.k0.simd' %s
// RUN: FileCheck --check-prefix=RESTARTS --input-file=%t.kernels --implicit-check-not='InstCombinePass on walk.k0.resume' \
// RUN:     --implicit-check-not='GVNPass on walk.k0.resume' %s
// RUN: FileCheck --check-prefix=SCALAR --input-file=%t.kernels %s
// RUN: FileCheck --check-prefix=IR --input-file=%t.ll --implicit-check-not=own-passes \
// RUN:     --implicit-check-not='walk.k0.lanes' --implicit-check-not='@walk.k0.restart' %s
#include <cilk/cilk.h>

// VECTORS: Running pass: InstCombinePass on walk.k0.simd.avx2
// RESTARTS: Running pass: GVNPass on walk.k0.resume
// SCALAR-COUNT-3: Running pass: InstCombinePass on walk.k0 (

// IR-DAG: define internal void @walk.k0.simd.avx2({{.*}} #[[SIMD:[0-9]+]]
// IR-DAG: define internal void @walk.k0.resume({{.*}} #[[COLD:[0-9]+]]
// IR-DAG: attributes #[[SIMD]] = { uwtable "{{.*}}"prefer-vector-width"
// IR-DAG: attributes #[[COLD]] = { cold {{.*}}noinline optnone
int walk(int n, int *sums) {
  if (n < 2)
    return n * sums[0];
  int x = cilk_spawn walk(n - 1, sums), y = cilk_spawn walk(n - 2, sums);
  cilk_sync;
  return x * y;
}
