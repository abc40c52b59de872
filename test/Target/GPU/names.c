// Tests functions and variables with names that PTX, or NVIDIA's assembler, uses for other things.
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=ptx %s -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 %t.ptx -o %t.cubin %}
// CHECK-NOT: {{ (_|WARP_SZ|A7|min|__nv_ptx_builtin_ocg_)\(}}
#include <cilk/cilk.h>
#include <stdlib.h>

#define FUNCTION(NAME) __attribute__((noinline)) long NAME(long a) { return a * 7 + rand(); }
FUNCTION(WARP_SZ)
FUNCTION(_)
FUNCTION(A7)
FUNCTION($)
FUNCTION(_$)
FUNCTION(min)
FUNCTION(__nv_ptx_builtin_ocg_)

void task(long i, long *r) { *r = WARP_SZ(i) + _(i) + A7(i) + $(i) + _$(i) + min(i) + __nv_ptx_builtin_ocg_(i); }

int main(void) {
  long r[8];
  cilk_for (int i = 0; i < 8; i++)
    task(i, &r[i]);
  return r[3] == 0;
}
