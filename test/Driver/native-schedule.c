// Tests that the native device's schedules show a race: the last task to run decides the output. The same seed repeats the
// output, and devices without schedules say so.
// RUN: %cilk2gpu -O2 -fcilk-lanes=scalar --offload-arch=gpu-host %s -o %t
// RUN: env CILK2GPU_DEVICE=native CILK2GPU_WORKERS=1 %t > %t.rr
// RUN: FileCheck %s --check-prefix=GIVEN < %t.rr
// GIVEN: 99 of 100
// RUN: env CILK2GPU_DEVICE=native CILK2GPU_WORKERS=1 CILK2GPU_SCHEDULE=adversarial %t | FileCheck %s --check-prefix=REVERSED
// REVERSED: 0 of 100
// RUN: env CILK2GPU_DEVICE=native CILK2GPU_WORKERS=1 CILK2GPU_SCHEDULE=random CILK2GPU_SEED=7 %t > %t.7
// RUN: env CILK2GPU_DEVICE=native CILK2GPU_WORKERS=1 CILK2GPU_SCHEDULE=random CILK2GPU_SEED=8 %t > %t.8
// RUN: env CILK2GPU_DEVICE=native CILK2GPU_WORKERS=1 CILK2GPU_SCHEDULE=random CILK2GPU_SEED=7 %t | diff %t.7 -
// RUN: not diff %t.7 %t.8
// RUN: not diff %t.7 %t.rr
// RUN: env CILK2GPU_DEVICE=gpu-host CILK2GPU_SCHEDULE=random %t 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: warning: CILK2GPU_SCHEDULE=random has no effect with CILK2GPU_DEVICE=gpu-host: only native and model have schedules
#include <cilk/cilk.h>
#include <stdio.h>

static int last, count;

static void leave(int i) {
  last = i;
  __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
}

static void spawnAll(void) {
  for (int i = 0; i < 100; ++i)
    cilk_spawn leave(i);
}

int main(void) {
  cilk_spawn spawnAll();
  cilk_sync;
  printf("%d of %d\n", last, count);
  return 0;
}
