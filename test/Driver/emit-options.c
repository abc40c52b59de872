// Tests that --emit works with options that report on a whole compilation, and that wrong options are errors.
// RUN: %cilk2gpu --emit=cilk -ftime-report %s | FileCheck %s
// RUN: %cilk2gpu --emit=cilk -ftime-trace -o - %s | FileCheck %s
// RUN: not %cilk2gpu --emit=cilk -fcoverage-mapping %s 2>&1 | FileCheck %s --check-prefix=WRONG
// CHECK: cilk.spawn
// WRONG: invalid argument '-fcoverage-mapping' only allowed with '-fprofile-instr-generate'
int f(int n);
int g(int n) {
  int x = cilk_spawn f(n);
  cilk_sync;
  return x;
}
