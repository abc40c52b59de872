// Tests that a kernel of 64-bit divisions runs lane by lane, and one of 32-bit divisions in vectors.
// RUN: %cilk2gpu -O2 -Rpass=cilk -Rpass-missed=cilk -fcilk-vector-isa=avx512 -c %s -o /dev/null 2>&1 | FileCheck %s

// CHECK-DAG: kernel 'many.acc.k0' runs lane by lane: most of its work has no vector form: divisions of 64-bit integers
// CHECK-DAG: kernel 'few.acc.k0' runs 32 lanes at once
#include <cilk/cilk.h>

#define DEFINE(type, name)                                                                                               \
  type name(type a, type b, int depth) {                                                                                 \
    type left, right;                                                                                                    \
    if (depth == 0) {                                                                                                    \
      while (b) {                                                                                                        \
        type rest = a % b;                                                                                               \
        a = b;                                                                                                           \
        b = rest;                                                                                                        \
      }                                                                                                                  \
      return a;                                                                                                          \
    }                                                                                                                    \
    left = cilk_spawn name(a, b + 1, depth - 1);                                                                         \
    right = name(a + 1, b, depth - 1);                                                                                   \
    cilk_sync;                                                                                                           \
    return left ^ right;                                                                                                 \
  }
DEFINE(unsigned long, many)
DEFINE(unsigned, few)
