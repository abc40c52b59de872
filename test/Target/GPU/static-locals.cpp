// Tests that a static variable that a task would initialise at its first use is an error at its line, with a remedy. A static
// variable that is initialised when the program starts is no error.
// RUN: not %cilk2gpuxx -O2 --offload-arch=sm_90 --emit=ptx %s 2>&1 | FileCheck %s --implicit-check-not='error: a '
// RUN: not %cilk2gpuxx -O2 --offload-arch=gfx90a --emit=isa %s 2>&1 | FileCheck %s --implicit-check-not='error: a '
// RUN: %cilk2gpuxx -O2 --offload-arch=sm_90 --emit=ptx -DCONSTANT %s -o %t.ptx
#include <cilk/cilk.h>

struct Table {
  long first;
  constexpr Table(long first) : first(first) {}
};

long seed = 4;
long results[64];

#ifdef CONSTANT
static long first() {
  static const Table table(17);
  return table.first;
}
#else
static long first() {
  // CHECK: static-locals.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: a task on a GPU initialises a static variable of a function, for which other tasks may have to wait; make it a global variable, or give it a constant value
  static const Table table(seed * 17);
  return table.first;
}
#endif

int main() {
  cilk_for (long i = 0; i < 64; i++)
    results[i] = first();
}
