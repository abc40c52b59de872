// Tests the attribute `lanes`: it overrides the choice by cost, but never the rules on operations of lanes together.
// RUN: cilk2gpu++ -O2 -Rpass=cilk -Rpass-missed=cilk -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: cilk2gpu++ -O2 -fcilk-lanes=simd -Rpass-missed=cilk -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SIMD
// RUN: cilk2gpu++ -O2 -fcilk-lanes=scalar -Rpass=cilk -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SCALAR --allow-empty
#include <cilk/cilk.h>

// CHECK-DAG: remark: kernel '{{.*}}narrow{{.*}}.acc.k0' runs lane by lane: its function's attribute says so [-Rpass-missed=cilk]
// SIMD-DAG: remark: kernel '{{.*}}narrow{{.*}}.acc.k0' runs lane by lane: its function's attribute says so [-Rpass-missed=cilk]
// SCALAR-NOT: lanes at once
[[cilk2gpu::lanes("scalar")]] int narrow(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn narrow(n - 1);
  int y = cilk_spawn narrow(n - 2);
  cilk_sync;
  return x + y;
}

// Without the attribute, a loop of gathers stays scalar; templates keep the attribute.
// CHECK-DAG: remark: kernel '{{.*}}plain{{.*}}.acc.k0' runs lane by lane: most of its work has no vector form: {{.*}} [-Rpass-missed=cilk]
static int plain(const unsigned char *t, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += t[t[i]];
  if (n < 2)
    return s;
  int x = cilk_spawn plain(t, n - 1);
  int y = cilk_spawn plain(t + s % 7, n - 2);
  cilk_sync;
  return x + y + s;
}

// CHECK-DAG: remark: kernel '{{.*}}wide{{.*}}.acc.k0' runs 32 lanes at once with AVX-512, 16 with AVX2 [-Rpass=cilk]
template <typename T> [[cilk2gpu::lanes("simd")]] int wide(const T *t, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += t[t[i]];
  if (n < 2)
    return s;
  int x = cilk_spawn wide(t, n - 1);
  int y = cilk_spawn wide(t + s % 7, n - 2);
  cilk_sync;
  return x + y + s;
}

// CHECK-DAG: warning: kernel '{{.*}}waits{{.*}}.k0' runs lane by lane although its function's attribute asks for vectors: a loop in it may wait for an atomic of another task [-Wpass-failed]
[[cilk2gpu::lanes("simd")]] void waits(int *flag, int n) {
  while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
    ;
  if (n)
    cilk_spawn waits(flag, n - 1);
  cilk_sync;
}

// Code that has no form for lanes at all is reported, too.
// CHECK-DAG: warning: kernel '{{.*}}turns{{.*}}.k0' runs lane by lane although its function's attribute asks for vectors: the type of its result has no vector form [-Wpass-failed]
// CHECK-DAG: remark: kernel '{{.*}}turns{{.*}}.k0' runs lane by lane: the type of its result has no vector form [-Rpass-missed=cilk]
// SIMD-DAG: warning: kernel '{{.*}}turns{{.*}}.k1' runs lane by lane although its function's attribute asks for vectors: the type of its result has no vector form [-Wpass-failed]
struct Three {
  char bytes[3];
};
[[cilk2gpu::lanes("simd")]] Three turns(Three t, int n) {
  Three result = {{t.bytes[2], char(t.bytes[0] + n), t.bytes[1]}};
  if (n < 2)
    return result;
  Three a = cilk_spawn turns(t, n - 1);
  Three b = cilk_spawn turns(result, n - 2);
  cilk_sync;
  return {{a.bytes[1], b.bytes[2], result.bytes[0]}};
}

// A spawned ordinary function has kernels, too.
// CHECK-DAG: remark: kernel '{{.*}}leaf{{.*}}.k0' runs lane by lane: its function's attribute says so [-Rpass-missed=cilk]
[[cilk2gpu::lanes("scalar")]] static void leaf(int *p, int n) { *p = n * n; }

int use(const unsigned char *t, int n, int *p) {
  cilk_spawn leaf(p, n);
  cilk_sync;
  return narrow(n) + plain(t, n) + wide(t, n);
}
