// A unit with a task, and no thread blocks.
#include <cilk/cilk.h>
int add(int a, int b) { return a + b; }
int addTwice(int a) {
  int x = cilk_spawn add(a, 1);
  int y = add(a, 2);
  cilk_sync;
  return x + y;
}
