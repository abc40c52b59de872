// Recursive functions that update several reducers, or that have results of their own, and reducers for extremes. The
// compiler lets the first ones return their updates with their results. The last ones keep their views.
#include <algorithm>
#include <cilk/cilk.h>
#include <cilk/opadd_reducer.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min_max.h>
#include <cilk/reducer_opadd.h>
#include <climits>
#include <cstdio>

static void least(void *view) { *static_cast<int *>(view) = INT_MIN; }
static void greatest(void *view) { *static_cast<int *>(view) = INT_MAX; }
static void none(void *view) { *static_cast<unsigned *>(view) = 0; }
static void greater(void *left, void *right) {
  if (*static_cast<int *>(right) > *static_cast<int *>(left))
    *static_cast<int *>(left) = *static_cast<int *>(right);
}
static void less(void *left, void *right) {
  int *a = static_cast<int *>(left), *b = static_cast<int *>(right);
  *a = *a < *b ? *a : *b;
}
static void greaterUnsigned(void *left, void *right) {
  *static_cast<unsigned *>(left) = std::max(*static_cast<unsigned *>(left), *static_cast<unsigned *>(right));
}

using Most = int cilk_reducer(least, greater);
using Least = int cilk_reducer(greatest, less);
using Sum = cilk::opadd_reducer<long>;

static Sum total = 0, calls = 0;
static Most most = INT_MIN;
static Least lowest = INT_MAX;
static unsigned cilk_reducer(none, greaterUnsigned) widest = 0;
static cilk::reducer_max<int> oldMost(-5);
static cilk::reducer<cilk::op_min<short>> newLeast;

//===-- Functions that return their updates -----------------------------------------------------------------------===//

static int hash(int n) { return static_cast<int>((static_cast<unsigned>(n) * 2654435761u) >> 7) % 1000 - 500; }

/// The forms of updates of extremes.
static void extremes(int n) {
  int key = hash(n);
  if (key > most)
    most = key;
  lowest = key < lowest ? key : lowest;
  widest = std::max<unsigned>(widest, static_cast<unsigned>(key));
  oldMost.calc_max(key / 2);
  newLeast->calc_min(static_cast<short>(key * 3));
  if (n < 2)
    return;
  cilk_spawn extremes(n / 2);
  extremes(n - n / 2 - 1);
}

/// A result, two sums, and a spawn that may not happen.
static int tree(int n, int depth) {
  calls += 1;
  int left = 0;
  if (n > 1)
    left = cilk_spawn tree(n / 2, depth + 1);
  else
    total += n;
  int right = n > 3 ? tree(n / 3, depth + 1) : depth;
  total -= depth;
  cilk_sync;
  if (left == 0)
    return right;
  int again = cilk_spawn tree(n / 4, depth + 2);
  cilk_sync;
  return left + right + again;
}

/// One variable gets the result of either spawn. The second result is not used.
static double either(int n, Sum &first, Sum &second) {
  double result = 0.5;
  first += n;
  if (n & 1)
    result = cilk_spawn either(n / 2, second, first);
  else if (n)
    result = cilk_spawn either(n / 3, second, first);
  second += 2;
  if (n > 2)
    cilk_spawn either(n / 5, first, second);
  cilk_sync;
  return result + n;
}

/// Counts, and hands on the place of the smallest element.
static const int *smallest(const int *from, int n) {
  if (n == 1) {
    total += *from;
    return from;
  }
  const int *left;
  left = cilk_spawn smallest(from, n / 2);
  const int *right = smallest(from + n / 2, n - n / 2);
  cilk_sync;
  return *right < *left ? right : left;
}

/// One reducer, and a child with a result that is not used.
static void alone(int n) {
  calls -= 1;
  if (n <= 0)
    return;
  cilk_spawn tree(n, 0);
  cilk_spawn alone(n - 4);
  if (n % 3 == 0)
    cilk_sync;
  total += 1;
  alone(n - 7);
}

/// The same reducer is both arguments.
static void twice(int n, Sum *first, Sum *second) {
  *first += n;
  *second -= 3;
  if (n > 0) {
    cilk_spawn twice(n - 1, first, second);
    twice(n - 2, second, first);
  }
}
static void same(int n, Sum *sum) {
  cilk_spawn twice(n, sum, sum);
  if (n > 3)
    cilk_spawn same(n - 3, sum);
}

//===-- Functions that keep their views ---------------------------------------------------------------------------===//

/// Spawns in a loop.
static int fan(int n) {
  total += n;
  for (int i = 0; i < n; ++i)
    cilk_spawn fan(i);
  return n;
}

/// Elements of an array get the results.
static int elements(int n) {
  int results[3] = {1, 2, 3};
  calls += 1;
  if (n > 0) {
    results[n % 3] = cilk_spawn elements(n - 1);
    cilk_sync;
  }
  return results[0] + results[1] * 2 + results[2];
}

/// The number of updates of one reducer depends on another one, in a run of one strand.
static void records(int n) {
  if (n > most) {
    most = n;
    total += 1;
  }
  if (n > 0) {
    cilk_spawn records(n - 1);
    cilk_sync;
  }
}

int main() {
  extremes(3000);
  std::printf("extremes %d %d %u %d %d\n", most, lowest, widest, oldMost.get_value(), newLeast.get_value());
  int leaves = tree(500, 0);
  std::printf("tree %d %ld %ld\n", leaves, static_cast<long>(total), static_cast<long>(calls));
  Sum first = 10, second = 20;
  double sum = cilk_spawn either(999, first, second);
  either(50, second, first);
  cilk_sync;
  std::printf("either %g %ld %ld\n", sum, static_cast<long>(first), static_cast<long>(second));
  int numbers[200];
  for (int i = 0; i < 200; ++i)
    numbers[i] = hash(i);
  const int *place = smallest(numbers, 200);
  std::printf("smallest %d %ld\n", static_cast<int>(place - numbers), static_cast<long>(total));
  cilk_for(int i = 0; i < 6; ++i) alone(i * 4);
  same(8, __builtin_addressof(first));
  std::printf("alone %ld %ld %ld\n", static_cast<long>(total), static_cast<long>(calls), static_cast<long>(first));
  int fans = fan(7), chosen = elements(9);
  most = INT_MIN;
  records(0);
  std::printf("views %d %d %d %ld\n", fans, chosen, most, static_cast<long>(total));
}
