// Tests spawns of builtins, for which Clang makes code of its own: their arguments are evaluated at the spawn.
#include <stdio.h>

int main(void) {
  int from[64], to[64], bits[64];
  unsigned next = 5;
  for (int i = 0; i < 64; ++i)
    from[i] = i * i;
  for (int i = 0; i < 64; i += 16)
    cilk_spawn __builtin_memcpy(to + i, from + 48 - i, 16 * sizeof *to);
  for (int i = 0; i < 64; ++i) {
    next = next * 1103515245u + 12345u;
    bits[i] = cilk_spawn __builtin_popcount(next);
    cilk_spawn __builtin_prefetch(from + i, 0, 3);
  }
  int count = 0;
  cilk_spawn __atomic_fetch_add(&count, 7, __ATOMIC_RELAXED);
  cilk_spawn __sync_fetch_and_add(&count, 3);
  cilk_sync;
  long sum = 0;
  for (int i = 0; i < 64; ++i)
    sum = sum * 31 % 1000003 + to[i] + bits[i];
  printf("%ld %d\n", sum, count);
  return 0;
}
