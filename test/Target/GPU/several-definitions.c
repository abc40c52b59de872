// Tests names that several objects define: devices take the definition of the host's linker. That is the first one with -z
// muldefs, also in an archive, or the one that is not weak. If it has no device code, the host calls it.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %cilk2gpu -O2 --offload-arch=sm_90,gfx90a -c -DFACTOR=1000003 -DTASK=first %s -o first.o
// RUN: %cilk2gpu -O2 --offload-arch=sm_90,gfx90a -c -DFACTOR=2000003 -DTASK=second %s -o second.o
// RUN: %cilk2gpu -O2 --offload-arch=sm_90,gfx90a -c -DFACTOR=3000017 -DTASK=weak -DLINKAGE='__attribute__((weak))' %s -o weak.o
// RUN: %clang -O2 -c -DFACTOR=4000037 %s -o host.o
// RUN: echo 'long first(long), second(long); int main(void) { return first(0) + second(0) != 2 * FACTOR; }' > main.c
// RUN: echo 'long weak(long), first(long); int main(void) { return weak(0) != FACTOR; }' > main-weak.c
// RUN: llvm-ar rcs libsecond.a second.o

// RUN: %cilk2gpu --offload-arch=sm_90,gfx90a -DFACTOR=1000003 main.c first.o second.o -Wl,-z,muldefs -o one && ./one
// RUN: llvm-strings one | FileCheck %s --check-prefix=FIRST
// RUN: %cilk2gpu --offload-arch=sm_90,gfx90a -DFACTOR=2000003 main.c second.o first.o -Wl,--allow-multiple-definition -o two && ./two
// RUN: llvm-strings two | FileCheck %s --check-prefix=SECOND
// RUN: %cilk2gpu --offload-arch=sm_90 -DFACTOR=2000003 main.c -L. -lsecond first.o -Wl,-z,muldefs -o archive && ./archive
// RUN: llvm-strings archive | FileCheck %s --check-prefix=SECOND
// FIRST-NOT: 2000003
// FIRST: 1000003
// FIRST-NOT: 2000003
// SECOND-NOT: 1000003
// SECOND: 2000003
// SECOND-NOT: 1000003

// RUN: %cilk2gpu --offload-arch=sm_90 -DFACTOR=1000003 main-weak.c weak.o first.o -o strong && ./strong
// RUN: llvm-strings strong | FileCheck %s --check-prefix=STRONG
// STRONG-NOT: 3000017
// STRONG: 1000003
// STRONG-NOT: 3000017
// RUN: %cilk2gpu --offload-arch=sm_90,gfx90a -Rpass-analysis=cilk -DFACTOR=4000037 main-weak.c weak.o host.o -o called 2>&1 | FileCheck %s --check-prefix=CALLED
// RUN: ./called && llvm-strings called | FileCheck %s --check-prefix=HOST
// CALLED: remark: a task on a GPU calls 'factor' on the host
// HOST-NOT: 3000017

// Without the option, the host's linker reports the error.
// RUN: not %cilk2gpu --offload-arch=sm_90 -DFACTOR=1000003 main.c first.o second.o -o no 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: multiple definition of `factor'
#ifndef LINKAGE
#define LINKAGE
#endif
LINKAGE __attribute__((noinline)) long factor(long x) { return (x + 1) * FACTOR; }
#ifdef TASK
#include <cilk/cilk.h>
LINKAGE long step = 1;
long TASK(long n) {
  if (n == 0)
    return factor(step - 1);
  long a = cilk_spawn TASK(n - 1);
  long b = TASK(n - 1);
  cilk_sync;
  return a + b;
}
#else
long step = 1;
#endif
