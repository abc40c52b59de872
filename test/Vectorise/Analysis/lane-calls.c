// Tests kernels whose work is in a function that lanes would call one after the other: they run one lane at a time. Three kinds
// of call do not prevent vectors: calls of something short, calls that take no more time than the kernel itself, and unlikely
// calls.
// RUN: %cilk2gpu -O2 -Rpass=cilk -Rpass-missed=cilk -c %s -o /dev/null 2>&1 | FileCheck %s
#include <cilk/cilk.h>

static void sort(int *data, long n) {
  if (n < 2)
    return;
  long low = 0, high = n - 1, pivot = data[n / 2];
  while (low <= high) {
    while (data[low] < pivot)
      ++low;
    while (data[high] > pivot)
      --high;
    if (low <= high) {
      int swapped = data[low];
      data[low++] = data[high];
      data[high--] = swapped;
    }
  }
  sort(data, high + 1);
  sort(data + low, n - low);
}

// CHECK: kernel 'halves.k0' runs lane by lane: most of its work has no vector form
void halves(int *data, long n) {
  if (n < 64) {
    sort(data, n);
    return;
  }
  cilk_spawn halves(data, n / 2);
  cilk_spawn halves(data + n / 2, n - n / 2);
  cilk_sync;
}

__attribute__((noinline)) static void note(long *at, long value) { *at += value; }

// CHECK: kernel 'walk.k0' runs {{[0-9]+}} lanes at once
void walk(long depth, long path, long *at) {
  path = (path ^ path >> 29) * 0x5851f42d4c957f2d + 3;
  path = (path ^ path >> 27) * 0x14057b7ef767814f + 5;
  path = (path ^ path >> 31) * 0x5851f42d4c957f2d + 7;
  if (depth == 0) {
    note(at + (path & 63), 1);
    return;
  }
  cilk_spawn walk(depth - 1, path * 3, at);
  cilk_spawn walk(depth - 1, path * 5, at + 64);
  cilk_sync;
}

__attribute__((noinline)) static unsigned mixed(unsigned value, int rounds) {
  for (int i = 0; i < rounds; ++i)
    value = (value ^ value >> 15) * 0x2c1b3c6du + i;
  return value;
}

// CHECK: kernel 'both.k0' runs {{[0-9]+}} lanes at once
void both(int depth, unsigned value, int rounds, unsigned *at) {
  for (int i = 0; i < rounds; ++i)
    value = (value ^ value >> 13) * 0x297a2d39u + i;
  if (depth == 0) {
    *at = mixed(value, rounds);
    return;
  }
  cilk_spawn both(depth - 1, value * 3, rounds, at);
  cilk_spawn both(depth - 1, value * 5, rounds, at + 64);
  cilk_sync;
}

// CHECK: kernel 'unlikely.k0' runs {{[0-9]+}} lanes at once
void unlikely(long depth, int *data, long n) {
  if (__builtin_expect(n < 0, 0)) {
    sort(data, -n);
    return;
  }
  if (depth == 0)
    return;
  cilk_spawn unlikely(depth - 1, data, n * 3 + 1);
  cilk_spawn unlikely(depth - 1, data, n * 5 + 2);
  cilk_sync;
}
