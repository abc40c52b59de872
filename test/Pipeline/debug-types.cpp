// Tests that debuggers find one compile unit with one description of each type and its members, and that tasks are no members of
// classes. Without optimisation, a task's frame has a type, too.
// RUN: %cilk2gpuxx -g -O0 -c %s -o %t.o && llvm-dwarfdump %t.o > %t.text
// RUN: FileCheck %s < %t.text
// RUN: grep DW_TAG_compile_unit %t.text | count 1
// RUN: grep DW_TAG_structure_type %t.text | count 3
// RUN: grep 'DW_AT_name.*_ZN4Tree4walkEi.frame' %t.text | count 1
// RUN: %cilk2gpuxx -g -O2 -c %s -o %t.o && llvm-dwarfdump %t.o > %t.text
// RUN: FileCheck %s < %t.text
// RUN: grep DW_TAG_compile_unit %t.text | count 1
// RUN: grep DW_TAG_structure_type %t.text | count 2
// RUN: %cilk2gpuxx -g -O1 -flto -c %s -o %t.bc 2>&1 | count 0
struct Pair {
  long first, second;
};

// CHECK-DAG: DW_AT_name ("Pair")
// CHECK-DAG: DW_AT_name ("first")
// CHECK-DAG: DW_AT_name ("second")
// CHECK-DAG: DW_AT_name ("Tree")
// CHECK-DAG: DW_AT_name ("depth")
// CHECK-DAG: DW_AT_specification {{.*}}"_ZN4Tree4walkEi"
struct Tree {
  int depth;
  Pair walk(int n);
};

Pair Tree::walk(int n) {
  if (n < depth)
    return {n, n};
  Pair x = cilk_spawn walk(n - 1);
  Pair y = cilk_spawn walk(n - 2);
  cilk_sync;
  return {x.first + y.second, x.second};
}
