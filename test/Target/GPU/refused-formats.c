// Tests that calls with a variable number of arguments that the host cannot make are refused at their lines, with the right
// reason. printf is refused, too, although LLVM has a printf of its own for AMD's GPUs.
// RUN: not %cilk2gpu -O2 --offload-arch=gfx90a %s -o %t 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not %cilk2gpu -O2 --offload-arch=sm_90 %s -o %t 2>&1 | FileCheck %s --implicit-check-not=error:
#include <cilk/cilk.h>
#include <stdio.h>

#define SIXTEEN "%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d"

long task(int n) {
  if (n < 2) {
    char text[64];
    // CHECK-DAG: refused-formats.c:[[#@LINE+1]]:{{[0-9]+}}: error: a task on a GPU calls 'printf' with more than 15 arguments, or with one that the host cannot have
    printf(SIXTEEN "\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, n);
    // CHECK-DAG: refused-formats.c:[[#@LINE+1]]:{{[0-9]+}}: error: a task on a GPU accesses errno
    printf("%d %m\n", n);
    // CHECK-DAG: refused-formats.c:[[#@LINE+1]]:{{[0-9]+}}: error: a task on a GPU calls '{{(__)?sprintf(_chk)?}}' with more than 15 arguments
    return sprintf(text, SIXTEEN, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, n);
  }
  long a = cilk_spawn task(n - 1);
  long b = task(n - 2);
  cilk_sync;
  return a + b;
}

// CHECK: linker command failed
int main(void) { return task(3) != 5; }
