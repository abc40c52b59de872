// Tests that a label that is not UTF-8 reaches the graph: JSON has U+FFFD in its place.
// RUN: %cilk2gpu --emit=graph-json %s -o %t.json
// RUN: %python -c "import json, sys; print(ascii(json.load(open(sys.argv[1]))))" %t.json | FileCheck %s
// RUN: %cilk2gpu --emit=graph %s -o - | FileCheck %s --check-prefix=DOT
// RUN: %cilk2gpu %s -o %t && %t 10 | FileCheck %s --check-prefix=SUM
#include <cilk/cilk.h>
#include <stdio.h>

// CHECK: 'name': 'fib\ufffd.k0'
// DOT: digraph
long fib(long n) __asm__("fib\377");
long fib(long n) {
  if (n < 2)
    return n;
  long a = cilk_spawn fib(n - 1), b = fib(n - 2);
  cilk_sync;
  return a + b;
}

int main(void) {
  // SUM: 55
  printf("%ld\n", fib(10));
  return 0;
}
