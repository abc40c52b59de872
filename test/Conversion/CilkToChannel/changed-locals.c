// Tests that a variable which one part of a function only reads is saved behind a later part that changes it.
// RUN: %cilk2gpu -O0 %s -o %t && env CILK2GPU_ELIDE=never %t | FileCheck %s
// RUN: %cilk2gpu -O2 %s -o %t && env CILK2GPU_ELIDE=never %t | FileCheck %s
// RUN: %cilk2gpu -O2 -fserial-elision %s -o %t && %t | FileCheck %s
// CHECK: {{^}}7064{{$}}
#include <cilk/cilk.h>
#include <stdio.h>

__attribute__((noinline)) static void change(int *value, int n) { *value = *value * 3 + n; }

int f(int n) {
  if (n < 1)
    return 1;
  int value = n;
  change(&value, 1);
  int x = cilk_spawn f(n - 1);
  cilk_sync;
  x += value;
  int y = cilk_spawn f(n - 2);
  cilk_sync;
  change(&value, y);
  int z = cilk_spawn f(n - 3);
  cilk_sync;
  return x + y + z + value;
}

int main(void) { printf("%d\n", f(8)); }
