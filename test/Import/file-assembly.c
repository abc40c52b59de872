// Tests that assembly outside of functions stays in the file once, wherever copies of parts of it go.
// RUN: cilk2gpu --target=x86_64-linux-gnu -O0 --emit=llvm %s -o - | FileCheck %s
// RUN: cilk2gpu --target=x86_64-linux-gnu -O2 --emit=llvm %s -o - | FileCheck %s
// CHECK: module asm ".globl answer"
// CHECK-NEXT: module asm "answer = 42"
// CHECK-NOT: module asm
__asm__(".globl answer\nanswer = 42");

static int leaf(int n) { return n * 3 + 1; }

int tree(int n) {
  if (n < 2)
    return leaf(n);
  int x = cilk_spawn tree(n - 1);
  int y = cilk_spawn tree(n - 2);
  cilk_sync;
  return leaf(x) ^ y;
}
