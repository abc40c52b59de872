// A cilk_for whose body has a sync, and an alloca that is never reached. LLVM's inliner saved the stack around the body, and
// dropped the alloca afterwards. One kernel saved the stack, and another restored it.
#include <alloca.h>
#include <cilk/cilk.h>
#include <stdio.h>

static int square(int x) { return x * x; }

static int sum(unsigned n, unsigned long key) {
  int squares[16];
  cilk_for (unsigned i = 0; i < n; ++i) {
    squares[i] = cilk_spawn square((int)i);
    for (unsigned k = 0; k < 4 && (key + i) % 2 > 1; ++k) {
      int *values = alloca((k + 3) * sizeof(int));
      values[0] = values[1] = (int)k;
      squares[i] += values[k % 2];
    }
    cilk_sync;
    squares[i] += 1;
  }
  int total = 0;
  for (unsigned i = 0; i < n; ++i)
    total += squares[i];
  return total;
}

int main(void) {
  int total = cilk_spawn sum(16, 7);
  cilk_sync;
  printf("%d\n", total);
  return 0;
}
