// A program for debuggers: many lanes at a time, which wait for space in a channel behind a sync.
#include <cilk/cilk.h>
#include <stdio.h>

static long leaf(long value) { return value * 7 % 1000; }
__attribute__((noinline)) static void add(long *to, long value) { __atomic_fetch_add(to, leaf(value), __ATOMIC_RELAXED); }

static long sum;

static void middle(long number) {
  long seed = number * number % 97;
  cilk_spawn add(&sum, seed);
  cilk_spawn add(&sum, seed + 1);
  cilk_sync;
  for (long i = 0; i < 3 + number % 2; ++i)
    cilk_spawn add(&sum, seed + i);
}

static void all(long count) {
  for (long i = 0; i < count; ++i)
    cilk_spawn middle(i);
}

int main(void) {
  all(200);
  printf("%ld\n", sum);
}
