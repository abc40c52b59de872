// Tests a handler behind a sync whose type has a handler in front of the sync, too. The number that the type has in a
// function is another one in each kernel. (The block behind the first handlers has no other predecessor.)
// RUN: %cilk2gpu++ -O2 %s -o %t
// RUN: env CILK2GPU_ELIDE=never %t | FileCheck %s
// RUN: env CILK2GPU_ELIDE=never CILK2GPU_WIDTH=1 %t | FileCheck %s
// RUN: env CILK2GPU_ELIDE=always %t | FileCheck %s
#include <cilk/cilk.h>
#include <stdio.h>

__attribute__((noinline)) static int child(int n) {
  if (n > 5)
    throw n;
  return n;
}

__attribute__((noinline)) static int parent(int n) {
  int result = 1;
  try {
    try {
      throw n;
    } catch (int number) {
      printf("first %d\n", number);
      throw 2.5;
    }
  } catch (double) {
    puts("second");
  }
  try {
    result = cilk_spawn child(n + 10);
  } catch (int number) {
    printf("third %d\n", number);
  }
  cilk_sync;
  return result;
}

int main() {
  // CHECK: first 3
  // CHECK-NEXT: second
  // CHECK-NEXT: third 13
  // CHECK-NEXT: result 1
  try {
    printf("result %d\n", parent(3));
  } catch (int number) {
    printf("not caught: %d\n", number);
  }
}
