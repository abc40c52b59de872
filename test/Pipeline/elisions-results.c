// Tests that the elision of a spawned call returns a large structure where it is used, without a copy.
// RUN: %cilk2gpu -O3 --emit=llvm %s -o - | FileCheck %s
#include <cilk/cilk.h>
struct Table { int values[50]; };

// CHECK-LABEL: define internal fastcc void @join.serial(
// CHECK: call fastcc void @join.serial(ptr {{.*}} align 4 %0, ptr
// CHECK: call fastcc void @join.serial(ptr
// CHECK: ret void
static struct Table join(struct Table table, int depth) {
  if (!depth) {
    for (int i = 0; i < 50; ++i)
      table.values[i] = table.values[i] * 3 + 1;
    return table;
  }
  struct Table other = table;
  other.values[depth % 50] ^= depth;
  struct Table left = cilk_spawn join(table, depth - 1);
  table.values[0] = -1;
  struct Table right = cilk_spawn join(other, depth - 1);
  other.values[1] = 9;
  cilk_sync;
  for (int i = 0; i < 50; ++i)
    left.values[i] = (left.values[i] + right.values[49 - i]) & 0xffffff;
  return left;
}

struct Table start(struct Table table) { return join(table, 10); }
