// Tests names that shared libraries and archives also define: devices take the definition that the host's linker takes.
// This is the first definition on the command line that is needed at that point.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 -c -DTASKS %s -o tasks.o
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 -c -DFACTOR=1000003 %s -o first.o
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 -c -DFACTOR=2000003 %s -o second.o
// RUN: %clang -O2 -fPIC -shared -DFACTOR=3000017 %s -o libshared.so && %clang -O2 -fPIC -shared -DNONE %s -o libneedy.so
// RUN: llvm-ar rcs libfirst.a first.o && llvm-ar rcs libsecond.a second.o
// RUN: echo 'long task(long); int main(void) { return task(0) != FACTOR; }' > main.c
// DEFINE: %{link} = %cilk2gpu --offload-arch=sm_90 -L. -Wl,-rpath,%t
// DEFINE: %{check} = ./prog && llvm-strings prog | FileCheck %s --check-prefix

// RUN: %{link} -DFACTOR=3000017 main.c tasks.o -lshared -lfirst -o prog && %{check}=SHARED
// RUN: %{link} -fuse-ld=lld -DFACTOR=3000017 main.c tasks.o -lshared -lfirst -o prog && %{check}=SHARED
// RUN: %{link} -DFACTOR=1000003 main.c tasks.o -lfirst -lshared -o prog && %{check}=FIRST
// RUN: %{link} -fuse-ld=lld -DFACTOR=1000003 main.c -lfirst tasks.o -lshared -o prog && %{check}=FIRST
// RUN: %{link} -DFACTOR=3000017 main.c -lfirst tasks.o -lshared -o prog && %{check}=SHARED
// RUN: %{link} -DFACTOR=2000003 main.c -lfirst tasks.o -lsecond -o prog && %{check}=SECOND
// RUN: %{link} -fuse-ld=lld -DFACTOR=1000003 main.c -lfirst tasks.o -lsecond -o prog && %{check}=FIRST
// RUN: %{link} -DFACTOR=1000003 main.c -Wl,--start-group -lfirst tasks.o -lsecond -Wl,--end-group -Wl,-u,factor -o prog
// RUN: %{link} -DFACTOR=1000003 main.c -Wl,-u,factor -lfirst tasks.o -lshared -o prog && %{check}=FIRST
// RUN: %{link} -DFACTOR=1000003 main.c libneedy.so -lfirst tasks.o -lshared -o prog && %{check}=FIRST
// A linker script in place of the library.
// RUN: mkdir script && echo '/* GROUP ( nothing ) */ GROUP ( %t/libshared.so AS_NEEDED ( -lfirst ) )' > script/libboth.so
// RUN: %{link} -Lscript -DFACTOR=3000017 main.c tasks.o -lboth -o prog && %{check}=SHARED
// FIRST-NOT: {{2000003|3000017}}
// FIRST: {{[, ]1000003}}
// FIRST-NOT: {{2000003|3000017}}
// SECOND-NOT: {{1000003|3000017}}
// SECOND: {{[, ]2000003}}
// SECOND-NOT: {{1000003|3000017}}
// SHARED-NOT: {{[12]00000[23]}}
#if defined(TASKS)
#include <cilk/cilk.h>
long factor(long x);
long zero;
long task(long n) {
  long x = cilk_spawn factor(zero + n);
  cilk_sync;
  return x;
}
#elif defined(NONE)
long factor(long x);
long needy(void) { return factor(1); }
#else
long factor(long x) { return (x + 1) * FACTOR; }
#endif
