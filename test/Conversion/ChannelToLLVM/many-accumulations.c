// Tests that a kernel that adds to its accumulator in very many places keeps one sum for all of them. Values that every path
// carries along cost code in proportion to paths times variables.
// RUN: cilk2gpu -O2 --emit=channel %s -o - | cilk-opt --channel-make-resumable --convert-channel-to-llvm | FileCheck %s
// The wave, the lane and the site; variables and addresses of the counts of frames and spawned elements; the accumulator and the
// sum.
// CHECK: llvm.func internal @many.acc.k0.lane{{\((%arg[0-9]+: (!llvm\.ptr|i64|i32)(, )?){9}\)}} attributes
// With fewer additions, each has its own sum.
// CHECK: llvm.func internal @some.acc.k0.lane{{\((%arg[0-9]+: (!llvm\.ptr|i64|i32)(, )?){11}\)}} attributes
#include <cilk/cilk.h>
#define CHILD(task, i) int r##i = cilk_spawn task(n - i)
static int many(int n) {
  if (n < 2)
    return n;
  CHILD(many, 1); CHILD(many, 2); CHILD(many, 3); CHILD(many, 4); CHILD(many, 5);
  CHILD(many, 6); CHILD(many, 7); CHILD(many, 8); CHILD(many, 9); CHILD(many, 10);
  cilk_sync;
  return r1 + r2 + r3 + r4 + r5 + r6 + r7 + r8 + r9 + r10;
}
static int some(int n) {
  if (n < 2)
    return n;
  CHILD(some, 1); CHILD(some, 2);
  cilk_sync;
  return r1 + r2;
}
int call(int n) { return many(n) + some(n); }
