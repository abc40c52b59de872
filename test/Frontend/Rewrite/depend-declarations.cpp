// Tests ordered spawns that initialise a variable: behind one pragma or two, with other variables, in templates and in the
// branch of a switch. Members take results, too.
// RUN: %cilk2gpuxx -O0 -std=c++17 -Wall -Werror %s -o %t
// RUN: env CILK2GPU_WORKERS=2 %t | FileCheck %s
// RUN: env CILK2GPU_ELIDE=never %t | FileCheck %s
// RUN: %cilk2gpuxx -O2 -std=c++17 %s -o %t && env CILK2GPU_DEVICE=model CILK2GPU_ELIDE=never %t | FileCheck %s
// RUN: %cilk2gpuxx -O1 -std=c++17 -fserial-elision %s -o %t && %t | FileCheck %s
// RUN: not %cilk2gpuxx -fsyntax-only -std=c++17 -DREFUSED %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// CHECK: 220 74 10 11
#include <cilk/cilk.h>
#include <cstdio>

struct Cell {
  int v;
  long w;
};
static int add(const int *a, int n) { return *a + n; }
static void put(int *p, int v) { *p = v; }
static Cell cell(const int *a) { return {*a, *a + 1}; }

template <class T> T run(int n) {
  T total = 0;
  int a = 1;
  for (int i = 0; i < n; ++i) {
#pragma cilk depend(out: a)
    cilk_spawn put(&a, i + 1);
#pragma cilk depend(in: a)
    T x = cilk_spawn add(&a, 10);
#pragma cilk depend(in: a)
#pragma cilk depend(inout: total)
    const int *other = &a, y = cilk_spawn add(&a, 20);
#pragma cilk depend(in: a)
    Cell c = cilk_spawn cell(&a);
    cilk_sync;
    total += x + y + c.v + c.w;
    (void)other;
  }
  switch (n) {
  case 3:
#pragma cilk depend(in: a)
    long z = cilk_spawn add(&a, 100);
    cilk_sync;
    total += z;
  }
  return total;
}

struct Pair {
  int first, second;
  void fill(const int *a) {
#pragma cilk depend(out: first)
    first = cilk_spawn add(a, 3);
#pragma cilk depend(in: first) depend(out: second)
    this->second = cilk_spawn add(&first, 1);
    cilk_sync;
  }
};

int main() {
  int seven = 7;
  Pair pair;
  pair.fill(&seven);
  std::printf("%ld %d %d %d\n", run<long>(3), run<int>(2), pair.first, pair.second);
}

#ifdef REFUSED
struct Owner {
  explicit Owner(int);
  ~Owner();
};
Owner make(const int *);
void refused() {
  int a = 1;
#pragma cilk depend(in: a)
  Owner o = cilk_spawn make(&a);
#pragma cilk depend(in: a)
  int y = 2;
  cilk_sync;
}
// REFUSED: :[[#@LINE-5]]:13: error: an ordered spawn keeps copies of its arguments' bytes until its task runs, but the destination of the result has the type 'Owner'
// REFUSED: error: a depend pragma must stand directly before the statement of a spawn
#endif
