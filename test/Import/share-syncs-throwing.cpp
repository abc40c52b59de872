// Tests a function that may throw and whose syncs are all implicit: inlining must not make an invoke of a sync.
// RUN: %cilk2gpuxx -O0 -fcilk-exceptions %s -o %t && env CILK2GPU_ELIDE=never %t | FileCheck %s
// RUN: %cilk2gpuxx -O2 -fcilk-exceptions %s -o %t && env CILK2GPU_ELIDE=never %t | FileCheck %s
#include <cilk/cilk.h>
#include <cstdio>

void leaf(int *a, int i);

static void all(int low, int high, int *a) {
  if (high - low < 5) {
    for (int i = low; i < high; i++)
      leaf(a, i);
    return;
  }
  cilk_spawn all(low, (low + high) / 2, a);
  all((low + high) / 2, high, a);
}

int main() {
  int a[50];
  all(0, 50, a);
  // CHECK: 7 49
  std::printf("%d %d\n", a[7], a[49]);
  // CHECK-NEXT: thrown -20
  try {
    all(-20, 30, a);
  } catch (int i) {
    std::printf("thrown %d\n", i);
  }
}

void leaf(int *a, int i) {
  if (i < 0)
    throw i;
  a[i] = i;
}
