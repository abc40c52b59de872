// Tests that Clang's options show the passes on LLVM IR in a compilation, with the names that pipelines use.
// RUN: %cilk2gpu -O2 -S %s -o /dev/null -mllvm -print-before=cilk-normalise-spawns -mllvm -print-after=cilk-extract-tasks 2>&1 | FileCheck %s --check-prefix=PRINT
// RUN: %cilk2gpu -O2 -S %s -o /dev/null -ftime-report 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: %cilk2gpu -O2 -S -mllvm -opt-bisect-limit=0 %s -o - 2>/dev/null | FileCheck %s --check-prefix=BISECT
#include <cilk/cilk.h>

// PRINT: IR Dump After {{.*}}ExtractTasksPass
// PRINT: IR Dump Before {{.*}}NormaliseSpawnsPass
// PRINT: call void @__cilk2gpu_spawn_begin
// PRINT-NOT: IR Dump
// TIME: NormaliseSpawnsPass
// BISECT: __cilk2gpu_task_fib
long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}
