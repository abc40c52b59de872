// Tests that variables of optimised Cilk functions that have one value are described in the elision, and where a kernel
// computes them. A variable with several values is not described.
// RUN: %cilk2gpu -g -O2 --emit=llvm %s -o - | FileCheck %s
// RUN: %cilk2gpu -g -O2 -c %s -o %t.o && llvm-dwarfdump --verify %t.o
int work(int);

// CHECK-LABEL: define {{.*}}i64 @tree.serial(i32
// CHECK: #dbg_value(i32 %0, [[N:![0-9]+]], !DIExpression()
// CHECK: #dbg_value(i32 %{{[0-9]+}}, [[HALF:![0-9]+]], !DIExpression()
// CHECK: #dbg_value(i64 %{{[0-9]+}}, [[SUM:![0-9]+]], !DIExpression()
// CHECK-NOT: #dbg_value
// CHECK-LABEL: define internal void @tree.k0(
// CHECK: #dbg_value(i32 %{{[0-9]+}}, [[HALF0:![0-9]+]], !DIExpression()
// CHECK-LABEL: define internal void @tree.k1(
// CHECK: #dbg_value({{.*}}, [[SUM1:![0-9]+]], !DIExpression(
// CHECK-DAG: [[N]] = !DILocalVariable(name: "n", arg: 1
// CHECK-DAG: [[HALF]] = !DILocalVariable(name: "half"
// CHECK-DAG: [[HALF0]] = !DILocalVariable(name: "half"
// CHECK-DAG: [[SUM]] = !DILocalVariable(name: "sum"
// CHECK-DAG: [[SUM1]] = !DILocalVariable(name: "sum"
long tree(int n) {
  if (n < 2)
    return n;
  long x, y;
  int half = work(n);
  x = cilk_spawn tree(n - 1);
  y = cilk_spawn tree(half - 2);
  cilk_sync;
  long sum = x + y * n;
  for (int several = 0; several < n; ++several)
    work(several);
  return work((int)sum);
}
