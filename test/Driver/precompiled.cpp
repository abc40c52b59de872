// Tests precompiled headers, serialised ASTs and modules: their declarations come before this unit's own code, or are
// the whole unit.
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %cilk2gpu++ -O2 -x c++-header head.h -o head.h.pch
// RUN: %cilk2gpu++ -O2 -include-pch head.h.pch main.cpp -o main && ./main | FileCheck %s
// RUN: %cilk2gpu -O2 -emit-ast both.c -o both.ast && %cilk2gpu -O2 both.ast -o both && ./both | FileCheck %s
// RUN: %cilk2gpu++ -std=c++20 --precompile module.cppm -o module.pcm && %cilk2gpu++ -std=c++20 -c module.pcm -o module.o
// CHECK: 6765

//--- head.h
#include <cilk/cilk.h>
#include <iostream>
struct Base { virtual ~Base(); };
inline Base::~Base() {}
int counted = 1;
asm(".globl named");
inline long fib(int n) {
  if (n < 2)
    return n;
  long a = cilk_spawn fib(n - 1);
  long b = fib(n - 2);
  cilk_sync;
  return a + b;
}

//--- main.cpp
int main() {
  Base base;
  long sum = cilk_spawn fib(20);
  cilk_sync;
  std::cout << sum * counted << "\n";
}

//--- both.c
#include <cilk/cilk.h>
#include <stdio.h>
static long fib(int n) {
  if (n < 2)
    return n;
  long a = cilk_spawn fib(n - 1);
  long b = fib(n - 2);
  cilk_sync;
  return a + b;
}
int main(void) { printf("%ld\n", fib(20)); }

//--- module.cppm
module;
#include <iostream>
export module M;
export void greet() { std::cout << "hello\n"; }
