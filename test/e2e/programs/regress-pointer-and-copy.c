// A spawned function gets a struct by value and, in another argument, a pointer to the array of the original. The pointer must
// lead to the parent's whole array, not to the copy.
#include "checksum.h"
#include <cilk/cilk.h>

struct Cell {
  int counts[3];
  int number;
  long amounts[6];
};
struct Wrapped {
  struct Cell cell[1];
};

static long total(const struct Cell *cells, int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i)
    sum = (sum * 31 + cells[i].counts[0] + 2 * cells[i].counts[2] + cells[i].amounts[3]) % 1000003;
  return sum;
}

static long both(const struct Cell *cells, struct Cell first) { return total(cells, 3) + 7 * total(&first, 1); }

static struct Cell both_in_memory(int n, const struct Wrapped *cells, struct Cell first) {
  struct Cell made = {.number = n};
  for (int i = 0; i < 3; ++i)
    made.amounts[i] = total(cells[i].cell, 1);
  made.amounts[3] = total(&first, 1);
  return made;
}

static long scalar_result(int n) {
  struct Cell cells[3] = {[0] = {.counts[0] = n},
                          [1] = {.counts[2] = n, .amounts[3] = 5},
                          [2] = {.amounts = {1, 2, 3, n}}};
  long result = cilk_spawn both(cells, cells[0]);
  cilk_sync;
  cells[0].number = (int)result;
  return result + cells[0].number + cells[1].counts[2];
}

static long struct_result(int n) {
  struct Wrapped cells[3] = {[0].cell[0] = {.counts[0] = n},
                             [1].cell[0] = {.number = n},
                             [2].cell[0] = {.amounts[3] = n}};
  if (n <= 0)
    return n;
  struct Cell result = cilk_spawn both_in_memory(n, cells, cells[0].cell[0]);
  long deeper = cilk_spawn struct_result(n - 1);
  cilk_sync;
  return (total(&result, 1) + result.amounts[0] * 3 + result.amounts[2] * 5 + deeper * 11) % 1000003;
}

int main(void) {
  Checksum sum = 0;
  for (int n = 0; n < 40; ++n) {
    sum = fold(sum, (unsigned long)scalar_result(n));
    sum = fold(sum, (unsigned long)struct_result(n));
  }
  report("pointer and copy", sum);
  return 0;
}
