// Tests that a spawn as the operand of an assignment operator outside of a class is refused. Operators of classes are called with the
// child's result.
// RUN: not %cilk2gpuxx -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=error:
#include <cilk/cilk.h>

struct Sum {
  int total;
  Sum &operator-=(int number) { return total -= number, *this; }
};
Sum &operator+=(Sum &sum, int number) { return sum.total += number, sum; }
int work(int n);

void add(Sum &sum) {
  sum -= cilk_spawn work(1);
  // CHECK: [[@LINE+1]]:10: error: a spawn must be a statement of its own or all of the right-hand side of an '=' assignment
  sum += cilk_spawn work(2);
}
// CHECK: 1 error generated.
