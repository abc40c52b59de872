// Gets a signal, and would then run on.
#include <cilk/cilk.h>
#include <signal.h>

volatile long sink;

static __attribute__((noinline)) void leaf(void) { ++sink; }

int main(void) {
  cilk_spawn leaf();
  cilk_sync;
  raise(SIGTERM);
  for (int i = 0; i < 1000000; ++i) {
    cilk_spawn leaf();
    cilk_sync;
  }
}
