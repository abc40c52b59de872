// Tests which variables a loop or a spawned block gets by value: objects that it only reads, also through functions that
// keep no pointer to them. Arrays, objects that are changed, and objects whose address is kept stay in place.
// RUN: %cilk2gpuxx -O0 --emit=cilk %s | FileCheck %s
// RUN: %cilk2gpuxx -O1 %s -o %t && env CILK2GPU_ELIDE=never %t | FileCheck %s --check-prefix=OUT
#include <cilk/cilk.h>
#include <cstdio>

struct Pair {
  long a, b;
  long sum() const { return a + b; }
  void add(long x) { a += x; }
};
Pair *kept;
void keep(Pair &pair) { kept = &pair; }

// The pieces of `pair` come behind the range, the grain and the pointer to the results.
// CHECK: llvm.func internal @_Z4readPl4Pairi.for0.loop(%{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: i64, %{{[^:]*}}: i64)
void read(long *r, Pair pair, int n) {
  pair.add(1);
  cilk_for (int i = 0; i < n; ++i)
    r[i] = pair.sum() + i;
}

// CHECK: llvm.func internal @_Z6changePl4Pairi.for0.loop(%{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: !llvm.ptr {llvm.align = 8 : i64, llvm.dereferenceable = 16 : i64})
void change(long *r, Pair pair, int n) {
  cilk_for (int i = 0; i < n; ++i) {
    if (i == 0)
      pair.add(1);
  }
  r[0] += pair.a;
}

// CHECK: llvm.func internal @_Z9elsewherePl4Pairi.for0.loop(%{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: !llvm.ptr {llvm.align = 8 : i64, llvm.dereferenceable = 16 : i64})
void elsewhere(long *r, Pair pair, int n) {
  keep(pair);
  cilk_for (int i = 0; i < n; ++i)
    r[i] += pair.sum();
}

long spawned(int n) {
  long r[8] = {}, q[8] = {}, h = 0;
  for (int i = 0; i < n; i++) {
    Pair s{i, i};
    auto [x, y] = s;
    cilk_spawn { r[i] = s.sum(); }
    cilk_spawn { q[i] = x + y; }
    s.a = 100;
  }
  cilk_sync;
  for (int i = 0; i < n; i++)
    h = h * 7 + r[i] * 100 + q[i];
  return h;
}

int main() {
  long r[5] = {};
  read(r, {1, 2}, 5);
  change(r, {5, 0}, 5);
  elsewhere(r, {10, 20}, 5);
  // OUT: 40 35 36 37 38 94132
  std::printf("%ld %ld %ld %ld %ld %ld\n", r[0], r[1], r[2], r[3], r[4], spawned(5));
}
