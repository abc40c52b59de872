// Tests that a read has its line in a report, though LLVM moves it out of the loop.
// RUN: %cilk2gpu -fsanitize=cilk -O2 %s -o %t
// RUN: not %t > %t.out 2> %t.err
// RUN: FileCheck %s < %t.err
#include <stdio.h>
long shared, n = 10;
static void put(void) { shared = 5; }

static long sum(long *values) {
  long result = 0;
  for (int i = 0; i < n; ++i)
    result += i *
              shared; // CHECK: a read of shared in sum at {{.*}}race-moved.c:[[@LINE]]:15
  return result;
}

int main(void) {
  long values[3] = {1, 2, 3};
  cilk_spawn put();
  long result = sum(values);
  cilk_sync;
  printf("%ld\n", result);
}
