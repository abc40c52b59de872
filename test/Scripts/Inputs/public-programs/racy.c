// The continuation counts what children have done, before it syncs.
#include <cilk/cilk.h>
#include <stdio.h>

static volatile int seen;

__attribute__((noinline)) static void mark(int i) { seen = seen + i; }

int main() {
  int before;
  cilk_spawn mark(1);
  cilk_spawn mark(2);
  cilk_spawn mark(3);
  before = seen;
  cilk_sync;
  printf("children saw %d\n", before);
}
