// Parameters that get the same constant from all calls, directly, through variables, conversions and recursive calls. Next to
// them, parameters that only seem to.
#include <cilk/cilk.h>
#include <cstdio>

static int distances[10][10];

/// Depth and table are the same in all calls. The number of cities is the constant of main's variable.
static int tour(int at, unsigned left, int length, const int (*table)[10], int cities) {
  if (!left)
    return length + table[at][0];
  int best[10], count = 0;
  for (int next = 1; next < cities; ++next)
    if (left >> next & 1)
      best[count++] = cilk_spawn tour(next, left & ~(1u << next), length + table[at][next], table, cities);
  cilk_sync;
  int least = best[0];
  for (int k = 1; k < count; ++k)
    least = best[k] < least ? best[k] : least;
  return least;
}

/// The spawned call passes another step than the plain call does, far below the first call.
static long mixed(int depth, short step, unsigned char scale, double weight, bool turns) {
  if (depth <= 0)
    return step * scale + long(weight * 8) + turns;
  long x = cilk_spawn mixed(depth - 1, depth == 3 ? short(-step) : step, scale, weight, turns);
  long y = mixed(depth - 2, step, scale, weight, turns);
  cilk_sync;
  return x - 2 * y;
}

/// Two functions that call each other, and hand a constant on.
static long even(long n, long limit, int base);
static long odd(long n, long limit, int base) {
  long below = cilk_spawn even(n - 1, limit, base);
  cilk_sync;
  return below * 3 % limit;
}
static long even(long n, long limit, int base) {
  if (n < 2)
    return base + n;
  long x = cilk_spawn odd(n - 1, limit, base);
  long y = cilk_spawn odd(n - 3 < 1 ? 1 : n - 3, limit, base);
  cilk_sync;
  return (x + y) % limit;
}

/// The variable that is passed on changes behind its first use.
static long changes(int depth, int mark) {
  int passed = mark;
  if (depth == 0)
    return mark;
  if (depth % 3 == 0)
    passed += 100;
  long x = cilk_spawn changes(depth - 1, passed);
  long y = changes(depth - 1, mark);
  cilk_sync;
  return x + 3 * y;
}

/// A pointer that is null in all calls, and a reference to one variable.
static long optional(int depth, const int *extra, long &seen) {
  if (depth == 0) {
    __atomic_fetch_add(&seen, 1, __ATOMIC_RELAXED);
    return extra ? *extra : 7;
  }
  long x = cilk_spawn optional(depth - 1, extra, seen);
  long y = optional(depth - 1, extra, seen);
  cilk_sync;
  return x + y;
}

template <class Body> static unsigned long rounds(int count, int stride, const Body &body) {
  long sums[64] = {};
  cilk_for (int k = 0; k < count; k += stride)
    sums[k] = body(k, stride);
  unsigned long sum = 0;
  for (long each : sums)
    sum = sum * 31 + (unsigned long)each;
  return sum;
}

static long seen;

int main() {
  int cities = 8;
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 10; ++j)
      distances[i][j] = 10 + (i * 7 + j * 13) % 23;
  std::printf("tour %d\n", tour(0, (1u << cities) - 2, 0, distances, cities));
  std::printf("mixed %ld\n", mixed(11, 5, 200, 0.375, true));
  std::printf("even %ld\n", even(14, 1000003, 11));
  std::printf("changes %ld\n", changes(9, 1));
  long sum = optional(9, nullptr, seen);
  std::printf("optional %ld %ld\n", sum, seen);
  std::printf("rounds %lu\n", rounds(64, 3, [&](int k, int stride) { return long(k) * stride + cities; }));
  std::printf("rounds %lu\n", rounds(60, 3, [&](int k, int stride) { return long(k) - stride; }));
}
