// A switch that all lanes take the same way, with two cases that share the code behind them. In another case, lanes that spawned
// and lanes that could not leave together. The fault: their mask came from the side that no lane had taken.
#include <cilk/cilk.h>
#include <stdio.h>

static unsigned long total, where;

__attribute__((cilk2gpu_lanes("simd"))) static unsigned long grow(int a, int b, unsigned fuel) {
  if (fuel < 3)
    return (unsigned long)(a + b);
  unsigned long inner = cilk_spawn grow(a, b + 1, fuel / 2);
  cilk_sync;
  return inner * 3 + 1;
}

__attribute__((cilk2gpu_lanes("simd"))) static unsigned long choose(void) {
  unsigned long seed = 0xb88620e411f2ee83ul, unused;
  switch ((seed ^ (seed + where)) % 4) {
  case 0:
    unused = cilk_spawn grow(1, 2, 3);
    cilk_sync;
    break;
  case 1:
    total = cilk_spawn grow(3, 4, (unsigned)grow((int)seed, (int)where, 3));
    break;
  case 2:
    break;
  default:
    break;
  }
  cilk_sync;
  return seed * 7 + total;
}

int main(void) {
  for (where = 0; where < 4; ++where) {
    unsigned long result = cilk_spawn choose();
    cilk_sync;
    printf("%lu %lu\n", where, result);
  }
}
