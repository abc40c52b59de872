// Tests that exceptions leave spawned calls whose results are not used, also where the results are in memory and have
// destructors. A result that was not made is not destroyed.
// RUN: %cilk2gpuxx -std=c++20 -O0 %s -o %t
// RUN: %t | FileCheck %s
// RUN: env CILK2GPU_ELIDE=never %t | FileCheck %s
// RUN: env CILK2GPU_DEVICE=serial %t | FileCheck %s
// RUN: %cilk2gpuxx -std=c++20 -O2 %s -o %t
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WAVE=3 CILK2GPU_WIDTH=1 %t | FileCheck %s
// RUN: env CILK2GPU_DEVICE=model %t | FileCheck %s
#include <atomic>
#include <cstdio>

static std::atomic<int> made, destroyed;

struct Plain {
  long values[8];
};
struct Owner {
  long values[4];
  explicit Owner(int n) : values{n} { ++made; }
  Owner(const Owner &) = delete;
  ~Owner() { ++destroyed; }
};

__attribute__((noinline)) static Plain plain(int n) {
  if (n % 3 == 0)
    throw n;
  return {{n}};
}
__attribute__((noinline)) static Owner owner(int n) {
  if (n % 3 == 0)
    throw n;
  return Owner(n);
}
static Owner task(int n) {
  cilk_spawn plain(n + 1);
  cilk_spawn owner(n);
  cilk_sync;
  return Owner(n);
}

static void run(int n) {
  cilk_spawn plain(n);
  cilk_spawn owner(n + 1);
  cilk_spawn task(n + 2);
  cilk_sync;
}

int main() {
  for (int n = 1; n < 4; ++n)
    try {
      run(n);
      std::printf("%d: none\n", n);
    } catch (int thrown) {
      std::printf("%d: %d\n", n, thrown);
    }
  std::printf("%d %d\n", made.load(), destroyed.load());
}
// CHECK:      1: 3
// CHECK-NEXT: 2: 3
// CHECK-NEXT: 3: 3
// CHECK-NEXT: {{^}}[[MADE:[1-9]]] [[MADE]]{{$}}
