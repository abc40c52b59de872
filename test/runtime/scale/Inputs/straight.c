// Code in straight lines, without blocks between its hooks. `main` takes the name of the program to run.
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>

#define TEN(x) x x x x x x x x x x

volatile long a[1000];

/// Four parts of equal length.
static void blocks(void) {
  for (int r = 0; r < 100; ++r) {
    cilk_spawn { TEN(TEN(++a[0];)) }
    cilk_spawn { TEN(TEN(++a[1];)) }
    cilk_spawn { TEN(TEN(++a[2];)) }
    TEN(TEN(++a[3];))
    cilk_sync;
  }
}

static __attribute__((noinline)) void leaf(void) { TEN(TEN(++a[0];)) }

/// A call beside straight code of the same length.
static void continuation(void) {
  for (int r = 0; r < 100; ++r) {
    cilk_spawn leaf();
    TEN(TEN(++a[1];))
    cilk_sync;
  }
}

/// A hundred iterations of equal length.
static void loop(void) { cilk_for (int i = 0; i < 100; ++i) { TEN(TEN(++a[i];)) } }

int main(int count, char **arguments) {
  const char *name = count > 1 ? arguments[1] : "";
  if (!strcmp(name, "blocks"))
    blocks();
  else if (!strcmp(name, "continuation"))
    continuation();
  else if (!strcmp(name, "loop"))
    loop();
  return 0;
}
