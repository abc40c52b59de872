// Inline assembly in tasks: barriers for the compiler everywhere, instructions on known processors. Assembly that writes memory
// runs as often as the program says, also if it is not volatile.
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

// In the Cilk function itself: macros.
#if defined(__x86_64__)
#define ADD_FIVE(place) __asm__("addq $5, %0" : "+m"(place) : : "cc")
#define TAKE_NUMBER(result, place) __asm__("movq (%1), %0; incq (%1)" : "=&r"(result) : "r"(&(place)) : "memory", "cc")
#define READ(result, place) __asm__("movq %1, %0" : "=r"(result) : "m"(place))
#else
#define ADD_FIVE(place) ((place) += 5)
#define TAKE_NUMBER(result, place) ((result) = (place)++)
#define READ(result, place) ((result) = (place))
#endif

static long leaf(long n) { return n * 3; }

static long unused_results(long n, long *place) {
  long before, ignored;
  READ(before, *place);
  long a = cilk_spawn leaf(n);
  ADD_FIVE(*place);
  TAKE_NUMBER(ignored, *place);
  cilk_sync;
  long after;
  READ(after, *place);
  return a + before * 7 + after;
}

static long numbered(long n, long *place) {
  long number;
  TAKE_NUMBER(number, *place);
  if (n < 2)
    return n + number;
  long next[2] = {n, n + 1};
  long a = cilk_spawn numbered(n - 1, &next[0]);
  long b = cilk_spawn numbered(n - 2, &next[1]);
  cilk_sync;
  ADD_FIVE(next[1]);
  return (a + b * 3 + next[0] * 5 + next[1]) % 1000003;
}

static unsigned long loop(void) {
  long values[100];
  cilk_for (int i = 0; i < 100; ++i) {
    values[i] = i;
    ADD_FIVE(values[i]);
  }
  unsigned long sum = 0;
  for (int i = 0; i < 100; ++i)
    sum = fold(sum, (unsigned long)values[i]);
  return sum;
}

int main(void) {
  long place = 3, other = 0;
  report("unused results", fold((unsigned long)unused_results(5, &place), (unsigned long)place));
  report("numbered leaves", fold((unsigned long)numbered(12, &other), (unsigned long)other));
  report("loop", loop());
  report("inline assembly", fold(0, (unsigned long)tree(20)));
  return 0;
}
