// Tests calls of functions without a prototype, defined in a file without device code, in a file with it, and in the same file.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -std=c11 -w -O2 -c -DDEFINE %s -o plain.o
// RUN: %cilk2gpu -std=c11 -w -O2 --offload-arch=sm_90,gfx90a -c -DDEFINE %s -o device.o
// RUN: %cilk2gpu -std=c11 -w -O2 --offload-arch=sm_90,gfx90a -c %s -o tasks.o
// RUN: %cilk2gpu --offload-arch=sm_90,gfx90a -Rpass-analysis=cilk tasks.o plain.o -o host 2>&1 | FileCheck %s
// RUN: %cilk2gpu --offload-arch=sm_90,gfx90a -Rpass-analysis=cilk tasks.o device.o -o own 2>&1 | FileCheck %s --check-prefix=OWN --allow-empty
// RUN: ./host && ./own
// RUN: %cilk2gpu -std=c11 -w -O2 --offload-arch=sm_90 --emit=ptx -DDEFINE -DTASKS %s -o own.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 own.ptx -o own.cubin %}
// CHECK: remark: a task on a GPU calls 'old' on the host (--offload-arch=sm_90)
// OWN-NOT: remark:
#if !defined(DEFINE) || defined(TASKS)
#include <cilk/cilk.h>

extern long old();

int main(void) {
  long r[8];
  cilk_for (long i = 0; i < 8; i++)
    r[i] = old(i, 2.5);
  return r[3] != 16;
}
#endif
#ifdef DEFINE
long old(a, d) long a; double d; { return a < 0 ? old(a + 1, d) : a * 2 + (long)(d * 4); }
#endif
