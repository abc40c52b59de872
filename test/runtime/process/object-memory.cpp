// Tests that storage of objects made for spawned calls, and storage of variable size, is counted, within the bound, and charged
// to the memory cap.
// RUN: %cilk2gpuxx -O1 %s -o %t
// RUN: env CILK2GPU_WORKERS=1 CILK2GPU_WIDTH=64 CILK2GPU_STATS=%t.json %t 100 && %python %S/Inputs/within-bound.py %t.json 1000000
// RUN: env CILK2GPU_DEVICE=model CILK2GPU_WIDTH=64 CILK2GPU_STATS=%t.json %t 100 && %python %S/Inputs/within-bound.py %t.json 1000000
// RUN: env CILK2GPU_DEVICE=serial CILK2GPU_STATS=%t.json %t 100
// RUN: not env CILK2GPU_WORKERS=1 CILK2GPU_WIDTH=4096 CILK2GPU_MEM_CAP=50K %t 1000 2>&1 | FileCheck %s
// CHECK: CILK2GPU_MEM_CAP=51200 is too small: {{[0-9]+}} bytes for the arguments of a spawn are not left; raise it, or make channels narrower with CILK2GPU_WIDTH
#include <cstdlib>
#include <cstring>

struct Large {
  char bytes[20000];
  explicit Large(int n) { memset(bytes, n, sizeof bytes); }
  Large(const Large &other) { memcpy(bytes, other.bytes, sizeof bytes); }
  ~Large() { bytes[0] = -1; }
};

int use(const Large &large, int n) {
  char more[n % 7 + 1];
  memset(more, 1, sizeof more);
  return large.bytes[n % 20000] + more[0];
}

int total(int n) {
  int *results = static_cast<int *>(malloc(n * sizeof(int))), sum = 0;
  for (int i = 0; i < n; ++i)
    results[i] = cilk_spawn use(Large(i % 100), i);
  cilk_sync;
  for (int i = 0; i < n; ++i)
    sum += results[i] - i % 100 - 1;
  free(results);
  return sum;
}

int main(int, char **argv) { return total(atoi(argv[1])); }
