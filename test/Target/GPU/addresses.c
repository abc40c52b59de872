// Tests that pointers in tasks hold the host's addresses, wherever they come from. A device has copies only of constants that no
// file of the program points at.
// RUN: rm -rf %t && mkdir %t && cd %t

// A table that the optimiser makes of a switch leads to slots.
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=llvm -DNAMES %s | FileCheck %s --check-prefix=NAMES
// NAMES: @switch.table.{{.*}} = {{.*}}constant [6 x ptr addrspace(1)] [ptr addrspace(1) @__cilk2gpu_address_
// NAMES-NOT: unnamed_addr {{.*}}constant [{{[0-9]+}} x i8]
// NAMES: load ptr addrspace(1), ptr addrspace(1) %{{.*}}!invariant.load

// A local or a variable, in code for AMD's GPUs.
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=hsaco -DEITHER %s -o either
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=ptx -DEITHER %s -o either

// A constant that this file only reads, and a text that it also has: other files point at them.
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 -c -DREADS %s -o reads.o
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 -c -DPOINTS %s -o points.o
// RUN: %cilk2gpu --offload-arch=sm_90 reads.o points.o -o first && llvm-strings -n 3 first > first.txt
// RUN: %cilk2gpu --offload-arch=sm_90 points.o reads.o -o second && llvm-strings -n 3 second > second.txt
// RUN: %python %S/Inputs/run-with-slot.py table /bin/echo > slot
// RUN: grep -f slot first.txt && grep -f slot second.txt
// RUN: FileCheck %s --check-prefix=UNITS < first.txt
// RUN: FileCheck %s --check-prefix=UNITS < second.txt
// UNITS-NOT: .b8 table[
// The first text is a copy, the second is not.
// UNITS: .global .align 1 .b8 {{.*}}str{{.*}}[20] = {104, 101,
// UNITS-NOT: .b8 {{.*}}str{{.*}}[20] =
// UNITS-NOT: .b8 table[

// Aliases of variables, which other files know, too.
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=llvm -DALIASES %s | FileCheck %s --check-prefix=ALIASES
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a -DALIASES -DREADS -DPOINTS %s -o aliases
// ALIASES: @__cilk2gpu_address_{{.*}} = protected
// ALIASES-NOT: = {{.*}}alias

#include <cilk/cilk.h>

extern const char *texts[64];
extern const int *elements[64];
extern long sums[64];
const char *name(long i);
const int *find(long i);

#ifdef NAMES
__attribute__((noinline)) static const char *choose(long i) {
  switch (i) {
  case 0: return "zero";
  case 1: return "one";
  case 2: return "two";
  case 3: return "three";
  case 4: return "four";
  case 5: return "five";
  default: return "many";
  }
}
const char *texts[64];
int main(void) {
  cilk_for (long i = 0; i < 64; i++)
    texts[i] = choose(i & 7);
  return texts[1][0] != 'o';
}
#endif

#ifdef EITHER
long sums[64];
int main(void) {
  cilk_for (long i = 0; i < 64; i++) {
    long local[4] = {i, i + 1, i + 2, i + 3};
    long *either = i & 1 ? &local[i & 3] : &sums[i];
    __atomic_fetch_or((char *)either, 1, __ATOMIC_SEQ_CST);
    sums[i] += local[i & 3];
  }
  return 0;
}
#endif

#ifdef READS
const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
long sums[64];
int main(void) {
  cilk_for (long i = 0; i < 64; i++) {
    sums[i] = table[i & 7] + "hello, world 123456"[i % 19];
    elements[i] = find(i);
    texts[i] = name(i);
  }
  return 0;
}
#endif

#ifdef POINTS
extern const int table[8];
const char *texts[64];
const int *elements[64];
const int *find(long i) { return &table[i & 7]; }
const char *name(long i) { return i < 0 ? "" : "hello, world 123456"; }
long fib(long n) {
  if (n < 2)
    return n;
  long a = cilk_spawn fib(n - 1);
  long b = fib(n - 2);
  cilk_sync;
  return a + b;
}
#endif

#ifdef ALIASES
static int counter = 5;
extern int other __attribute__((alias("counter")));
extern int weaker __attribute__((weak, alias("counter")));
static const int row[4] = {1, 2, 3, 4};
extern const int column[4] __attribute__((alias("row")));
long count(long n) {
  if (n < 2)
    return other + weaker + column[n & 3];
  long a = cilk_spawn count(n - 1);
  long b = count(n - 2);
  cilk_sync;
  return a + b;
}
#endif
