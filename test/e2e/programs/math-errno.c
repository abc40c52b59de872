// Tests tasks that read errno, which lanes that run together would share, against the serial elision. GPUs refuse them.
// Link: -lm
#include <cilk/cilk.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>

enum { Depth = 11, Count = 1 << Depth };
static int errors[Count];

static void find_error(int index, double x) {
  errno = 0;
  volatile double root = sqrt(x);
  (void)root;
  errors[index] = errno == EDOM;
}

static void work(int index, int level, double x) {
  if (level == 0) {
    cilk_spawn find_error(index, x);
    return;
  }
  cilk_spawn work(index, level - 1, -x - 0.5);
  cilk_spawn work(index + (1 << (level - 1)), level - 1, x + level * 1.37);
}

int main(void) {
  work(0, Depth, 0.37);
  unsigned long hash = 0;
  for (int i = 0; i < Count; ++i)
    hash = hash * 31 + (unsigned long)errors[i];
  printf("errors %016lx\n", hash);
  return 0;
}
