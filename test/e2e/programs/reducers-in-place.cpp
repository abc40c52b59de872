// Tests reducers of integers that tasks only update, so that GPUs run them: in loops and recursions, as global variables,
// local variables of main, members, elements and parameters, with classes of reducers and with functions.
#include <cilk/cilk.h>
#include <cilk/opadd_reducer.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_opadd.h>
#include <limits.h>
#include <stdio.h>

static void zero(void *view) { *static_cast<long *>(view) = 0; }
static void add(void *left, void *right) { *static_cast<long *>(left) += *static_cast<long *>(right); }
static void lowest(void *view) { *static_cast<int *>(view) = INT_MIN; }
static void higher(void *left, void *right) {
  int *to = static_cast<int *>(left), *from = static_cast<int *>(right);
  if (*from > *to)
    *to = *from;
}
static void none(void *view) { *static_cast<unsigned *>(view) = 0; }
static void differ(void *left, void *right) { *static_cast<unsigned *>(left) ^= *static_cast<unsigned *>(right); }
static void all(void *view) { *static_cast<unsigned *>(view) = ~0u; }
static void both(void *left, void *right) { *static_cast<unsigned *>(left) &= *static_cast<unsigned *>(right); }

constexpr int kCount = 1500;
static int numbers[kCount];

static long cilk_reducer(zero, add) parts[3];
static cilk::opadd_reducer<long> total(5);
static struct {
  int before;
  cilk::opadd_reducer<unsigned> count;
} holder;

// The reducer is a parameter. A path may have no update, or several.
static void walk(int n, long cilk_reducer(zero, add) * leaves) {
  if (n % 5 == 3)
    *leaves += 100;
  if (n < 2) {
    *leaves += n;
    return;
  }
  cilk_spawn walk(n - 1, leaves);
  walk(n - 2, leaves);
  if (n % 7 == 6)
    *leaves -= 1;
}

// An ordinary function, and a loop in a task.
static void count(int value) {
  if (value % 3 == 0)
    holder.count += 2u;
}
static void sum(int n) {
  cilk_for (int i = 0; i < n; ++i) {
    total += numbers[i];
    count(numbers[i]);
  }
}

int main() {
  for (int i = 0; i < kCount; ++i)
    numbers[i] = i * 7919 % 1013 - 200;
  long cilk_reducer(zero, add) s = 100;
  int cilk_reducer(lowest, higher) most = INT_MIN;
  unsigned cilk_reducer(none, differ) mixed = 7;
  unsigned cilk_reducer(all, both) common = ~0u;
  cilk::reducer<cilk::op_max<int>> last;
  cilk_for (int i = 0; i < kCount; ++i) {
    s += numbers[i];
    if (numbers[i] > most)
      most = numbers[i];
    mixed ^= unsigned(numbers[i]) * 3u;
    common &= unsigned(numbers[i]) | 0xf0u;
    parts[i % 3] += i;
    last->calc_max(i * 37 % 1499);
  }
  printf("%ld %d %u %u %d\n", s, most, mixed, common, last.get_value());
  cilk_spawn walk(11, __builtin_addressof(s));
  s += 1000;
  walk(9, __builtin_addressof(s));
  cilk_sync;
  printf("%ld %ld %ld %ld\n", s, parts[0], parts[1], parts[2]);
  try { // the host's code may look up views where exceptions pass
    sum(kCount);
    total -= 3;
    if (total > 1000000)
      throw 1;
  } catch (int number) {
    total -= number;
  }
  printf("%ld %u\n", long(total), unsigned(holder.count));
}
