// Structs that a spawned call gets by value. Expressions that are evaluated later change these structs: the destination
// (since C++17 by rule) and later arguments. The fault: the structs were copied after all other operands.
#include <cilk/cilk.h>
#include <cstdio>

struct Wide {
  int i;
  int rest[9];
};
struct Narrow {
  int i;
};

static int wide(Wide w) { return w.i; }
static int narrow(Narrow n) { return n.i; }
static int both(Wide w, int i) { return w.i * 10 + i; }
static int twice(Wide before, int, Wide after) { return before.i * 100 + after.i; }
static int bump(Wide &w) { return w.i += 3; }

struct Counter {
  Wide w;
  int &next(int *values) { return values[w.i++]; }
};

static void destinations(int *values) {
  Wide w{};
  w.i = 1;
  values[w.i++] = cilk_spawn wide(w);
  values[w.i++] = cilk_spawn wide(w);
  Narrow n{4};
  values[n.i++] = cilk_spawn narrow(n);
  values[n.i++] = cilk_spawn narrow(n);
  Counter counter{};
  counter.w.i = 7;
  counter.next(values) = cilk_spawn wide(counter.w);
  counter.next(values) += cilk_spawn wide(counter.w);
  cilk_sync;
}

static void arguments(int *values) {
  Wide w{};
  w.i = 1;
  values[10] = cilk_spawn both(w, w.i++);
  values[11] = cilk_spawn both(w, ++w.i);
  values[12] = cilk_spawn twice(w, bump(w), w);
  values[13] = cilk_spawn both(static_cast<const Wide &>(w), bump(w));
  cilk_sync;
}

int main() {
  int values[16] = {};
  destinations(values);
  arguments(values);
  for (int value : values)
    printf("%d ", value);
  puts("");
}
