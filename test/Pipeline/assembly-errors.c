// Tests that the assembler's messages about assembly in a task name the source line, for each copy of it.
// RUN: not cilk2gpu --target=x86_64-linux-gnu -O0 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not cilk2gpu --target=x86_64-linux-gnu -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK-NOT: <inline asm>:{{.*}}error
// CHECK: assembly-errors.c:[[@LINE+7]]:20: error: invalid instruction mnemonic 'bogus'
// CHECK-NOT: <inline asm>:{{.*}}error
int leaf(int);

int tree(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  __asm__ volatile("bogus %0" : : "r"(x));
  return x;
}
