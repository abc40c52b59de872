// Tests an endless recursion with one child at a time, which runs as its elision: it ends with a message when the stack of
// elisions is full. If the process has few addresses, that stack has one gigabyte. With `auto`, the choice for the elision
// may come too late on a busy machine.
// RUN: cilk2gpu -O2 %s -o %t
// RUN: not sh -c 'ulimit -v 8000000; exec env CILK2GPU_ELIDE=always CILK2GPU_WORKERS=1 %t' 2>&1 | FileCheck %s
// CHECK: error: out of memory: the stack of serial elisions is full in 'deeper'; does its recursion end?

#include <cilk/cilk.h>
#include <stdio.h>

static long deeper(long n, volatile long *end) {
  if (n == *end)
    return 0;
  volatile char large[1000];
  large[n % 100] = 1;
  long below = cilk_spawn deeper(n + 1, end);
  cilk_sync;
  return below * large[n % 100];
}

int main(void) {
  volatile long end = -1;
  printf("%ld\n", deeper(0, &end));
  return 0;
}
