// Tests the order of hooks in an instrumented elision: arguments come before the spawn, the child's result is stored
// before it returns, and iterations follow one another.
// RUN: %clang -c -I %source_dir/include %S/Inputs/print-hooks.c -o %t.o
// RUN: %cilk2gpu -fcilk-strand-hooks -O0 %s %t.o -o %t && %t | FileCheck %s
// RUN: %cilk2gpu -fcilk-strand-hooks -O2 %s %t.o -o %t && %t | FileCheck %s
#include <cilk/cilk.h>
#include <stdio.h>

int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static int argument(int value) {
  printf("argument %d\n", value);
  return value;
}

static int child(int value) {
  printf("child %d\n", value);
  return value;
}

void run(int (*pointer)(int), int *results) {
  results[0] = cilk_spawn pointer(argument(1));
  cilk_for (int i = 10; i > 4; i -= 2) {
    results[i / 2] = cilk_spawn child(i);
    printf("body %d\n", i);
  }
  cilk_for (int i = 0; i < 0; ++i)
    child(i);
}

int main(void) {
  int results[6] = {0};
  printf("fib %d\n", fib(2));
  run(child, results);
  printf("%d %d %d %d\n", results[0], results[3], results[4], results[5]);
}
// CHECK:      file strand-hooks.c
// CHECK-NEXT: enter fib:9
// CHECK-NEXT:   spawn fib:12 fib
// CHECK-NEXT:     enter fib:9
// CHECK-NEXT:     leave fib
// CHECK-NEXT:   return
// CHECK-NEXT:   enter fib:9
// CHECK-NEXT:   leave fib
// CHECK-NEXT:   sync fib:14
// CHECK-NEXT: leave fib
// CHECK-NEXT: fib 1
// CHECK-NEXT: file strand-hooks.c
// CHECK-NEXT: enter run:28
// CHECK-NEXT: argument 1
// CHECK-NEXT:   spawn run:29 (pointer)
// CHECK-NEXT: child 1
// CHECK-NEXT:   return
// CHECK-NEXT:   loop run:30
// CHECK-NEXT:     trips 3
// CHECK-NEXT:     iteration 0
// CHECK-NEXT:     spawn run:31 child
// CHECK-NEXT: child 10
// CHECK-NEXT:     return
// CHECK-NEXT: body 10
// CHECK-NEXT:     iteration 1
// CHECK-NEXT:     spawn run:31 child
// CHECK-NEXT: child 8
// CHECK-NEXT:     return
// CHECK-NEXT: body 8
// CHECK-NEXT:     iteration 2
// CHECK-NEXT:     spawn run:31 child
// CHECK-NEXT: child 6
// CHECK-NEXT:     return
// CHECK-NEXT: body 6
// CHECK-NEXT:   end of loop
// CHECK-NEXT:   loop run:34
// CHECK-NEXT:     trips 0
// CHECK-NEXT:   end of loop
// CHECK-NEXT: leave run
// CHECK-NEXT: 1 6 8 10
