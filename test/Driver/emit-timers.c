// Tests that options which report on a whole compilation do no harm to --emit.
// RUN: %cilk2gpu --emit=cilk -ftime-report %s | FileCheck %s
// RUN: %cilk2gpu --emit=cilk -ftime-trace -o - %s | FileCheck %s
// CHECK: cilk.spawn
int f(int n);
int g(int n) {
  int x = cilk_spawn f(n);
  cilk_sync;
  return x;
}
