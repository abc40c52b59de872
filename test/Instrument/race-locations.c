// Tests that each variable and each block of the heap has a report, though the lines of the races are the same ones.
// RUN: %cilk2gpu -fsanitize=cilk -O1 %s -o %t
// RUN: not %t 2>&1 | FileCheck %s
// RUN: printf 'race:^known$\n' > %t.txt
// RUN: not env CILKSAN_OPTIONS=suppressions=%t.txt %t 2>&1 | FileCheck %s --check-prefix=SUPPRESSED
// RUN: not %t blocks 2>&1 | FileCheck %s --check-prefix=BLOCKS
#include <cilk/cilk.h>
#include <stdlib.h>

static void add(int *to) { ++*to; }

static void addTwice(int *to) {
  cilk_spawn add(to);
  add(to);
  cilk_sync;
}

static int known, unknown;
#define ADD_BOTH ++known, ++unknown

static void addBoth(void) { ADD_BOTH; }

static void addInArray(int *array, int size) {
  cilk_for (int i = 0; i < size; ++i) {
    ++array[i];
    ++array[size - 1 - i];
  }
}

int main(int argc, char **argv) {
  static int x, y, many[100];
  int first = 0, second[100] = {0};
  int *block = calloc(100, sizeof *block);
  if (argc > 1) {
    for (int i = 0; i < 200; ++i)
      addTwice(malloc(sizeof *block));
    return 0;
  }
  addTwice(&x);
  addTwice(&y);
  addTwice(&first);
  addInArray(many, 100);
  addInArray(second, 100);
  addInArray(block, 100);
  cilk_spawn addBoth();
  ADD_BOTH;
  cilk_sync;
  return first + second[1] + block[1] == 0;
}
// CHECK-COUNT-3: a write of *to in add at
// CHECK-COUNT-3: a write of array[...] in addInArray
// CHECK:         a write of known in main
// CHECK:         a write of unknown in main
// CHECK:         cilk2gpu: 8 data races

// SUPPRESSED-NOT: of known
// SUPPRESSED:     of unknown in main
// SUPPRESSED-NOT: of known
// SUPPRESSED:     cilk2gpu: 7 data races
// SUPPRESSED:     cilk2gpu: 1 race suppressed

// BLOCKS:      no more races of these two lines are reported
// BLOCKS-NEXT: cilk2gpu: 100 data races
