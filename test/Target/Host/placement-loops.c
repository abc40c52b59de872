// Tests that loops of a unit with Cilk start at cache lines at -O2, except in functions that must be small. Other units do not.
// RUN: %cilk2gpu -O2 -S -DCILK %s -o - | FileCheck %s --check-prefixes=ALIGNED,SMALL
// RUN: %cilk2gpu -O2 -S %s -o - | FileCheck %s --check-prefixes=PLAIN,SMALL
// RUN: %cilk2gpu -Os -S -DCILK %s -o - | FileCheck %s --check-prefixes=PLAIN,SMALL
// RUN: %cilk2gpu -O2 --emit=llvm -DCILK %s -o - | FileCheck %s --check-prefix=IR
#ifdef CILK
#include <cilk/cilk.h>
#else
#define cilk_spawn
#define cilk_sync
#endif

// ALIGNED-LABEL: {{^}}search:
// ALIGNED: .p2align 6
// ALIGNED: .size search
// PLAIN-LABEL: {{^}}search:
// PLAIN-NOT: .p2align 6
// PLAIN: .size search
// IR-LABEL: define {{.*}}@search(
// IR: br i1 {{.*}}!llvm.loop [[LOOP:![0-9]+]]
const char *search(const char *text, char wanted) {
  while (*text && *text != wanted)
    ++text;
  return text;
}

// SMALL-LABEL: {{^}}small:
// SMALL-NOT: .p2align 6
// SMALL: .size small
__attribute__((minsize)) const char *small(const char *text, char wanted) {
  while (*text && *text != wanted)
    ++text;
  return text;
}

// A function with its own alignment keeps it.
// IR-LABEL: define {{.*}}@own(
// IR: br i1 {{.*}}!llvm.loop [[OWN:![0-9]+]]
const char *own(const char *text, char wanted) {
  [[clang::code_align(16)]] while (*text && *text != wanted)
    ++text;
  return text;
}

long fib(long n) {
  if (n < 2)
    return n;
  long a = cilk_spawn fib(n - 1);
  long b = fib(n - 2);
  cilk_sync;
  return a + b;
}

// IR-DAG: [[LOOP]] = distinct !{[[LOOP]]{{.*}}, [[LINE:![0-9]+]]}
// IR-DAG: [[LINE]] = !{!"llvm.loop.align", i32 64}
// IR-DAG: [[OWN]] = distinct !{[[OWN]]{{.*}}, [[SMALLER:![0-9]+]]}
// IR-DAG: [[SMALLER]] = !{!"llvm.loop.align", i32 16}
