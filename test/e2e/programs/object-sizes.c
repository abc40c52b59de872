// Sizes of objects that accompany pointers (pass_object_size). They reach a child as they reach a called function, also if its
// parent got them from its own caller.
#include "checksum.h"
#include <cilk/cilk.h>

#define SIZED __attribute__((pass_object_size(0)))

static long size(const char *const text SIZED, int n) { return (long)__builtin_object_size(text, 0) * n; }

static long forward(const char *const text SIZED, int n) {
  if (n < 2)
    return __builtin_object_size(text, 0);
  long a = cilk_spawn size(text, n);
  long b = cilk_spawn forward(text, n - 1);
  long c = cilk_spawn forward((text), n - 2);
  cilk_sync;
  return a + 3 * b + 5 * c;
}

static long total;
static void add(const void *const start SIZED, long more) {
  __atomic_fetch_add(&total, (long)__builtin_object_size(start, 0) + more, __ATOMIC_RELAXED);
}

static void each(char *const start SIZED, int n) {
  cilk_for (int i = 0; i < n; ++i) {
    cilk_spawn add(start, i);
    add(start, 2 * i);
  }
}

int main(void) {
  char small[37], large[512];
  struct {
    char first[5], second[9];
  } pair;
  Checksum sum = 0;
  for (int n = 0; n < 12; ++n) {
    sum = fold(sum, forward(small, n));
    sum = fold(sum, forward(large + 12, n));
    sum = fold(sum, forward(pair.second, n));
    each(large, n);
  }
  long direct = cilk_spawn size(&small[4], 1);
  cilk_sync;
  report("sizes", fold(fold(sum, total), direct));
}
