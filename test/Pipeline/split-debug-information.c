// Tests that split debug information with lines alone works: tasks belong to the file's compile unit, which says how inlined code
// is described.
// RUN: cilk2gpu -gmlt -gsplit-dwarf -O1 -c %s -o %t.o
// RUN: cilk2gpu -gmlt -gsplit-dwarf -O1 --emit=llvm %s -o - | FileCheck %s
// CHECK-COUNT-1: splitDebugInlining: false
// CHECK-NOT: DICompileUnit

static long sum(const int *values, int n) {
  long total = 0;
  for (int i = 0; i < n; ++i)
    total = total * 5 + values[i];
  return total;
}

long tree(const int *values, int n) {
  if (n < 2)
    return sum(values, 6);
  long a = cilk_spawn tree(values, n - 1);
  long b = cilk_spawn sum(values + 1, n - 2);
  cilk_sync;
  return a * 3 + b;
}
