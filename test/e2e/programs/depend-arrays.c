// Tests `#pragma cilk depend` with variable-length arrays and with sections of several dimensions. The runtime on the host
// orders the tasks, and it cannot see an array of variable size of a GPU's task.
#include <stdio.h>

static void set(long *to, long value) { *to = value; }
static void scale(long *data, int n, long factor) {
  for (int i = 0; i < n; ++i)
    data[i] = data[i] * factor + i;
}
static void scaleBy(long *data, int n, const long *factor) { scale(data, n, *factor); }
static long total(const long *data, int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 3 + data[i];
  return sum;
}

// Columns of an array of arrays; variable-length arrays; sections without first element or length.
static long matrix(int n, int m) {
  long a[8][8], b[n][m];
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      a[i][j] = i * 8 + j;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      b[i][j] = i - j;
  for (int round = 0; round < 6; ++round) {
    for (int i = 0; i < 8; i += 2) {
#pragma cilk depend(inout : a[i : 2][ : ]) depend(in : b[round % n])
      cilk_spawn scaleBy(a[i], 16, &b[round % n][m - 1]);
    }
    for (int i = 0; i + 1 < n; ++i) {
#pragma cilk depend(in : a[2 : 3][i % 8 : 1]) depend(inout : b[i], b[i + 1][ : ])
      cilk_spawn scale(b[i], 2 * m, 3);
#pragma cilk depend(in : b[ : ][ : 1]) depend(out : a[7][7])
      cilk_spawn set(&a[7][7], round + i);
    }
  }
  cilk_sync;
  return total(a[0], 64) ^ total(b[0], n * m);
}

int main(void) {
  printf("%ld\n%ld\n", matrix(3, 5), matrix(7, 2));
  return 0;
}
