// Tests that counted code reports the instructions of its lanes: the numbers of atomics and calls, which optimisation
// does not change, are exact, even if wavefronts yield. Native runs have the same result.
// RUN: %cilk2gpu -Wall -Werror -O2 -fcilk-count-instructions %s -o %t
// RUN: %t | FileCheck %s --check-prefix=OUT
// RUN: env CILK2GPU_DEVICE=model CILK2GPU_STATS=- %t 2>&1 | FileCheck %s --check-prefixes=OUT,COUNT
// RUN: env CILK2GPU_DEVICE=model CILK2GPU_STATS=- CILK2GPU_WAVE=4 CILK2GPU_WIDTH=64 CILK2GPU_POLICY=counted %t 2>&1 | FileCheck %s --check-prefixes=OUT,FOUR
// RUN: env CILK2GPU_DEVICE=model CILK2GPU_STATS=- CILK2GPU_WIDTH=1 CILK2GPU_SCHEDULE=adversarial %t 2>&1 | FileCheck %s --check-prefixes=OUT,ALONE
// OUT-DAG: 2080 32

// All 64 lanes: the longest loop has 64 iterations, then one call for every other lane; the task calls the function.
// COUNT-DAG: {{^}}issued_atomic 65 instructions
// COUNT-DAG: {{^}}issued_atomic_lanes 2112 lanes
// COUNT-DAG: {{^}}issued_call 66 instructions
// COUNT-DAG: {{^}}issued_call_lanes 2176 lanes
// COUNT-DAG: {{^}}unaligned_instructions 0 lanes
// Neighbours by four, with 4, 8, ... 64 iterations and a call each: 544 + 16.
// FOUR-DAG: {{^}}issued_atomic 560 instructions
// FOUR-DAG: {{^}}issued_atomic_lanes 2112 lanes
// ALONE-DAG: {{^}}issued_atomic 2112 instructions
// ALONE-DAG: {{^}}issued_atomic_lanes 2112 lanes

// Code that is not counted reports nothing.
// RUN: %cilk2gpu -O2 %s -o %t.plain
// RUN: env CILK2GPU_DEVICE=model CILK2GPU_STATS=- %t.plain 2>&1 | FileCheck %s --check-prefixes=OUT,PLAIN
// PLAIN-DAG: {{^}}issued_alu 0 instructions

// Other levels of optimisation, and other ways to the object file.
// RUN: %cilk2gpu -O0 -g -fcilk-count-instructions %s -o %t.O0
// RUN: env CILK2GPU_DEVICE=model CILK2GPU_STATS=- %t.O0 2>&1 | FileCheck %s --check-prefixes=OUT,O0
// O0-DAG: {{^}}issued_atomic 65 instructions
// RUN: %cilk2gpu -O2 -flto -fuse-ld=lld -fcilk-count-instructions %s -o %t.lto
// RUN: env CILK2GPU_DEVICE=model %t.lto | FileCheck %s --check-prefix=OUT
// RUN: %cilk2gpu -O1 -fsanitize=address,undefined -fcilk-count-instructions %s -o %t.san
// RUN: %t.san | FileCheck %s --check-prefix=OUT

// RUN: %cilk2gpu -O2 -fcilk-count-instructions --emit=llvm %s | FileCheck %s --check-prefix=IR
// IR: define {{.*}}void @leaf
// IR: call ptr @__cilk2gpu_count_enter(ptr @__cilk2gpu_count{{.*}})
// IR: call ptr @__cilk2gpu_count_block(
// IR: call void @__cilk2gpu_count_leave(
// IR-NOT: call void @__cilk2gpu_count_channel
#include <cilk/cilk.h>
#include <stdio.h>

static long total, odd;

__attribute__((noinline)) static void tick(long *counter) { __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

__attribute__((noinline)) static void leaf(int i) {
  for (int k = 0; k <= i; ++k)
    tick(&total);
  if (i % 2)
    tick(&odd);
}

static void range(int first, int count) {
  for (int i = first; i < first + count; ++i)
    cilk_spawn leaf(i);
}

int main(void) {
  cilk_spawn range(0, 64);
  cilk_sync;
  printf("%ld %ld\n", total, odd);
  return 0;
}
