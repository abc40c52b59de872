// An item with a name that does not exist is Clang's error, and only Clang's: the item has no value.
// RUN: not %cilk2gpu++ -fsyntax-only %s 2>&1 | FileCheck %s
#include <cilk/cilk.h>

static void step(long *from, long *to) { *to += *from; }

void update(long first, long *other) {
  // CHECK: [[@LINE+1]]:32: error: use of undeclared identifier 'unknown'
#pragma cilk depend(in : other[unknown]) depend(inout : first)
  cilk_spawn step(other, &first);
  cilk_sync;
}
// CHECK: 1 error generated.
