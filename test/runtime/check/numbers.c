// Tests that a number of type double in an array is shown as such.
// RUN: %cilk2gpu -O1 -g %s -o %t
// RUN: not env CILK2GPU_CHECK=races %t < /dev/null 2>&1 | FileCheck %s
#include <cilk/cilk.h>

double numbers[100];

__attribute__((noinline)) static void halve(int i) { numbers[i] = numbers[i] / 2 + 1; }
__attribute__((noinline)) static void twice(int i) { numbers[i] = numbers[i] * 2; }

int main(void) {
  numbers[5] = 100;
  cilk_spawn halve(5);
  cilk_spawn twice(5);
  cilk_sync;
  return 0;
}

// CHECK: variable numbers, 8 bytes at byte 40 of 800:
// CHECK-NEXT:   serial order: 102{{$}}
// CHECK-NEXT:   this schedule: 101{{$}}
