// Loops that spawn results into an array before they check the bound. They may spawn more results than the sum adds, or
// one result if it adds none.
#include <stdio.h>

__attribute__((noinline)) static int hidden(int x) { return x; }

static int first_then_test(int d, int b) {
  if (d == 0)
    return 1;
  int r[64], n = 0, s = 0;
  do {
    r[n] = cilk_spawn first_then_test(d - 1, b);
    n = n + 1;
  } while (n < b);
  cilk_sync;
  for (int i = 0; i < b; i = i + 1)
    s = s + r[i];
  return s;
}

static int leaves_in_the_middle(int d, int b) {
  if (d == 0)
    return 1;
  int r[64], n = 0, s = 0;
  for (;;) {
    r[n] = cilk_spawn leaves_in_the_middle(d - 1, b);
    n = n + 1;
    if (!(n < b))
      break;
  }
  cilk_sync;
  for (int i = 0; i < b; i = i + 1)
    s = s + r[i];
  return s;
}

static int test_first(int d, int b) {
  if (d == 0)
    return 1;
  int r[64], s = 0;
  for (int n = 0; n < b; n = n + 1)
    r[n] = cilk_spawn test_first(d - 1, b);
  cilk_sync;
  for (int i = 0; i < b; i = i + 1)
    s = s + r[i];
  return s;
}

int main(void) {
  for (int b = -1; b < 4; ++b)
    printf("%d %d %d\n", first_then_test(3, hidden(b)), leaves_in_the_middle(3, hidden(b)), test_first(3, hidden(b)));
}
