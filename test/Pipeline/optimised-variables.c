// Tests that the variables of optimised Cilk functions are described in the elision, and in kernels. A place where a
// variable's value is not known has a record that says so.
// RUN: %cilk2gpu -g -O2 -c %s -o %t.o && llvm-dwarfdump --verify %t.o
// RUN: %cilk2gpu -g -O2 --emit=llvm %s -o - | FileCheck %s
int work(int);

// CHECK-LABEL: define {{.*}}i64 @tree.serial(i32
// CHECK: #dbg_value(i32 %0, [[N:![0-9]+]], !DIExpression()
// CHECK: %[[VALUE:[0-9]+]] = tail call i32 @work(i32 noundef %0)
// CHECK-NEXT: #dbg_value(i32 %[[VALUE]], [[HALF:![0-9]+]], !DIExpression()
// CHECK: %[[CHILD:[0-9]+]] = tail call fastcc i64 @tree.serial(
// CHECK: #dbg_value(i64 %[[CHILD]], [[X:![0-9]+]], !DIExpression()
// CHECK: %[[NUMBER:[0-9]+]] = phi i32 [ 0,
// CHECK: #dbg_value(i32 %[[NUMBER]], [[SEVERAL:![0-9]+]], !DIExpression()
// CHECK-LABEL: define internal void @tree.k0(
// CHECK: #dbg_value(i32 %{{[0-9]+}}, [[HALF0:![0-9]+]], !DIExpression()
// CHECK-LABEL: define internal void @tree.k1(
// CHECK: #dbg_value({{.*}}, [[SUM1:![0-9]+]], !DIExpression(
// CHECK-DAG: [[N]] = !DILocalVariable(name: "n", arg: 1
// CHECK-DAG: [[X]] = !DILocalVariable(name: "x"
// CHECK-DAG: [[HALF]] = !DILocalVariable(name: "half"
// CHECK-DAG: [[SEVERAL]] = !DILocalVariable(name: "several"
// CHECK-DAG: [[HALF0]] = !DILocalVariable(
// CHECK-DAG: [[SUM1]] = !DILocalVariable(
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
