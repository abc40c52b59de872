// Tests the message about static local variables that are initialised at run time, which a function that spawns may have
// only if threads wait for the initialisation. The messages for GPUs are in test/Target/GPU/static-locals.cpp.
// RUN: not cilk2gpu++ -O1 -c %s -o /dev/null -fno-threadsafe-statics 2>&1 | FileCheck %s
// RUN: cilk2gpu++ -O1 -c %s -o /dev/null

#include <cilk/cilk.h>

int made(int n);

int sum(int n) {
  // CHECK: [[@LINE+1]]:14: error: with -fno-threadsafe-statics, a function with spawn or sync cannot have a static local variable that is initialized at run time, but 'base' is; move the variable out of the function, or leave the option out
  static int base = made(3);
  // CHECK-NOT: error:
  static int zero = 0;
  if (n < 2)
    return base + zero;
  int left = cilk_spawn sum(n - 1), right = sum(n - 2);
  cilk_sync;
  return left + right;
}
