// Tests recursive functions that ignore a result and then read their own arguments, which are structs. LLVM 22 makes a loop
// of such a call, and overwrites the arguments before it reads them.
#include <stdio.h>

struct large {
  long v[12];
};

static long count;

static int visit(int n, struct large x, struct large y) {
  if (n < 2)
    return 0;
  cilk_spawn visit(n - 1, y, x);
  cilk_sync;
  count += n;
  cilk_spawn visit(n - 2, y, y);
  cilk_sync;
  return (int)(x.v[1] + y.v[2]);
}

int main() {
  struct large x, y;
  for (int i = 0; i < 12; i++)
    x.v[i] = i, y.v[i] = 100 * i;
  for (int n = 0; n < 8; n++) {
    int value = cilk_spawn visit(n, x, y);
    cilk_sync;
    printf("%d %ld\n", value, count);
  }
  return 0;
}
