// Tests that an image lists the slots that must be filled before its kernels run, with the names that a programmer knows. Slots
// of weak variables are left out, because the host may lack these variables.
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm %s | FileCheck %s
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=llvm %s | FileCheck %s
// CHECK: @__cilk2gpu_address_names = protected {{.*}}constant [{{[0-9]+}} x i8] c"
// CHECK-SAME: {{^}}__cilk2gpu_address_{{[0-9a-f]+}}\00sin\00
// CHECK-SAME: {{^}}__cilk2gpu_address_{{[0-9a-f]+}}\00local\00
// CHECK-SAME: {{^}}__cilk2gpu_address_{{[0-9a-f]+}}\00counter\00"
// CHECK-NOT: \00maybe\00
#include <cilk/cilk.h>
#include <math.h>

extern long counter;
static double local;
extern long maybe __attribute__((weak));

double task(int n) {
  if (n == 0) {
    local += n;
    return sin(counter) + (&maybe ? maybe : 0);
  }
  double a = cilk_spawn task(n - 1);
  double b = task(n - 1);
  cilk_sync;
  return a + b + local;
}
