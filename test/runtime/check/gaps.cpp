// Tests that bytes in the gaps of structures, which hold anything that the stack held before, are no difference.
// RUN: %cilk2gpuxx -O0 %s -o %t && env CILK2GPU_CHECK=races:20 %t < /dev/null 2>&1 | FileCheck %s
// RUN: %cilk2gpuxx -O2 %s -o %t && env CILK2GPU_CHECK=races:20 %t < /dev/null 2>&1 | FileCheck %s
// CHECK: 6048 1008.000
// CHECK-NEXT: 20 schedules had the result of the serial order
#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Padded {
  char letter;
  int number;
  char other;
  double sum;
  short small;
};

Padded results[64], one, *blocks[10];

__attribute__((noinline)) static Padded make(int i) {
  Padded made;
  made.letter = char(i);
  made.number = i * 3;
  made.other = 7;
  made.sum = i / 2.0;
  made.small = 5;
  return made;
}

__attribute__((noinline)) static Padded tree(int low, int high) {
  if (high - low == 1) {
    Padded leaf = make(low);
    results[low] = leaf;
    return leaf;
  }
  int middle = (low + high) / 2;
  char junk[200];
  memset(junk, low + high, sizeof junk);
  Padded a = cilk_spawn tree(low, middle);
  Padded b = tree(middle, high);
  cilk_sync;
  Padded both;
  both.letter = char(a.letter + b.letter + junk[3] - junk[4]);
  both.number = a.number + b.number;
  both.other = a.other;
  both.sum = a.sum + b.sum;
  both.small = b.small;
  return both;
}

int main() {
  one = cilk_spawn make(3);
  cilk_sync;
  one = tree(0, 64);
  Padded local[10];
  for (int i = 0; i < 10; i++) {
    local[i] = cilk_spawn make(i);
    blocks[i] = static_cast<Padded *>(malloc(sizeof(Padded)));
  }
  cilk_sync;
  for (int i = 0; i < 10; i++)
    results[i] = *blocks[i] = local[i];
  printf("%d %.3f\n", one.number, one.sum);
}
