// Half precision (_Float16) as arguments, results and locals of tasks. All sums are exact, so no rounding depends on the order.
#include "checksum.h"
#include <cilk/cilk.h>

typedef struct {
  _Float16 low, high;
} Pair;

static _Float16 sum(int n, _Float16 x) {
  if (n == 0)
    return x;
  _Float16 left = cilk_spawn sum(n - 1, x);
  _Float16 right = cilk_spawn sum(n - 1, x + (_Float16)1);
  cilk_sync;
  return (left + right) * (_Float16)0.5f;
}

static Pair range(int n, Pair between) {
  if (n == 0)
    return between;
  Pair left = cilk_spawn range(n - 1, (Pair){between.low, (between.low + between.high) * (_Float16)0.5f});
  Pair right = range(n - 1, (Pair){(between.low + between.high) * (_Float16)0.5f, between.high});
  cilk_sync;
  return (Pair){right.low, left.high + (_Float16)0.125f};
}

int main(void) {
  _Float16 x = cilk_spawn sum(6, (_Float16)2.0f);
  Pair pair = range(4, (Pair){(_Float16)0.0f, (_Float16)16.0f});
  cilk_sync;
  report("half", fold(fold((unsigned)(x * (_Float16)16.0f), (unsigned)(pair.low * (_Float16)16.0f)),
                      (unsigned)(pair.high * (_Float16)16.0f)));
  return 0;
}
