// Tests that pedigrees behind an exception that leaves a child, or an iteration, are the same for every schedule. The serial
// elision leaves out the rest of the parent, so its ranks may be others.
// RUN: %cilk2gpu++ -O2 -fcilk-pedigrees %s -o %t
// RUN: %t > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WAVE=3 CILK2GPU_WIDTH=1 CILK2GPU_WORKERS=3 %t | cmp - %t.expected
// RUN: env CILK2GPU_ELIDE=always %t | cmp - %t.expected
// RUN: env CILK2GPU_DEVICE=serial %t | cmp - %t.expected
// RUN: env CILK2GPU_DEVICE=model %t | cmp - %t.expected
// RUN: %cilk2gpu++ -O0 -fcilk-pedigrees %s -o %t.debug
// RUN: %t.debug | cmp - %t.expected
#include <cilk/cilk_api.h>
#include <cstdio>
#include <stdexcept>

static unsigned long long ranks[512], numbers[512];

static void mark(int at) {
  ranks[at] = __cilkrts_get_pedigree().rank;
  numbers[at] = __cilkrts_get_dprand();
}

static void child(int k) {
  mark(k);
  if (k % 5 == 3)
    throw std::runtime_error("child");
  cilk_spawn mark(20 + k);
  cilk_sync;
  mark(40 + k);
}

static int parent(int k) {
  try {
    cilk_spawn child(k);
    mark(60 + k);
    cilk_spawn child(k + 1);
    mark(80 + k);
    cilk_sync;
  } catch (const std::exception &) {
    mark(100 + k);
    return 1;
  }
  mark(120 + k);
  return 0;
}

static int loop(int k) {
  try {
    cilk_for (int i = 0; i < 7; ++i) {
      mark(200 + 10 * k + i);
      if (k == 3 && i == 4)
        throw 5;
      cilk_spawn mark(300 + 10 * k + i);
    }
  } catch (int) {
    mark(400 + k);
    return 1;
  }
  mark(420 + k);
  return 0;
}

int main() {
  int caught = 0;
  for (int k = 0; k < 16; k += 2)
    caught += parent(k);
  for (int k = 0; k < 6; ++k) {
    int one = cilk_spawn loop(k);
    cilk_sync;
    caught += one;
  }
  // In parent(0), two spawns, two random numbers, a sync, a third number and the end of the call raise the rank to 7. The
  // first five raise it to 12 in parent(2), where the sync throws.
  // CHECK: caught 4
  std::printf("caught %d\n", caught);
  // CHECK: 62: 8,
  // CHECK: 102: 12,
  // CHECK-NOT: 122:
  for (int at = 0; at < 512; ++at)
    if (numbers[at])
      std::printf("%d: %llu, %llx\n", at, ranks[at], numbers[at]);
}
