// Tests that optimised code has no reports of reads that the program does not make: LLVM must not read a variable for a
// function that may read it.
// RUN: %cilk2gpu -fsanitize=cilk -O3 %s -o %t
// RUN: %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK: {{^}}5 53{{$}}
// CHECK-NOT: {{.}}
#include <stdio.h>
static long get(unsigned depth, int c, long *p) {
  if (depth == 0)
    return c ? *p : 1;
  return get(depth - 1, c, p);
}
static void put(long *p) { *p = 5; }
__attribute__((noinline)) static long plain(int c, const long *p, int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += c ? *p : i;
  return sum;
}
int main(int argc, char **argv) {
  long x = 1, y = 2;
  int zero = argc > 5;
  cilk_spawn put(&x);
  y = get(3, zero, &x);
  y += plain(zero, &x, 10);
  y += zero ? x : 7;
  cilk_sync;
  printf("%ld %ld\n", x, y);
}
