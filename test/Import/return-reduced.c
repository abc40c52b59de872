// Tests which functions return what they add to a reducer, so that they look up no views.
// RUN: %cilk2gpu -O2 -Rpass=cilk -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %cilk2gpu -O2 -Rpass=cilk -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: %cilk2gpu -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=LLVM
#include <cilk/cilk.h>

static void zero(void *view) { *(long *)view = 0; }
static void one(void *view) { *(long *)view = 1; }
static void add(void *left, void *right) { *(long *)left += *(long *)right; }
static void subtract(void *left, void *right) { *(long *)left -= *(long *)right; }
static long cilk_reducer(zero, add) sum = 0;
static long cilk_reducer(zero, add) other = 0;
static long cilk_reducer(one, add) wrong = 0;
static long cilk_reducer(zero, subtract) last = 0;

void unknown(void);

// CHECK: 'leaves' returns what it adds to its reducer
// LLVM-LABEL: define {{.*}} @leaves.reduced{{.*}}.serial(
// LLVM-NOT: __hyper_lookup
// LLVM-NOT: keep_lookup
// LLVM: {{^}}}
void leaves(int n) {
  if (n < 2) {
    sum += n;
    return;
  }
  cilk_spawn leaves(n - 1);
  leaves(n - 2);
}

// KEPT-NOT: 'reads' returns
void reads(int n) {
  if (sum > n)
    sum += 1;
  if (n)
    cilk_spawn reads(n - 1);
}

// KEPT-NOT: 'value' returns
static long seen[100];
void value(int n) {
  seen[n] = (sum += n);
  if (n)
    cilk_spawn value(n - 1);
}

// KEPT-NOT: 'calls' returns
void calls(int n) {
  sum += n;
  unknown();
  if (n)
    cilk_spawn calls(n - 1);
}

// KEPT-NOT: 'pointer' returns
void pointer(int n, void (*function)(void)) {
  sum += n;
  function();
  if (n)
    cilk_spawn pointer(n - 1, function);
}

// KEPT-NOT: 'both' returns
void both(int n) {
  sum += n;
  other += n;
  if (n)
    cilk_spawn both(n - 1);
}

// KEPT-NOT: 'identity' returns
void identity(int n) {
  wrong += n;
  if (n)
    cilk_spawn identity(n - 1);
}

// KEPT-NOT: 'operation' returns
void operation(int n) {
  last -= n;
  if (n)
    cilk_spawn operation(n - 1);
}

// KEPT-NOT: 'result' returns
int result(int n) {
  sum += n;
  if (n) {
    int below = cilk_spawn result(n - 1);
    cilk_sync;
    return below + 1;
  }
  return 0;
}

// One update follows the other.
// CHECK: 'nested' returns what it adds to its reducer
static long more(void) {
  sum += 1;
  return 2;
}
void nested(int n) {
  sum += more();
  if (n)
    cilk_spawn nested(n - 1);
}

// KEPT-NOT: 'loop' returns
void loop(int n) {
  cilk_for (int i = 0; i < n; ++i)
    sum += i;
  if (n)
    cilk_spawn loop(n / 2);
}

// KEPT-NOT: 'block' returns
void block(int n) {
  cilk_spawn { sum += n; }
  if (n)
    cilk_spawn block(n / 2);
}

// KEPT-NOT: 'swapped' returns
void swapped(int n, long cilk_reducer(zero, add) *left, long cilk_reducer(zero, add) *right) {
  *left += n;
  if (n)
    cilk_spawn swapped(n - 1, right, left);
}

// All calls hand the argument on.
// CHECK: 'argument' returns what it adds to its reducer
void argument(int n, long cilk_reducer(zero, add) *total) {
  *total -= n;
  if (n)
    cilk_spawn argument(n - 1, total);
}
