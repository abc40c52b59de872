// Tests that nested loops are not cut into a task for each iteration, which would cost more than a stencil's cell does: there are
// enough tasks without that. A given grain size is obeyed.
// RUN: %cilk2gpu -O2 %s -o %t
// RUN: env CILK2GPU_WORKERS=1 CILK2GPU_ELIDE=never CILK2GPU_STATS=- %t 2>&1 | FileCheck %s
// RUN: env CILK2GPU_WORKERS=1 CILK2GPU_ELIDE=never CILK2GPU_STATS=- %t 1 2>&1 | FileCheck %s --check-prefix=ONE
// Fewer than 60,000 tasks for 512 * 512 cells, or 512 * 1024 including tasks that only split.
// CHECK: {{^tasks +([0-9][0-9]?[0-9]?[0-9]?|[1-5][0-9][0-9][0-9][0-9]) tasks}}
// ONE: {{^tasks +[0-9][0-9][0-9][0-9][0-9][0-9] tasks}}
#include <cilk/cilk.h>

enum { kSide = 512 };
static int cells[kSide][kSide];

static void each(int n) {
  cilk_for (int i = 0; i < n; ++i)
    cilk_for (int j = 0; j < n; ++j)
      cells[i][j] += i ^ j;
}

static void one(int n) {
#pragma cilk grainsize = 1
  cilk_for (int i = 0; i < n; ++i)
#pragma cilk grainsize = 1
    cilk_for (int j = 0; j < n; ++j)
      cells[i][j] += i ^ j;
}

int main(int argc, char **argv) {
  (argc > 1 ? one : each)(kSide);
  return cells[3][5] != 6;
}
