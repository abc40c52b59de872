// Tests the hooks of a spawned block: it is a child with the parts of a function, which handles its own exceptions.
// RUN: %clang -c -I %source_dir/include %S/Inputs/print-hooks.c -o %t.o
// RUN: %cilk2gpuxx -fcilk-strand-hooks -O0 %s %t.o -o %t && %t | FileCheck %s
// RUN: %cilk2gpuxx -fcilk-strand-hooks -O2 %s %t.o -o %t && %t | FileCheck %s
#include <cstdio>

static void child(int n) {
  if (n > 1)
    throw n;
  std::printf("child %d\n", n);
}

int main() {
  int x = 0;
  for (int i = 1; i < 3; ++i)
    cilk_spawn {
      cilk_spawn child(0);
      cilk_sync;
      try {
        child(i);
      } catch (int) {
        std::printf("caught\n");
      }
    }
  cilk_spawn x = 3;
  cilk_sync;
  std::printf("%d\n", x);
}
// CHECK: enter main
// CHECK-NEXT: spawn {{.*}}(block)
// CHECK-NEXT: enter main
// CHECK-NEXT: spawn {{.*}}child
// CHECK: child 0
// CHECK-NEXT: return
// CHECK-NEXT: sync
// CHECK-NEXT: child 1
// CHECK-NEXT: leave main
// CHECK-NEXT: return
// CHECK-NEXT: spawn {{.*}}(block)
// CHECK: child 0
// CHECK-NEXT: return
// CHECK-NEXT: sync
// CHECK-NEXT: unwind
// CHECK-NEXT: caught
// CHECK-NEXT: leave main
// CHECK-NEXT: return
// CHECK-NEXT: spawn {{.*}}(block)
// CHECK-NEXT: enter main
// CHECK-NEXT: leave main
// CHECK-NEXT: return
// CHECK-NEXT: sync
// CHECK-NEXT: 3
// CHECK: leave main
