// Tests that a cilk_for whose variable wraps around before its condition is false ends the program with a message, on each
// device and in the serial elision. Constants do not show it here, because the bounds come from the command line.
// RUN: %cilk2gpu -O2 --offload-arch=gpu-host %s -o %t
// RUN: not env CILK2GPU_DEVICE=native %t 0 0 4294967295 2147483648 2>&1 | FileCheck %s --check-prefix=UINT
// RUN: not env CILK2GPU_DEVICE=model %t 0 0 4294967295 2147483648 2>&1 | FileCheck %s --check-prefix=UINT
// RUN: not env CILK2GPU_DEVICE=gpu-host %t 0 0 4294967295 2147483648 2>&1 | FileCheck %s --check-prefix=UINT
// RUN: not env CILK2GPU_DEVICE=serial %t 0 0 4294967295 2147483648 2>&1 | FileCheck %s --check-prefix=UINT
// UINT: error: the variable of a cilk_for reaches its bound, or passes it, before it wraps around; found first value 0, bound 4294967295, step 2147483648 and a variable of 32 bits; use a wider variable, or change the step or the condition
// RUN: not %t 1 32760 32767 2 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: found first value 32760, bound 32767, step 2 and a variable of 16 bits
// RUN: not %t 2 18446744073709551610 18446744073709551614 3 2>&1 | FileCheck %s --check-prefix=ULONG
// ULONG: found first value 18446744073709551610, bound 18446744073709551614, step 3 and a variable of 64 bits
// RUN: not %t 3 5 2 7 2>&1 | FileCheck %s --check-prefix=DOWN
// DOWN: found first value 5, bound 2, step -7 and a variable of 8 bits

// Loops that end at the last value of the type run.
// RUN: %t 0 0 4294967295 858993459 | FileCheck %s --check-prefix=FIVE
// FIVE: {{^}}5 iterations
// RUN: %t 1 32760 32767 1 | FileCheck %s --check-prefix=SEVEN
// SEVEN: {{^}}7 iterations
// RUN: %t 2 18446744073709551610 18446744073709551614 2 | FileCheck %s --check-prefix=TWO
// TWO: {{^}}2 iterations
// RUN: %t 3 9 2 7 | FileCheck %s --check-prefix=ONE
// ONE: {{^}}1 iterations
#include <stdio.h>
#include <stdlib.h>

static int count;
static void visit(void) { __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED); }

static void upInt(unsigned first, unsigned bound, unsigned step) {
  cilk_for (unsigned i = first; i < bound; i += step) visit();
}
static void upShort(short first, short bound, short step) {
  cilk_for (short i = first; i < bound; i += step) visit();
}
static void upLong(unsigned long first, unsigned long bound, unsigned long step) {
  cilk_for (unsigned long i = first; i < bound; i += step) visit();
}
static void downChar(unsigned char first, unsigned char bound, unsigned char step) {
  cilk_for (unsigned char i = first; i > bound; i -= step) visit();
}

int main(int argc, char **argv) {
  if (argc != 5)
    return 2;
  unsigned long first = strtoul(argv[2], NULL, 10), bound = strtoul(argv[3], NULL, 10), step = strtoul(argv[4], NULL, 10);
  switch (atoi(argv[1])) {
  case 0: upInt(first, bound, step); break;
  case 1: upShort(first, bound, step); break;
  case 2: upLong(first, bound, step); break;
  case 3: downChar(first, bound, step); break;
  }
  printf("%d iterations\n", count);
  return 0;
}
