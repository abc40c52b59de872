// Lanes that take very different paths: loops with different trip counts, nested branches that depend on data, and
// division by zero on lanes that must not divide. Some addresses may only be used by some lanes.
// Link: -lm
#include "checksum.h"
#include <cilk/cilk.h>
#include <math.h>

static unsigned hash(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

static int guarded(int id, const int *table, const int *maybe) {
  int divisor = id % 4 - 1; // -1, 0, 1, 2
  int result = 0;
  if (divisor != 0)
    result = 100000 / divisor + id % divisor;
  if (maybe)
    result += *maybe; // null on most lanes
  if (id % 7 == 3)
    result += table[id % 5];
  return result;
}

static unsigned wander(unsigned seed, const int *table) {
  unsigned steps = 0;
  unsigned value = seed;
  while (value % 13 != 0) {
    value = hash(value + steps);
    if (value & 1) {
      for (unsigned k = 0; k < value % 5; ++k) {
        if ((value >> k) & 2)
          continue;
        steps += k;
        if (steps % 11 == 10)
          break;
      }
    } else if (value & 2) {
      steps ^= (unsigned)table[value % 5];
    }
    if (++steps > 200)
      return 1;
  }
  switch (steps % 6) {
  case 0:
    return value;
  case 1:
    return value * 3;
  case 2:
    value += 5; // falls through
  case 3:
    return value ^ 0xff;
  default:
    return steps;
  }
}

static double real(int id) {
  double x = id % 2 ? (double)id : -(double)id;
  if (x < 0)
    return x * x - 1;
  return sqrt(x) + floor(x / 3); // only lanes with x >= 0 take the square root
}

static unsigned node(unsigned id, int depth, const int *table) {
  unsigned found[3];
  int cell = (int)(id % 1000);
  if (depth == 0)
    return wander(id, table) + (unsigned)guarded((int)(id % 100000), table, id % 9 == 0 ? &cell : NULL) +
           (unsigned)(long)real((int)(id % 5000));
  unsigned children = 1 + hash(id) % 3;
  for (unsigned i = 0; i < children; ++i)
    found[i] = cilk_spawn node(hash(id + i), depth - 1 - (int)(hash(id * 7 + i) % (unsigned)depth) / 3, table);
  cilk_sync;
  unsigned sum = id;
  for (unsigned i = 0; i < children; ++i)
    sum = sum * 29 + found[i];
  return sum;
}

int main(void) {
  static const int table[5] = {4, 8, 15, 16, 23};
  Checksum sum = 0;
  for (unsigned id = 0; id < 8; ++id)
    sum = fold(sum, node(id, 9, table));
  report("divergence", sum);
  return 0;
}
