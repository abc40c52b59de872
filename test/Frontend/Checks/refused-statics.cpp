// Tests the message about static local variables that are initialised at run time, which a function that spawns may have
// only if threads wait for the initialisation. The messages for GPUs are in test/Target/GPU/static-locals.cpp.
// RUN: not cilk2gpu++ -O1 -c %s -o /dev/null -fno-threadsafe-statics 2>&1 | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: not cilk2gpu++ -O1 -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

#include <cilk/cilk.h>

int made(int n);

int sum(int n) {
  // CHECK: [[@LINE+1]]:27: error: a function with spawn or sync cannot have a static local variable that is initialized at run time without a guard (thread_local, or with -fno-threadsafe-statics), but 'own' is; move the variable out of the function
  static thread_local int own = made(4);
  static thread_local int one = 1;
  if (n < 2)
    return own + one;
  int left = cilk_spawn sum(n - 1), right = sum(n - 2);
  cilk_sync;
  return left + right;
}

int product(int n) {
  // PLAIN: [[@LINE+1]]:14: error: a function with spawn or sync cannot have a static local variable that is initialized at run time without a guard (thread_local, or with -fno-threadsafe-statics), but 'base' is; move the variable out of the function
  static int base = made(3);
  // CHECK-NOT: error:
  static int zero = 0;
  if (n < 2)
    return base + zero;
  int left = cilk_spawn product(n - 1), right = product(n - 2);
  cilk_sync;
  return left * right;
}
