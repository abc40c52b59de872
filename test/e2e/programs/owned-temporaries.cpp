// Temporaries that spawned calls take by reference, and temporary function objects: each child has its own.
#include "checksum.h"
#include <cilk/cilk.h>

struct Point {
  long x, y;
  long sum(int k) const { return x + y * k; }
};
struct Named : Point {
  int id;
};
struct Adder {
  long amount;
  long operator()(long v) const { return v + amount; }
};

static long weigh(const Point &p, const long &factor, long &&extra) { return p.x * factor + p.y + extra; }
static long largest(const long *values, const int &count) {
  long result = values[0];
  for (int i = 1; i < count; ++i)
    result = values[i] > result ? values[i] : result;
  return result;
}
static const long &pick(const long &a, bool) {
  static const long chosen[3] = {5, 7, 11};
  return chosen[a % 3];
}

static long tree(const int &n, const Point &at) {
  if (n < 2)
    return at.x - at.y;
  long a = cilk_spawn tree(n - 1, Point{at.x + n, at.y});
  long b = cilk_spawn tree(n - 2, {at.x, at.y * 2 % 1001});
  cilk_sync;
  return (a * 3 + b) % 1000003;
}

static long loop(int n) {
  long results[40] = {}, total = 0;
  for (int i = 0; i < n; ++i) // the same temporary in every iteration
    results[i] = cilk_spawn weigh(Point{i, i * 2}, i + 1, i * 100);
  cilk_sync;
  for (int i = 0; i < n; ++i) {
    total = (total * 7 + results[i]) % 1000003;
    results[i] = cilk_spawn Adder{i}(total);
  }
  cilk_sync;
  for (int i = 0; i < n; ++i) {
    cilk_spawn [&results, i, n] { results[i] = (results[i] + largest(results + i, n > i ? 1 : 0)) % 1000003; }();
    cilk_spawn [](long *where, int by) { *where = by; }(&results[39], 3);
    cilk_sync;
  }
  for (int i = 0; i < n; ++i)
    results[i] = cilk_spawn [=](long k) {
      long inner = cilk_spawn tree(i % 8, Point{k, 3});
      cilk_sync;
      return inner + n;
    }(results[i]);
  cilk_sync;
  long d = cilk_spawn Point{n, 3}.sum(n + 2);
  long e = cilk_spawn weigh(Named{{n, 2}, 4}, pick(total = total < 0 ? -total : total, true), 9);
  const long f = cilk_spawn pick(n + 1, false);
  cilk_sync;
  for (long result : results)
    total = (total * 31 + result) % 1000000007;
  return total + d + e + f;
}

int main() {
  Checksum sum = 0;
  for (int n = 0; n < 39; n += 6)
    sum = fold(sum, loop(n));
  report("owned temporaries", fold(sum, tree(14, {1, 2})));
  return 0;
}
