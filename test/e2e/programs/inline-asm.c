// Inline assembly in tasks: barriers for the compiler everywhere, instructions where they are known.
#include "checksum.h"
#include <cilk/cilk.h>

static long hide(long n) {
  __asm__ volatile("" : "+r"(n) : : "memory");
  return n;
}

static long add(long a, long b) {
#if defined(__x86_64__)
  __asm__("addq %1, %0" : "+r"(a) : "r"(b) : "cc");
  return a;
#elif defined(__aarch64__)
  __asm__("add %0, %0, %1" : "+r"(a) : "r"(b));
  return a;
#else
  return a + b;
#endif
}

static long tree(long n) {
  if (hide(n) < 2)
    return n;
  long a = cilk_spawn tree(n - 1);
  __asm__ volatile("" ::: "memory");
  long b = cilk_spawn tree(n - 2);
  cilk_sync;
  __asm__ volatile("" : "+r"(a), "+m"(b));
  return add(a, b) % 1000003;
}

int main(void) {
  report("inline assembly", fold(0, (unsigned long)tree(20)));
  return 0;
}
