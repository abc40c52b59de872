#include <stdio.h>
static int step(int i, int *a) {
  int r = a[i] * 2;
  return r;
}
static long work(int n, int *a) {
  long total = 0;
  cilk_for (int i = 0; i < n; ++i) {
    int v = step(i, a);
    a[i] = v + n;
  }
  for (int i = 0; i < n; ++i)
    total += a[i];
  return total;
}
static long both(int n, int *a, int *b) {
  long x = cilk_spawn work(n, a);
  long y = cilk_spawn work(n, b);
  cilk_sync;
  return x + y;
}
int main(void) {
  int a[8] = {1, 2, 3}, b[8] = {4, 5, 6};
  printf("%ld\n", both(8, a, b));
}
