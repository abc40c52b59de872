// Tests that the stack of a child which has ended has no accesses any more: the next child uses the same memory for other
// variables, whose size may only be known when it runs.
// RUN: %cilk2gpu -fsanitize=cilk -O0 %s -o %t && %t 2>&1 | FileCheck %s
// RUN: %cilk2gpu -fsanitize=cilk -O1 %s -o %t && %t 2>&1 | FileCheck %s
// CHECK: {{^}}77{{$}}
// CHECK-NOT: race
#include <alloca.h>
#include <cilk/cilk.h>
#include <stdio.h>

__attribute__((noinline)) static void fill(int *numbers, int n) {
  for (int i = 0; i < n; ++i)
    numbers[i] = n;
}
__attribute__((noinline)) static int child(int n) {
  int *numbers = alloca(n * sizeof(int));
  fill(numbers, n);
  return numbers[n / 2];
}

int main(void) {
  int a = cilk_spawn child(10);
  int b = cilk_spawn child(12);
  int c = cilk_spawn child(55);
  cilk_sync;
  printf("%d\n", a + b + c);
}
