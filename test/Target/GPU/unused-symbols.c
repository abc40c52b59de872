// Tests that a program links like its elision if only code that optimisation removes refers to missing symbols. Symbols that only
// images use are linked with it, or reported by the linker.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %cilk2gpu -O2 --offload-arch=sm_90,gfx90a %s -o prog && ./prog
// RUN: %cilk2gpu -O2 -fuse-ld=lld --offload-arch=sm_90 %s -o prog && ./prog
// RUN: not %cilk2gpu -O2 --offload-arch=sm_90 -DUSED %s -o prog 2>&1 | FileCheck %s --check-prefix=USED
// USED: undefined reference to `missing'
// The host squares a number without pow; a device needs pow.
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 -c -DSQUARE %s -o square.o
// RUN: llvm-nm square.o | FileCheck %s --check-prefix=WEAK
// RUN: echo 'double pow(double x, double y) { return y == 2 ? x * x : 0; }' > pow.c && %clang -c pow.c && llvm-ar rcs libpow.a pow.o
// RUN: %cilk2gpu --offload-arch=sm_90 square.o -L. -lpow -o square && ./square && llvm-nm square | FileCheck %s --check-prefix=LINKED
// RUN: %cilk2gpu --offload-arch=sm_90 -fuse-ld=lld square.o -L. -lpow -o square && ./square && llvm-nm square | FileCheck %s --check-prefix=LINKED
// WEAK: w pow
// LINKED: T pow
#include <cilk/cilk.h>

void missing(void);
extern int alsoMissing;
double pow(double, double);

static inline int isLarge(int n) { return n > 100; }

static void task(long i, double *r) {
#ifndef USED
  if (isLarge(3))
#endif
    missing();
  if (isLarge(4))
    alsoMissing++;
#ifdef SQUARE
  r[i] = pow(i, 2);
#else
  r[i] = i * i;
#endif
}

int main(void) {
  double r[20];
  cilk_for (long i = 0; i < 20; i++)
    task(i, r);
  return r[3] != 9;
}
