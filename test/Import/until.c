// Tests that the import into MLIR can be stopped after each pass, and that a wrong name is an error.
// RUN: %cilk2gpu -S -emit-llvm -O1 -Xclang -disable-llvm-passes %s -o %t.ll
// RUN: cilk-llvm-opt --extract --until=cilk-extract-tasks %t.ll | FileCheck %s --check-prefix=TASKS
// RUN: cilk-llvm-opt --extract %t.ll | FileCheck %s --check-prefix=NORMAL
// RUN: not cilk-llvm-opt --passes=cilk-no-such-pass %t.ll 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not cilk-llvm-opt --extract --until=cilk-no-such-pass %t.ll 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: cilk-llvm-opt --help-passes | FileCheck %s --check-prefix=HELP
#include <cilk/cilk.h>

// TASKS-LABEL: define {{.*}}@twice(
// TASKS: sext
// TASKS: call void @__cilk2gpu_spawn_end
// NORMAL-LABEL: define {{.*}}@twice(
// NORMAL: call void @twice.spawn0(
// NORMAL-NEXT: call void @__cilk2gpu_spawn_end
// UNKNOWN: cilk-llvm-opt: error: unknown pass name 'cilk-no-such-pass'
// NEVER: cilk-llvm-opt: error: the pass 'cilk-no-such-pass' of --until has not run; --help-passes lists the passes
// HELP: On a translation unit, before its Cilk functions are taken out of it:
// HELP: cilk-normalise-spawns
// HELP-NEXT: Brings each spawn into normal form
int child(int);
long twice(int n) {
  long x = cilk_spawn child(n);
  cilk_sync;
  return x;
}
