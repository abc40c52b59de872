// A program whose descriptors differ with macros: the size of an argument, the order of two
// sizes, the task that is spawned, the size of a frame.
#include <cilk/cilk.h>

#ifndef NUMBER
#define NUMBER int
#endif
#ifndef FIRST
#define FIRST int
#define SECOND long
#endif
#ifndef CHILD
#define CHILD left
#endif
#ifndef LOCALS
#define LOCALS 1
#endif

long left(NUMBER n);
long right(NUMBER n);

long parent(NUMBER n) {
  if (n < 1)
    return 1;
  volatile long results[LOCALS];
  long other;
  for (int i = 0; i < LOCALS; ++i)
    results[i] = n;
  other = cilk_spawn CHILD(n - 1);
  cilk_sync;
  return results[n % LOCALS] + other;
}

long left(NUMBER n) { return n < 1 ? 1 : parent(n - 1); }
long right(NUMBER n) { return n < 1 ? 2 : parent(n - 1); }

long pair(FIRST first, SECOND second) {
  if (first < 1)
    return second;
  long result = cilk_spawn pair(first - 1, second + 1);
  cilk_sync;
  return result;
}

int main(void) { return parent(3) == 0 || pair(3, 4) != 7; }
