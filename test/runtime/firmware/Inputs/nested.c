// A comparator of a library function calls a Cilk function. The graph runs several times, and the process forks in a task and
// between runs.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int weight(int n) {
  if (n < 2)
    return n;
  int low = cilk_spawn weight(n - 1);
  int high = cilk_spawn weight(n - 2);
  cilk_sync;
  return low + high;
}

static int compare(const void *a, const void *b) { return weight(*(const int *)b % 8) - weight(*(const int *)a % 8); }

static int forked(int n) {
  fflush(stdout);
  pid_t child = fork();
  if (!child)
    _exit(weight(n));
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

static void sorted(int *values, int n) {
  for (int i = 0; i < n; ++i)
    values[i] = (i * 37 + n) % 8;
  qsort(values, (unsigned)n, sizeof *values, compare);
  if (n == 12)
    values[0] = forked(n);
}

int main(void) {
  int values[16][16];
  for (int run = 0; run < 3; ++run) {
    for (int n = 1; n < 16; ++n)
      cilk_spawn sorted(values[n], n);
    cilk_sync;
    for (int n = 1; n < 16; ++n)
      printf("%d %d %d\n", run, values[n][0], values[n][n - 1]);
    printf("%d in a child\n", forked(run + 5));
  }
  return 0;
}
