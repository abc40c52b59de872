#include <cilk/cilk.h>
long helper(long x);
long weights[4] = {1, 2, 3, 4};
long part(int n) {
  if (n <= 0)
    return helper(n);
  long x = cilk_spawn part(n - 1);
  long y = cilk_spawn part(n - 2);
  cilk_sync;
  return x + y + weights[n & 3];
}
