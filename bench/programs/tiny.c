// Sixteen tiny functions that spawn one another, without a cut-off: many kinds of task, each with very little work. A
// function's value depends on the remaining depth alone, so a table of 16 numbers for each depth checks it. Every call
// also gets its path, which does not change the value. So no compiler can merge two calls.
//   tiny [depth]   from 0 to 60, by default 32
#include "../Spawn.h"

#ifndef BENCH_CUTOFF
#define BENCH_CUTOFF 0 // calls with less depth spawn nothing
#endif

typedef unsigned long Value;

enum { MaxDepth = 60 }; // a path has a bit for each level

// X(name, value of the base case, first child, second child, result from x and y). The second child has two levels
// less.
#define TINY_FUNCTIONS(X)                                                                                              \
  X(sum, 1, difference, mix, x + y)                                                                                    \
  X(difference, 2, exclusive, sum, x - y)                                                                              \
  X(exclusive, 3, scaled, low, x ^ y)                                                                                  \
  X(scaled, 5, shifted, high, 3 * x + y)                                                                               \
  X(shifted, 7, either, negated, (x << 1) + (y >> 1))                                                                  \
  X(either, 11, both, turned, (x | 1) + y)                                                                             \
  X(both, 13, low, offset, (x & 0xffffffff) + y)                                                                       \
  X(low, 17, high, smaller, x + (y & 255))                                                                             \
  X(high, 19, negated, greater, x + (y >> 32))                                                                         \
  X(negated, 23, turned, product, y - x)                                                                               \
  X(turned, 29, offset, sum, (x << 7 | x >> 57) + y)                                                                   \
  X(offset, 31, smaller, difference, x + y + 97)                                                                       \
  X(smaller, 37, greater, exclusive, x < y ? x + 1 : y + 2)                                                            \
  X(greater, 41, product, scaled, x > y ? x + 3 : y + 5)                                                               \
  X(product, 43, mix, shifted, (x | 1) * (y | 1))                                                                      \
  X(mix, 47, sum, either, (x ^ x >> 29) * 0x9e3779b97f4a7c15ul + y)

#define DECLARE(name, leaf, first, second, result)                                                                     \
  static Value name(int depth, Value path);                                                                            \
  static Value name##_serial(int depth, Value path);
TINY_FUNCTIONS(DECLARE)

#define DEFINE_SERIAL(name, leaf, first, second, result)                                                               \
  static Value name##_serial(int depth, Value path) {                                                                  \
    if (depth < 2)                                                                                                     \
      return leaf + (Value)depth + (path >> MaxDepth);                                                                 \
    Value x = first##_serial(depth - 1, 2 * path), y = second##_serial(depth - 2, 2 * path + 1);                       \
    return result;                                                                                                     \
  }
TINY_FUNCTIONS(DEFINE_SERIAL)

#define DEFINE(name, leaf, first, second, result)                                                                      \
  static Value name(int depth, Value path) {                                                                           \
    Value x, y;                                                                                                        \
    if (depth < 2)                                                                                                     \
      return leaf + (Value)depth + (path >> MaxDepth);                                                                 \
    if (depth < BENCH_CUTOFF)                                                                                          \
      return name##_serial(depth, path);                                                                               \
    GROUP;                                                                                                             \
    SPAWN(x, first, depth - 1, 2 * path);                                                                              \
    SPAWN(y, second, depth - 2, 2 * path + 1);                                                                         \
    SYNC;                                                                                                              \
    return result;                                                                                                     \
  }
TINY_FUNCTIONS(DEFINE)

#define INDEX(name, leaf, first, second, result) Index_##name,
enum { TINY_FUNCTIONS(INDEX) Functions };

static Value table[MaxDepth + 1][Functions];

#define FILL(name, leaf, first, second, result)                                                                        \
  if (depth < 2) {                                                                                                     \
    table[depth][Index_##name] = leaf + (Value)depth;                                                                  \
  } else {                                                                                                             \
    Value x = table[depth - 1][Index_##first], y = table[depth - 2][Index_##second];                                   \
    table[depth][Index_##name] = result;                                                                               \
  }

static void fill_table(int depth) { TINY_FUNCTIONS(FILL) }

int main(int argc, char **argv) {
  int depth = (int)bench_size(argc, argv, 32, 0, MaxDepth);
  Value result;
  RUN(result, sum, depth, 0ul);
  printf("tiny(%d) = %lu\n", depth, result);
  for (int i = 0; i <= depth; ++i)
    fill_table(i);
  return bench_verdict(result == table[depth][Index_sum]);
}
