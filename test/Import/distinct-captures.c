// Tests that iterations of a cilk_for know which captured pointers lead to different objects. Pointers that may lead to the same
// object are not marked.
// RUN: %cilk2gpu --emit=cilk %s | FileCheck %s
// RUN: %cilk2gpu -O3 --emit=llvm -fcilk-lanes=scalar -o %t.ll %s
// RUN: FileCheck %s --check-prefix=LLVM --input-file=%t.ll
#include <stdlib.h>
void use(double *);

// `r` leads where `p` does. The function does not know where `given` leads.
// CHECK-LABEL: llvm.func internal @sum.for0.loop(
// CHECK: llvm.load %{{.*}} {alias_scopes = [#[[Q:alias_scope[0-9]*]]], {{.*}}noalias_scopes = [#[[P:alias_scope[0-9]*]], #[[R:alias_scope[0-9]*]]]}
// CHECK: llvm.load %{{[0-9]+}} {alignment = 8 : i64} : !llvm.ptr -> f64
// CHECK: llvm.store %{{.*}} {alias_scopes = [#[[P]]], {{.*}}noalias_scopes = [#[[Q]]]}
// CHECK: llvm.load %{{.*}} {alias_scopes = [#[[R]]], {{.*}}noalias_scopes = [#[[Q]]]}
// CHECK: llvm.store %{{.*}} {alias_scopes = [#[[Q]]], {{.*}}noalias_scopes = [#[[P]], #[[R]]]}
void sum(int n, const double *given) {
  double *p = malloc(n * sizeof(double)), *q = calloc(n, sizeof(double)), *r = p;
  cilk_for (int i = 0; i < n; ++i) {
    p[i] = q[i] + given[i];
    q[i] = r[i];
  }
  use(p);
  use(q);
}

// After the first round, each may be the other; scopes hold for all rounds.
// CHECK-LABEL: llvm.func internal @swap.for0.loop(
// CHECK-NOT: alias_scopes
// CHECK: llvm.return
void swap(int n) {
  double *p = malloc(n * sizeof(double)), *q = calloc(n, sizeof(double));
  for (int round = 0; round < 9; ++round) {
    cilk_for (int i = 0; i < n; ++i)
      p[i] = 2 * q[n - i - 1];
    double *old = p;
    p = q;
    q = old;
  }
  use(p);
}

// A restrict qualifier holds for one call.
// CHECK-LABEL: llvm.func internal @parameters.for0.loop(
// CHECK-NOT: alias_scopes
// CHECK: llvm.return
void parameters(int n, double *restrict p, double *restrict q) {
  cilk_for (int i = 0; i < n; ++i)
    p[i] = q[i];
}

// A variable that the body writes is shared itself. It differs from the object of `q`, but not from the object of `p`.
// CHECK-LABEL: llvm.func internal @written.for0.loop(
// CHECK: %[[P:.*]] = llvm.load %{{.*}} {alias_scopes = [#[[VARIABLE:alias_scope[0-9]*]]], {{.*}} -> !llvm.ptr
// CHECK: %[[PLACE:.*]] = llvm.getelementptr inbounds %[[P]]
// CHECK: llvm.store %{{.*}}, %[[PLACE]] {alignment = 8 : i64} : f64
// CHECK: llvm.store %{{.*}} {alias_scopes = [#[[VARIABLE]]], {{.*}} : !llvm.ptr
void written(int n, int k) {
  double *p = malloc(n * sizeof(double)), *q = malloc(n * sizeof(double));
  cilk_for (int i = 0; i < n; ++i) {
    p[i] = q[i];
    if (i == k)
      p = q;
  }
  use(p);
}

// Inner loops get the knowledge of outer loops.
// CHECK-LABEL: llvm.func internal @nested.for0.loop(
// CHECK: llvm.load %{{.*}} {alias_scopes = [#[[INNER:alias_scope[0-9]*]]], {{.*}}noalias_scopes = [#[[OUTER:alias_scope[0-9]*]]]
// CHECK: llvm.store %{{.*}}, %{{.*}} {alias_scopes = [#[[OUTER]]], {{.*}}noalias_scopes = [#[[INNER]]]
void nested(int n) {
  double *outer = malloc(n * n * sizeof(double)), *inner = malloc(n * sizeof(double));
  cilk_for (int i = 0; i < n; ++i)
    cilk_for (int j = 0; j < n; ++j)
      outer[i * n + j] = inner[j];
  use(outer);
}

// The loop has the knowledge when LLVM optimises it.
// LLVM-LABEL: define internal{{.*}} void @nested.for0.loop(
// LLVM: load {{.*}}double{{.*}} !alias.scope ![[INNER:[0-9]+]], !noalias ![[OUTER:[0-9]+]]
// LLVM: store {{.*}}double{{.*}} !alias.scope ![[OUTER]], !noalias ![[INNER]]
