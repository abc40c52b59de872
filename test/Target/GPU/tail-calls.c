// Tests mandatory tail calls in tasks. A function's call of itself becomes a loop. Other calls that may lead back to their
// function are refused, because GPUs keep its frame. All others are ordinary calls.
// RUN: not %cilk2gpu -O2 --offload-arch=sm_90 %s -o %t 2>&1 | FileCheck %s
// RUN: not %cilk2gpu -O2 --offload-arch=gfx90a --emit=isa %s 2>&1 | FileCheck %s
// RUN: %cilk2gpu -O2 -DFIT --offload-arch=sm_90,gfx90a %s -o %t
// RUN: %cilk2gpu -O2 -DFIT --offload-arch=sm_90 --emit=ptx %s -o %t.ptx && FileCheck %s --check-prefix=LOOP < %t.ptx
// RUN: %cilk2gpu -O2 --offload-arch=gpu-host %s -o %t && env CILK2GPU_DEVICE=gpu-host %t > %t.device
// RUN: %cilk2gpu -O2 -fserial-elision %s -o %t && %t | diff - %t.device
#include <cilk/cilk.h>
#include <stdio.h>

#define MUST_TAIL __attribute__((musttail))
#define KEPT __attribute__((noinline)) static

// LOOP: .func {{.*}}_steps(
// LOOP-NOT: call
// LOOP: {{^}}}
KEPT long steps(long n, long sum) {
  if (n == 0)
    return sum;
  MUST_TAIL return steps(n - 1, sum * 3 + n);
}

KEPT long forward(long n, long sum) { MUST_TAIL return steps(n, sum + 1); }

KEPT long odd(long n, long sum);
KEPT long even(long n, long sum) {
  if (n == 0)
    return sum;
  // CHECK-DAG: tail-calls.c:[[#@LINE+1]]:{{[0-9]+}}: error: a task on a GPU makes a recursive call that must not need more stack (musttail), but GPUs keep the frames of such functions; write a loop
  MUST_TAIL return odd(n - 1, sum + 1);
}
KEPT long odd(long n, long sum) {
  if (n == 0)
    return -sum;
  // CHECK-DAG: tail-calls.c:[[#@LINE+1]]:{{[0-9]+}}: error: a task on a GPU makes a recursive call that must not need more stack
  MUST_TAIL return even(n - 1, sum + 2);
}

typedef long Function(long, long);
static Function first, second, last;
static Function *table[] = {first, second, last};
static long first(long n, long sum) { MUST_TAIL return table[n == 0 ? 2 : n & 1](n - 1, sum ^ n); }
static long second(long n, long sum) { MUST_TAIL return table[n == 0 ? 2 : n >> 1 & 1](n - 1, sum + n); }
static long last(long n, long sum) { return n + sum; }

KEPT long by_pointer(long n, long sum) { return table[0](n, sum); }

static void task(long i, long *results) {
  results[i] = steps(i * 20000, i) + forward(i * 20000, i);
#ifndef FIT
  results[i] += even(i * 10001, 3) + by_pointer(i * 30001, i);
#endif
}

int main(void) {
  long results[40], sum = 0;
  cilk_for (long i = 0; i < 40; i++)
    task(i, results);
  for (int i = 0; i < 40; i++)
    sum = sum * 7 + results[i];
  printf("%ld\n", sum);
  return 0;
}
