// Tests notes for gcov: one file, with the counts of every line, however many tasks were made of it.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %cilk2gpu -O0 --coverage -c %s -o coverage.o && %cilk2gpu --coverage coverage.o -o program && ./program
// RUN: llvm-cov gcov coverage.gcda 2>&1 | FileCheck %s
// RUN: cilk2gpu -O0 --coverage --emit=llvm %s -o - | FileCheck %s --check-prefix=UNIT
// RUN: cilk2gpu -O2 -g --emit=llvm %s -o - | FileCheck %s --check-prefix=UNIT
// CHECK: File '{{.*}}coverage.c'
// CHECK-NEXT: Lines executed:{{[1-9].*}}
// UNIT-COUNT-1: distinct !DICompileUnit(
// UNIT-NOT: !DICompileUnit(
struct Pair {
  long sum, product;
};

static struct Pair tree(long n) {
  struct Pair result = {n, n + 1};
  if (n < 2)
    return result;
  struct Pair x = cilk_spawn tree(n - 1);
  struct Pair y = cilk_spawn tree(n - 2);
  cilk_sync;
  result.sum = x.sum + y.sum;
  result.product = x.product * y.product % 1009;
  return result;
}

int main(void) {
  long squares[50];
  cilk_for (int i = 0; i < 50; ++i)
    squares[i] = (long)i * i;
  struct Pair pair = tree(10);
  return pair.sum != 55 || squares[7] != 49;
}
