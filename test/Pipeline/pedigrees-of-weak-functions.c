// Tests that strands of weak functions have the same pedigrees in tasks, in elisions, and in the serial elision.
// RUN: %cilk2gpu -O1 -fcilk-pedigrees -fserial-elision %s -o %t && %t > %t.expected
// RUN: %cilk2gpu -O1 -fcilk-pedigrees -fserial-elision -Dweak=unused %s -o %t && %t | diff - %t.expected
// RUN: %cilk2gpu -O2 -fcilk-pedigrees %s -o %t && env CILK2GPU_ELIDE=never %t | diff - %t.expected
// RUN: env CILK2GPU_ELIDE=always %t | diff - %t.expected
// RUN: env CILK2GPU_DEVICE=serial %t | diff - %t.expected
// RUN: FileCheck %s < %t.expected
// CHECK: {{^[1-9][0-9]+$}}
#include <cilk/cilk_api.h>
#include <stdio.h>

__attribute__((weak)) unsigned long walk(int n) {
  unsigned long number = __cilkrts_get_dprand() % 1000;
  if (n < 2)
    return number;
  unsigned long x = cilk_spawn walk(n - 1);
  unsigned long y = walk(n - 2);
  cilk_sync;
  return x * 3 + y + number + __cilkrts_get_dprand() % 7;
}
unsigned long run(int n) {
  unsigned long x = cilk_spawn walk(n);
  unsigned long y = cilk_spawn walk(n - 1);
  unsigned long z = walk(3);
  cilk_sync;
  return x * 7 + y + z;
}
int main(void) {
  unsigned long x = cilk_spawn run(9);
  cilk_sync;
  printf("%lu\n", x);
}
