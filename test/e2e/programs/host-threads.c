// Cilk functions called from four host threads at once; each must get its own result.
// Link: -pthread
#include "checksum.h"
#include <cilk/cilk.h>
#include <pthread.h>
#include <stdlib.h>

struct Job {
  int n;
  Checksum sum;
};

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

static long doubling(int n) {
  if (n == 0)
    return 1;
  long x = cilk_spawn doubling(n - 1);
  long y = cilk_spawn doubling(n - 1);
  cilk_sync;
  return x + y;
}

static void *run(void *argument) {
  struct Job *job = argument;
  for (int i = 0; i < 40; ++i) {
    job->sum = fold(job->sum, (unsigned)fib(job->n + i % 5));
    job->sum = fold(job->sum, (unsigned long)doubling(i % 8));
  }
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  struct Job jobs[4] = {{5, 0}, {7, 0}, {9, 0}, {11, 0}};
  for (int i = 0; i < 4; ++i)
    if (pthread_create(&threads[i], NULL, run, &jobs[i]) != 0)
      exit(1);
  for (int i = 0; i < 4; ++i) {
    pthread_join(threads[i], NULL);
    report("thread", jobs[i].sum);
  }
  return 0;
}
