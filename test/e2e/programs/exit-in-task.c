// Tests a task that ends the process while others run, or wait to run. Functions registered with atexit are called
// once, earlier output is complete, and the exit status is the status that the task gave. On a GPU, lanes are still
// running then.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static void say_goodbye(void) { puts("goodbye"); }

static long search(int level, long number) {
  if (level == 0) {
    if (number == 700)
      exit(7);
    return number % 3;
  }
  long left = cilk_spawn search(level - 1, 2 * number);
  long right = cilk_spawn search(level - 1, 2 * number + 1);
  cilk_sync;
  return left + right;
}

int main(void) {
  atexit(say_goodbye);
  puts("searching");
  printf("%ld\n", search(10, 0));
  return 0;
}
