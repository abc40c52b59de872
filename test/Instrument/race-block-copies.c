// Tests races of spawned blocks on locals of the function around them, and that a local which a block only reads is a
// copy.
// RUN: %cilk2gpu -fsanitize=cilk -g -O1 %s -o %t && not %t 2>&1 | FileCheck %s
#include <stdio.h>
int main(void) {
  int x = 0, squares[8];
  for (int i = 0; i < 8; ++i)
    cilk_spawn { squares[i] = i * i; }
  cilk_sync;
  cilk_spawn { x++; }
  cilk_spawn x += 2;
  cilk_sync;
  printf("%d %d\n", x, squares[7]);
  return 0;
}
// CHECK-NOT: race-block-copies.c:8
// CHECK: race-block-copies.c:11
// CHECK-NOT: race-block-copies.c:8
