// Tests tasks that fold their children's results from std::array and through helper functions.
#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <numeric>

static long total(const long *from, int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i)
    sum += from[i];
  return sum;
}

static long accumulated(long n) {
  std::array<long, 8> r;
  int count = 0;
  for (long i = 1; i <= n && i < 8; i += 2)
    r[count++] = cilk_spawn accumulated(n - i - 1);
  cilk_sync;
  return std::accumulate(r.begin(), r.begin() + count, n);
}

static long two(long n) {
  std::array<long, 2> r;
  if (n < 2)
    return n;
  r[0] = cilk_spawn two(n - 1);
  r[1] = cilk_spawn two(n - 2);
  cilk_sync;
  return std::accumulate(r.begin(), r.end(), 0L);
}

static long ranged(long n) {
  std::array<long, 4> r{};
  for (long i = 0; i < n % 5 && i < 4; ++i)
    r[i] = cilk_spawn ranged(n - i - 1);
  cilk_sync;
  long sum = 1;
  for (long each : r)
    sum += each;
  return sum;
}

static long helped(long n) {
  long r[8];
  int count = 0;
  for (long i = 1; i <= n && i < 8; i += 3)
    r[count++] = cilk_spawn helped(n - i - 1);
  cilk_sync;
  return 1 + total(r, count);
}

static long largest(long n) {
  std::array<long, 3> r;
  if (n < 3)
    return n * 7 % 5;
  for (int i = 0; i < 3; ++i)
    r[i] = cilk_spawn largest(n - i - 1);
  cilk_sync;
  return std::max({r[0], r[1], r[2]});
}

static long ends(long n) { // not a fold: the order of the elements counts
  std::array<long, 3> r;
  if (n < 3)
    return n;
  for (int i = 0; i < 3; ++i)
    r[i] = cilk_spawn ends(n - i - 1);
  cilk_sync;
  return std::accumulate(r.begin(), r.end(), 0L, [](long a, long b) { return (a * 3 + b) % 1009; });
}

template <typename Self> static long apply(const Self &self, long n) {
  if (n < 2)
    return n;
  long x = cilk_spawn self(self, n - 1);
  long y = cilk_spawn self(self, n - 2);
  cilk_sync;
  return x + y;
}

int main() {
  auto recursive = [](const auto &self, long n) -> long { return apply(self, n); };
  for (long n = 0; n < 13; ++n)
    std::printf("%ld: %ld %ld %ld %ld %ld %ld %ld\n", n, accumulated(n), two(n), ranged(n), helped(n), largest(n), ends(n),
                recursive(recursive, n));
  return 0;
}
