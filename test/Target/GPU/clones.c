// Tests that tasks run as their serial elisions if a device has no room for them. A few tasks do so if most levels have
// room; on demand, all but roots do so. A lane's stack bounds the elisions, and the results are the same.
// RUN: %cilk2gpu -O2 --offload-arch=gpu-host %s -o %t
// RUN: env CILK2GPU_DEVICE=gpu-host CILK2GPU_STATS=- %t 20 2>&1 | FileCheck %s --check-prefixes=RESULT,NONE
// RUN: env CILK2GPU_DEVICE=gpu-host CILK2GPU_ELIDE=always CILK2GPU_STATS=- %t 20 2>&1 | FileCheck %s --check-prefixes=RESULT,ALL
// RUN: env CILK2GPU_DEVICE=gpu-host CILK2GPU_MEM_CAP=24K CILK2GPU_STATS=- %t 20 2>&1 | FileCheck %s --check-prefixes=RESULT,SOME
// RUN: env CILK2GPU_DEVICE=gpu-host CILK2GPU_MEM_CAP=24K CILK2GPU_AGGREGATOR=persistent CILK2GPU_STATS=- %t 20 2>&1 | FileCheck %s --check-prefixes=RESULT,SOME
// RUN: env CILK2GPU_DEVICE=gpu-host CILK2GPU_MEM_CAP=24K CILK2GPU_WAVE=3 CILK2GPU_WIDTH=1 %t 20 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not env CILK2GPU_DEVICE=gpu-host CILK2GPU_MEM_CAP=24K CILK2GPU_ELIDE=never %t 20 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: not env CILK2GPU_DEVICE=gpu-host CILK2GPU_MEM_CAP=1M %t -1 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: not env CILK2GPU_DEVICE=gpu-host CILK2GPU_MEM_CAP=1M CILK2GPU_AGGREGATOR=persistent %t -1 2>&1 | FileCheck %s --check-prefix=ENDLESS
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

// RESULT-DAG: 6616217487
// NONE-DAG: elided {{ *}}0 tasks
// ALL-DAG: tasks {{ *}}1 tasks
// ALL-DAG: elided {{ *}}2 tasks
// SOME-DAG: elided {{ *[1-9][0-9]*}} tasks
// NEVER: CILK2GPU_MEM_CAP is too small to go on
// ENDLESS: error: out of memory: the stack of a lane is full
long weigh(long n) {
  if (n == 0 || n == 1)
    return n;
  long a = cilk_spawn weigh(n - 1);
  long b = n < 0 ? 0 : weigh(n - 2);
  cilk_sync;
  return 3 * a + b;
}

int main(int argc, char **argv) { printf("%ld\n", weigh(argc > 1 ? atol(argv[1]) : 20)); }
