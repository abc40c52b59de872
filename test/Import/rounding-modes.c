// Tests that arithmetic in a rounding mode that is only known at run time is refused in functions that spawn, because tasks may
// run in other threads. Other functions may contain such arithmetic.
// RUN: not %cilk2gpu -c -frounding-math -DSPAWNS %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %cilk2gpu -O2 -c -ffp-exception-behavior=strict -DSPAWNS %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %cilk2gpu -c -DSPAWNS -DPRAGMA %s -o %t.o 2>&1 | FileCheck %s
// RUN: %cilk2gpu -O2 -frounding-math %s -o %t -lm && %t | FileCheck %s --check-prefix=BESIDE
// BESIDE: 1
#include <cilk/cilk.h>
#include <fenv.h>
#include <stdio.h>

static double third(double one, int mode) {
  fesetround(mode);
  double result = one / 3;
  fesetround(FE_TONEAREST);
  return result;
}
int differ(double one) {
  double up = cilk_spawn third(one, FE_UPWARD);
  double down = cilk_spawn third(one, FE_DOWNWARD);
  cilk_sync;
#ifdef SPAWNS
  {
#ifdef PRAGMA
#pragma STDC FENV_ACCESS ON
#endif
    // CHECK: rounding-modes.c:[[@LINE+1]]:{{.*}}a function that spawns cannot contain arithmetic under -frounding-math, -ffp-exception-behavior= or FENV_ACCESS, because its tasks may run in threads with another rounding mode; move it to a function without spawn and sync
    up = up + one;
  }
#endif
  return !__builtin_memcmp(&up, &down, sizeof up) ? 0 : 1;
}
int main(void) { printf("%d\n", differ(1)); }
