// Tests that a handler begins when the ordered tasks that stand before the exception have run, in tasks, iterations and
// main, also with -fno-cilk-exceptions, where exceptions may not leave a task.
// RUN: %cilk2gpuxx -O2 -fserial-elision %s -o %t.elision
// RUN: %t.elision > %t.expected
// RUN: %cilk2gpuxx -O2 %s -o %t
// RUN: env CILK2GPU_ELIDE=never %t | diff %t.expected -
// RUN: env CILK2GPU_DEVICE=serial %t | diff %t.expected -
// RUN: %cilk2gpuxx -O2 -fno-cilk-exceptions %s -o %t.none
// RUN: env CILK2GPU_ELIDE=never %t.none | diff %t.expected -
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WIDTH=1 CILK2GPU_WAVE=3 %t.none | diff %t.expected -
#include <stdio.h>

static void step(int *x) { ++*x; }

static int inside(bool throws) {
  int cell = 0;
  try {
#pragma cilk depend(inout : cell)
    cilk_spawn step(&cell);
#pragma cilk depend(inout : cell)
    cilk_spawn step(&cell);
    if (throws)
      throw 5;
    cilk_sync;
  } catch (int number) {
    cell = cell * 10 + number;
  }
  return cell;
}

int main() {
  int cell = 0, results[9];
  printf("%d %d\n", inside(false), inside(true));
  cilk_for (int i = 0; i < 9; ++i)
    results[i] = inside(i % 2);
  printf("%d %d\n", results[7], results[8]);
  cilk_for (int i = 0; i < 9; ++i) {
    results[i] = i;
    try {
#pragma cilk depend(inout : results[i])
      cilk_spawn step(&results[i]);
#pragma cilk depend(inout : results[i])
      cilk_spawn step(&results[i]);
      throw 100;
    } catch (int number) {
      results[i] += number;
    }
  }
  printf("%d %d\n", results[0], results[8]);
  try {
#pragma cilk depend(inout : cell)
    cilk_spawn step(&cell);
#pragma cilk depend(inout : cell)
    cilk_spawn step(&cell);
    throw 7;
  } catch (int number) {
    printf("%d %d\n", cell, number);
  }
}
