// Tests which functions return what they add to a reducer, so that they look up no views.
// RUN: %cilk2gpu -O2 -Rpass=cilk -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %cilk2gpu -O2 -Rpass=cilk -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: %cilk2gpu -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=LLVM
// RUN: %cilk2gpu -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=INTO
// RUN: %cilk2gpu -O2 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: cilk-llvm-opt --passes=cilk-return-reduced %t.ll | FileCheck %s --check-prefix=COPY
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

// Two reducers make a structure.
// CHECK: 'both' returns what it adds to its reducers
// Its elision updates two variables, whose sums Clang finds a formula for. The variables start at 0, so that their sums
// may overflow where those of the program do not.
// COPY-LABEL: define internal void @both.into(
// COPY-SAME: ptr noalias nonnull dereferenceable(8) %[[SUM:[0-9]+]], ptr noalias nonnull dereferenceable(8) %[[OTHER:[0-9]+]])
// COPY: load i64, ptr %[[SUM]]
// COPY-NEXT: add i64
// COPY: call void @both.into({{.*}}, ptr %[[SUM]], ptr %[[OTHER]])
// INTO-LABEL: define {{.*}} { i64, i64 } @both.reduced.serial(
// INTO-NOT: call
// INTO: ret
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

// The result and the sum make a structure.
// CHECK: 'result' returns what it adds to its reducer,
// INTO-LABEL: define {{.*}} { i32, i64 } @result.reduced.serial(
// INTO-NOT: call
// INTO: ret
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

// CHECK: 'swapped' returns what it adds to its reducers
void swapped(int n, long cilk_reducer(zero, add) *left, long cilk_reducer(zero, add) *right) {
  *left += n;
  if (n)
    cilk_spawn swapped(n - 1, right, left);
}

// Children in a loop would share the variable for their results.
// KEPT-NOT: 'repeated' returns
int repeated(int n) {
  sum += n;
  for (int i = 0; i < n; ++i)
    cilk_spawn repeated(i);
  return n;
}

// KEPT-NOT: 'element' returns
int element(int n) {
  int results[2] = {0, 0};
  sum += n;
  if (n)
    results[n & 1] = cilk_spawn element(n - 1);
  cilk_sync;
  return results[0];
}

static void least(void *view) { *(int *)view = -2147483647 - 1; }
static void greater(void *left, void *right) {
  if (*(int *)right > *(int *)left)
    *(int *)left = *(int *)right;
}
static int cilk_reducer(least, greater) most = -2147483647 - 1;

// CHECK: 'deepest' returns what it adds to its reducer,
// LLVM-LABEL: define {{.*}} @deepest.reduced{{.*}}.serial(
// LLVM-NOT: __hyper_lookup
// LLVM: {{^}}}
void deepest(int n, int depth) {
  if (depth > most)
    most = depth;
  if (n)
    cilk_spawn deepest(n / 2, depth + 1);
}

// The greatest value decides what is searched.
// KEPT-NOT: 'bounded' returns
void bounded(int n, int depth) {
  if (depth < most)
    return;
  most = depth;
  if (n)
    cilk_spawn bounded(n / 2, depth + 1);
}

// Each value takes the place of the one before.
// KEPT-NOT: 'assigned' returns
void assigned(int n) {
  most = n;
  if (n)
    cilk_spawn assigned(n - 1);
}

// The other operation is not that of the reducer.
// KEPT-NOT: 'lowest' returns
void lowest(int n) {
  most = n < most ? n : most;
  if (n)
    cilk_spawn lowest(n - 1);
}

// A number of updates that depends on the greatest value.
// KEPT-NOT: 'counted' returns
void counted(int n) {
  if (n > most) {
    most = n;
    sum += 1;
  }
  if (n)
    cilk_spawn counted(n - 1);
}

// All calls hand the argument on.
// CHECK: 'argument' returns what it adds to its reducer
void argument(int n, long cilk_reducer(zero, add) *total) {
  *total -= n;
  if (n)
    cilk_spawn argument(n - 1, total);
}
