// Sixteen functions that spawn one another in a ring, with a step of one and a step of five. Every task can reach every
// other, so each sync waits for all of them.
#include <cilk/cilk.h>
#include <stdio.h>

long f0(long), f1(long), f2(long), f3(long), f4(long), f5(long), f6(long), f7(long);
long f8(long), f9(long), f10(long), f11(long), f12(long), f13(long), f14(long), f15(long);

#define TASK(NAME, NEXT, OTHER) \
  long NAME(long n) { \
    if (n < 2) \
      return n; \
    long a = cilk_spawn NEXT(n - 1); \
    long b = cilk_spawn OTHER(n - 2); \
    cilk_sync; \
    return a + b; \
  }

TASK(f0, f1, f5)
TASK(f1, f2, f6)
TASK(f2, f3, f7)
TASK(f3, f4, f8)
TASK(f4, f5, f9)
TASK(f5, f6, f10)
TASK(f6, f7, f11)
TASK(f7, f8, f12)
TASK(f8, f9, f13)
TASK(f9, f10, f14)
TASK(f10, f11, f15)
TASK(f11, f12, f0)
TASK(f12, f13, f1)
TASK(f13, f14, f2)
TASK(f14, f15, f3)
TASK(f15, f0, f4)

int main(void) { printf("%ld\n", f0(20)); }
