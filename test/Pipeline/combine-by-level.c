// Tests that results of children are combined on their way to the parent at -O2 and above only: below, programs are compiled fast, and
// debuggers see the code as written.
// RUN: cilk2gpu -O2 --emit=channel %s -o - | FileCheck %s --check-prefix=COMBINED
// RUN: cilk2gpu -O3 --emit=channel %s -o - | FileCheck %s --check-prefix=COMBINED
// RUN: cilk2gpu -O0 --emit=channel %s -o - | FileCheck %s --implicit-check-not=@fib.acc
// RUN: cilk2gpu -O1 --emit=channel %s -o - | FileCheck %s --implicit-check-not=@fib.acc
// RUN: cilk2gpu -Os --emit=channel %s -o - | FileCheck %s --implicit-check-not=@fib.acc
// COMBINED: channel.stack @fib.acc
// CHECK: channel.stack @fib
#include <cilk/cilk.h>

int fib(int n) {
  if (n < 2)
    return n;
  int a = cilk_spawn fib(n - 1);
  int b = fib(n - 2);
  cilk_sync;
  return a + b;
}
