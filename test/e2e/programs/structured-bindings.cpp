// `auto [a, b] = cilk_spawn f();` where the hidden object is a struct, one with a destructor, or like a tuple.
#include "checksum.h"
#include <array>
#include <cilk/cilk.h>
#include <string>
#include <tuple>
#include <utility>

struct Pair {
  int first;
  long second;
};
struct Bits {
  unsigned low : 5, high : 11;
  double rest;
};
struct Texts {
  std::string a, b;
};

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1), y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}
static Pair pair(int n) { return {fib(n), n * 3L}; }
static Bits bits(int n) { return {n & 31u, fib(n) & 2047u, n / 4.0}; }
static Texts texts(int n) { return {std::to_string(fib(n)), std::string(n, 'x')}; }
static std::array<int, 3> three(int n) { return {fib(n), n, -n}; }
static std::tuple<int, std::string> tuple(int n) { return {fib(n + 1), std::to_string(n)}; }

static Checksum all(int n, Checksum sum) {
  auto [a, b] = cilk_spawn pair(n);
  const auto [low, high, rest] = cilk_spawn bits(n);
  auto [text, line] = cilk_spawn texts(n);
  auto [x, y, z] = cilk_spawn three(n + 1);
  auto [number, name] = cilk_spawn tuple(n);
  auto [left, right] = cilk_spawn std::make_pair(n, 2L * n);
  cilk_sync;
  for (long value : {(long)a, b, (long)low, (long)high, (long)(rest * 4), (long)text.size(), (long)line.size(), (long)x,
                     (long)y, (long)z, (long)number, (long)name.size(), (long)left, right})
    sum = fold(sum, value);
  a = 5, b += a, x = z;
  return fold(sum, a + b * 3 + x);
}

static int loops(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    auto [a, b] = cilk_spawn pair(i);
    auto [c, d] = pair(i + 1);
    cilk_sync;
    sum = sum * 5 + a + (int)b - c + (int)d;
  }
  return sum;
}

int main() {
  Checksum sum = 0;
  for (int n = 0; n < 9; ++n)
    sum = fold(all(n, sum), loops(n));
  auto [a, b] = cilk_spawn pair(11);
  cilk_sync;
  report("bindings", fold(sum, a + b));
}
