// Structs that a spawned call gets by value. Calls in the destination, and in later arguments, change these structs.
// The fault: the structs were copied after the destination's calls.
#include <cilk/cilk.h>
#include <stdio.h>

struct Wide {
  int i;
  int rest[9];
};

static int both(struct Wide w, int i) { return w.i * 10 + i; }
static int bump(struct Wide *w) { return w->i += 3; }

static int wide(struct Wide w) { return w.i; }
static int *next(int *values, struct Wide *w) { return &values[w->i++]; }

static void destinations(int *values) {
  struct Wide w = {4};
  *next(values, &w) = cilk_spawn wide(w);
  *next(values, &w) = cilk_spawn wide((w));
  *next(values, &w) = cilk_spawn wide((0, w));
  *next(values, &w) = cilk_spawn both(w, bump(&w));
  cilk_sync;
}

static void arguments(int *values) {
  struct Wide w = {1};
  const struct Wide *p = &w;
  values[0] = cilk_spawn both(w, bump(&w));
  values[1] = cilk_spawn both(*p, bump(&w));
  values[2] = cilk_spawn both((0, w), bump(&w));
  values[3] = cilk_spawn both((w), bump(&w));
  values[14] = cilk_spawn both(values ? w : *p, bump(&w));
  cilk_sync;
}

int main(void) {
  int values[16] = {0};
  destinations(values);
  arguments(values);
  for (int i = 0; i < 16; ++i)
    printf("%d ", values[i]);
  puts("");
}
