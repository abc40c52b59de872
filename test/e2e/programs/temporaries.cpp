// Arguments that are computed with temporaries. The spawned calls get only the values.
#include "checksum.h"
#include <cilk/cilk.h>

struct Entry {
  int value, *pointer, array[3];
  int get(int i) const { return array[i]; }
};
struct Wide {
  long v[9];
};
static int table[16];

static Entry makeEntry(int n) { return {n * 3, &table[n & 15], {n, n + 1, n + 2}}; }
static Wide makeWide(int n) {
  Wide w = {};
  for (int i = 0; i < 9; ++i)
    w.v[i] = n * i;
  return w;
}
template <class T> static const T &larger(const T &a, const T &b) { return a < b ? b : a; }

static int read(const int *p) { return *p * 2 + 1; }
static int reference(const int &r) { return r + 5; }
static int byValue(Entry e) { return e.value + e.array[1] + *e.pointer; }
static long wide(Wide w, const Wide &r) { return w.v[3] + r.v[8]; }

static long task(int n) {
  if (n < 2)
    return table[n];
  Wide local = makeWide(n);
  int a = cilk_spawn read(&table[makeEntry(n).value & 15]);
  int b = cilk_spawn read(makeEntry(n).pointer);
  int c = cilk_spawn reference(table[larger(n & 7, 3)]);
  int d = cilk_spawn byValue(makeEntry(n));
  int e = cilk_spawn byValue({n, table + larger(n % 16, 1), {1, 2, makeEntry(n).get(2)}});
  long f = cilk_spawn wide(makeWide(larger(n, 4)), local);
  long g = cilk_spawn task(larger(n - 3, 0));
  long h = cilk_spawn task(makeEntry(n - 2).array[0]);
  cilk_sync;
  return a + b + c + d + e + f + g * 3 + h * 7;
}

int main() {
  for (int i = 0; i < 16; ++i)
    table[i] = i * i + 1;
  Checksum sum = 0;
  for (int n = 0; n < 14; ++n)
    sum = fold(sum, task(n));
  report("temporaries", sum);
  return 0;
}
