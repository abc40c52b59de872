// Tests that a kernel that feeds very many others keeps no count of each of them in a variable. Values that every path carries
// along cost code in proportion to paths times variables.
// RUN: cilk2gpu -O2 --emit=channel %s -o - | cilk-opt --channel-make-resumable --convert-channel-to-llvm | FileCheck %s
// The wave, the lane and the site; variables and addresses of 16 counts.
// CHECK: llvm.func internal @many.k0.lane{{\((%arg[0-9]+: (!llvm\.ptr|i64|i32)(, )?){35}\)}} attributes
#include <cilk/cilk.h>
#define CASE(n) case n: x = cilk_spawn many(x - n); cilk_sync; ++x; break;
#define FOUR(n) CASE(n) CASE(n + 1) CASE(n + 2) CASE(n + 3)
int many(int x) {
  switch (x) {
    FOUR(0) FOUR(4) FOUR(8) FOUR(12) FOUR(16)
  }
  return x;
}
// A call that makes room for one count does not change the others.
// CHECK: llvm.call @__cilk2gpu_talloc(
// CHECK-NEXT: llvm.load
// CHECK-NEXT: llvm.store
// CHECK-NEXT: llvm.mlir.constant(0 : i32)
// CHECK-NEXT: llvm.icmp "ne"
