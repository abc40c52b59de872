// Tests that a kernel that spawns in very many places gets no vectors, unless they are asked for.
// RUN: cilk2gpu -O2 -Rpass-missed=cilk -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=SYMBOLS --implicit-check-not=k0.simd
// RUN: cilk2gpu -O2 -fcilk-vector-length=4 -Rpass=cilk -DATTRIBUTE='[[cilk2gpu::lanes("simd")]]' -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ASKED
// A mark that does not stay keeps LLVM's vectorisers away from it. They would take longer than all other passes.
// RUN: cilk2gpu -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=MARKS --implicit-check-not=noimplicitfloat --implicit-check-not=paused-vectorisers
// RUN: cilk2gpu -O2 -S -emit-llvm -mllvm -print-after=slp-vectorizer -mllvm -filter-print-funcs=many.k0 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=PAUSED
// MARKS: @many.k0(
// PAUSED: noimplicitfloat
// CHECK: remark: kernel 'many.k0' runs lane by lane: it spawns in so many places that vectors would take long to compile [-Rpass-missed=cilk]
// SYMBOLS: many
// ASKED: remark: kernel 'many.k0' runs 4 lanes at once with AVX-512, 4 with AVX2 [-Rpass=cilk]
#include <cilk/cilk.h>
#ifndef ATTRIBUTE
#define ATTRIBUTE
#endif
#define FOUR(x) x x x x
double total; // such code may gain from the vectorisers
ATTRIBUTE void many(int n) {
  if (n > 0) {
    total += n;
    FOUR(FOUR(FOUR(cilk_spawn many(n - 1);)))
    cilk_spawn many(n - 2);
  }
}
