// Tests built-in functions that only a host has, and floating-point environments that a program sets. Each is an error
// at its line, although LLVM's verifier or back ends may accept it.
// RUN: not %cilk2gpu -O2 --offload-arch=sm_90 --emit=ptx %s 2>&1 | FileCheck %s
// RUN: not %cilk2gpu -O2 --offload-arch=gfx90a --emit=isa %s 2>&1 | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a -foffload-fallback %s -o %t 2>&1 | FileCheck %s
// RUN: %t
#include <cilk/cilk.h>

double reals[64];
long numbers[64];

__attribute__((noinline)) double third(int n) {
#pragma STDC FENV_ACCESS ON
  // CHECK-DAG: refused-builtins.c:[[#@LINE+1]]:{{[0-9]+}}: {{error|warning}}: a task on a GPU computes where the rounding mode or traps may have been set (FENV_ACCESS, -frounding-math, -ffp-model=strict), but no program can set them on a GPU; compile the function without these options
  return reals[n] / 3;
}

int task(int n) {
  if (n < 2) {
    // CHECK-DAG: refused-builtins.c:[[#@LINE+1]]:{{[0-9]+}}: {{error|warning}}: a task on a GPU uses '__builtin_thread_pointer', which only the host has; write the code without it
    numbers[n] = (long)__builtin_thread_pointer();
    // CHECK-DAG: refused-builtins.c:[[#@LINE+1]]:{{[0-9]+}}: {{error|warning}}: a task on a GPU uses '__builtin_frame_address', which only the host has; write the code without it
    numbers[n + 2] = (long)__builtin_frame_address(0);
    // CHECK-DAG: refused-builtins.c:[[#@LINE+1]]:{{[0-9]+}}: {{error|warning}}: a task on a GPU uses '__builtin_stack_address', which only the host has; write the code without it
    numbers[n + 4] = (long)__builtin_stack_address();
    // CHECK-DAG: refused-builtins.c:[[#@LINE+1]]:{{[0-9]+}}: {{error|warning}}: a task on a GPU uses '__builtin___clear_cache', which only the host has; write the code without it
    __builtin___clear_cache((char *)numbers, (char *)(numbers + 1));
    reals[n] = third(n);
    return n;
  }
  int x = cilk_spawn task(n - 1);
  int y = task(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) { return task(2) != 1; }
