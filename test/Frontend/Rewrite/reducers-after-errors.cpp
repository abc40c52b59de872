// Tests that a reducer of an incomplete type does no harm behind a fatal error, which hides the error about the type.
// RUN: not %cilk2gpuxx -ferror-limit=1 -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: error: use of undeclared identifier 'unknown'
// CHECK: fatal error: too many errors emitted
// CHECK-NOT: Stack dump
#include <cilk/cilk.h>

static int first = unknown, second = unknown;

struct Incomplete;
static void none(void *view);
static void join(void *left, void *right);
static Incomplete cilk_reducer(none, join) object;
extern Incomplete cilk_reducer(none, join) other;
void use(Incomplete &value);

void update() {
  use(object);
  use(other);
  Incomplete cilk_reducer(none, join) local;
  use(local);
}
