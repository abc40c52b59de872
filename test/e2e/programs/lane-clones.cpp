// Functions that kernels call and that are not inlined: they run in vectors as vector clones. They have every type of argument
// and result, structs by value, local arrays, loops that lanes leave at different times, and calls of each other. They make
// stores, atomics and library calls, and an end of the program that is not reached. Functions that recurse or take an __int128
// are called lane by lane.
#include "checksum.h"
#include <atomic>
#include <cilk/cilk.h>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#define APART __attribute__((noinline)) static

namespace {

struct Small {
  int16_t a;
  float b;
};
struct Large {
  long values[5];
  uint8_t tag;
};

std::atomic<uint64_t> total;
constexpr uint16_t kTable[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

APART bool isOdd(int8_t x) { return x & 1; }
APART int8_t narrow(int16_t x, bool flip) { return flip ? -x : x >> 1; }
APART float real(float x, int n) {
  float sum = 0;
  for (int i = 1; i <= n; ++i)
    sum += isOdd(static_cast<int8_t>(i + n)) ? x / i : x * i;
  return sum;
}
APART double root(double x) { return std::sqrt(x) + std::floor(x / 3) + std::fma(x, 2.0, 1.0); }
APART const uint16_t *find(const uint16_t *from, unsigned wanted) {
  while (*from != wanted && from < kTable + 15)
    ++from;
  return from;
}
APART long large(Large by, long n) {
  by.values[n & 3] += n;
  by.tag += 3;
  long sum = by.tag;
  for (long value : by.values)
    sum = sum * 7 + value;
  return sum;
}
APART float small(Small by) { return by.a * by.b; }
APART void fill(long *to, unsigned count, long seed) {
  for (unsigned i = 0; i < count; ++i) {
    if (seed % 5 == 4 && i == 2)
      return;
    to[i] = seed += i;
  }
}
APART long arrays(long seed) {
  long own[6] = {};
  uint8_t bytes[8];
  std::memset(bytes, static_cast<int>(seed & 127), sizeof bytes);
  fill(own, 3 + (seed & 3), seed);
  bytes[seed & 7] = 200;
  long sum = 0;
  for (int i = 0; i < 6; ++i)
    sum = sum * 3 + own[i] + bytes[i];
  return sum;
}
APART unsigned kinds(unsigned n, unsigned shared) {
  switch ((n ^ shared) % 5) {
  case 0:
    return n;
  case 1:
    n += 3; // falls through
  case 2:
    return n / (shared + 1);
  case 3:
    if (n > 1u << 30)
      abort();
    return n % 7;
  }
  return 99;
}
APART void count(uint64_t n) {
  if (n % 3)
    total.fetch_add(n, std::memory_order_relaxed);
}
APART unsigned deep(unsigned n) { return n < 2 ? n : deep(n - 1) + 2 * deep(n - 2); }
APART unsigned __int128 wide(unsigned __int128 x) { return x * 3; }
APART long outer(long n, unsigned rounds) {
  long sum = n;
  for (unsigned i = 0; i < rounds; ++i)
    sum = sum * 5 + kinds(static_cast<unsigned>(n) & 1023, i) + arrays(sum & 31);
  return sum;
}

uint64_t tree(int depth, uint64_t path) {
  if (depth == 0) {
    unsigned n = static_cast<unsigned>(path);
    Large by{{1, 2, 3, 4, static_cast<long>(path)}, static_cast<uint8_t>(n)};
    count(path & 255);
    uint64_t sum = static_cast<uint64_t>(narrow(static_cast<int16_t>(n), n % 3 == 0)) + static_cast<uint64_t>(real(n % 100, n % 9) * 16);
    sum = sum * 31 + static_cast<uint64_t>(root(n % 1000));
    sum = sum * 31 + static_cast<uint64_t>(find(kTable + n % 4, n % 11) - kTable);
    sum = sum * 31 + static_cast<uint64_t>(large(by, n & 7)) + by.tag + by.values[1];
    sum = sum * 31 + static_cast<uint64_t>(small({static_cast<int16_t>(n & 63), 0.5f}) * 8);
    sum = sum * 31 + static_cast<uint64_t>(outer(n & 0xffff, 3));
    if (n % 4 == 1)
      sum += deep(n % 12);
    return sum;
  }
  uint64_t a = cilk_spawn tree(depth - 1, path * 2862933555777941757u + 1);
  uint64_t b = tree(depth - 1, path * 3202034522624059733u + 7);
  cilk_sync;
  return a * 3 + b;
}

// Uses the values in a function of its own, which has no vector form.
uint64_t apart(int depth, int n) {
  if (depth == 0)
    return static_cast<uint64_t>(wide(static_cast<unsigned>(n)) * 2);
  uint64_t a = cilk_spawn apart(depth - 1, n * 3);
  uint64_t b = apart(depth - 1, n * 2 + 1);
  cilk_sync;
  return a + b;
}

} // namespace

int main() {
  report("tree", tree(9, 12345));
  report("count", static_cast<uint64_t>(total));
  uint64_t sums[100] = {};
  cilk_for (int i = 0; i < 100; ++i)
    sums[i] = static_cast<uint64_t>(outer(i * 77, i % 7)) + kinds(i, 3);
  uint64_t sum = 0;
  for (uint64_t value : sums)
    sum = sum * 3 + value;
  report("loop", sum);
  report("apart", apart(6, 1));
}
