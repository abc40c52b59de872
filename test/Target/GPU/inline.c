// Tests that inline functions of C run on devices without being inlined, also if their external definition is in a file without
// device code.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O2 -c -DDEFINE %s -o define.o
// RUN: %cilk2gpu -O1 --offload-arch=sm_90,gfx90a %s define.o -Rpass-analysis=cilk -o some 2>&1 | FileCheck %s --allow-empty
// RUN: %cilk2gpu -O2 --offload-arch=sm_90,gfx90a %s define.o -Rpass-analysis=cilk -o more 2>&1 | FileCheck %s --allow-empty
// RUN: %cilk2gpu -O0 --offload-arch=sm_90,gfx90a %s define.o -o none
// RUN: ./some && ./more && ./none
// CHECK-NOT: error:
// CHECK-NOT: calls 'fib'
#ifdef DEFINE
extern
#endif
inline long fib(long i) { return i < 2 ? i : fib(i - 1) + fib(i - 2); }

#ifndef DEFINE
#include <cilk/cilk.h>

long (*volatile pointer)(long) = fib;

int main(void) {
  long r[10];
  cilk_for (int i = 0; i < 10; i++)
    r[i] = fib(i) + pointer(i);
  return r[9] != 68;
}
#endif
