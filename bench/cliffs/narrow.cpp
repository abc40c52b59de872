// Recursions whose levels have few tasks, or many in one place.
#include "Cliff.h"

#include <vector>

static long work(long n) { return (n * 2862933555777941757 + 3037000493) >> 7; }

static long chain(long length, long seed) {
  if (length == 0)
    return seed;
  long x = cilk_spawn chain(length - 1, work(seed));
  cilk_sync;
  return x ^ length;
}

/// Chains of 40 tasks hang from a chain.
static long comb(long length, long seed) {
  if (length == 0)
    return 0;
  long tooth = cilk_spawn chain(40, seed + length);
  long rest = comb(length - 1, seed);
  cilk_sync;
  return tooth ^ rest;
}

static long combs(long rounds) {
  long sum = 0;
  for (long k = 0; k < rounds; ++k)
    sum ^= comb(5000, k);
  return sum & 0xffffff;
}

/// A chain with a small child beside each level.
static long side(long length, long seed) {
  if (length == 0)
    return 0;
  long x = cilk_spawn work(length ^ seed);
  long y = cilk_spawn side(length - 1, seed);
  cilk_sync;
  return x ^ y;
}

static long sides(long rounds) {
  long sum = 0;
  for (long k = 0; k < rounds; ++k)
    sum ^= side(240000, k);
  return sum & 0xffffff;
}

/// A chain of 20,000 levels, of which each eighth has a small tree beside it.
static long lopsided(long n, long seed) {
  if (n < 2)
    return work(seed);
  long x = cilk_spawn lopsided(n - 1, seed + n);
  long y = lopsided(n % 8 ? 0 : 3, seed);
  cilk_sync;
  return x ^ y;
}

static long lopsidedTrees(long rounds) {
  long sum = 0;
  for (long k = 0; k < rounds; ++k)
    sum ^= lopsided(20000, k);
  return sum & 0xffffff;
}

static long ackermann(long m, long n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  long inner = cilk_spawn ackermann(m, n - 1);
  cilk_sync;
  return ackermann(m - 1, inner);
}

static long ackermannOfThree(long n) { return ackermann(3, n); }

static long ackermannPlain(long m, long n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermannPlain(m - 1, 1);
  long outer = cilk_spawn ackermannPlain(m - 1, ackermannPlain(m, n - 1));
  cilk_sync;
  return outer;
}

static long ackermannPlainOfThree(long n) { return ackermannPlain(3, n); }

struct Item {
  long value;
  Item *next;
};

static long walk(Item *item, long seed) {
  if (!item)
    return 0;
  long rest = cilk_spawn walk(item->next, seed);
  long own = work(item->value ^ seed);
  cilk_sync;
  return rest ^ own;
}

static long lists(long rounds) {
  static std::vector<Item> items(100000);
  for (size_t i = 0; i < items.size(); ++i)
    items[i] = {long(i), i + 1 < items.size() ? &items[i + 1] : nullptr};
  long sum = 0;
  for (long k = 0; k < rounds; ++k)
    sum ^= walk(&items[0], k);
  return sum & 0xffffff;
}

/// One task with many short children.
static long flat(long children) {
  std::vector<long> found(children);
  for (long i = 0; i < children; ++i)
    found[i] = cilk_spawn work(i);
  cilk_sync;
  long sum = 0;
  for (long each : found)
    sum ^= each;
  return sum & 0xffffff;
}

static long collatz(long n) {
  long steps = 0;
  for (; n > 1; ++steps)
    n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}

/// One task with many children of some hundred steps each.
static long flatLonger(long children) {
  std::vector<long> found(children);
  for (long i = 0; i < children; ++i)
    found[i] = cilk_spawn collatz(i);
  cilk_sync;
  long sum = 0;
  for (long each : found)
    sum += each;
  return sum;
}

int main(int argc, char **argv) {
  const Row rows[] = {{"comb", combs}, {"side", sides}, {"lopsided", lopsidedTrees},
                      {"ackermann", ackermannOfThree}, {"ackermann-plain", ackermannPlainOfThree},
                      {"lists", lists}, {"flat", flat}, {"flat-longer", flatLonger}};
  return runRow(rows, argc, argv);
}
