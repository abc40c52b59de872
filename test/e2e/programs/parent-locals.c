// Children that read and write their parent's locals through pointers, and pass them on to their own children. Between the
// spawns, the parent works on elements of its own.
#include "checksum.h"
#include <cilk/cilk.h>

struct Node {
  const struct Node *parent;
  int value;
};

static long path_sum(const struct Node *node) {
  long sum = 0;
  int distance = 1;
  for (; node; node = node->parent)
    sum += (long)node->value * distance++;
  return sum;
}

// A linked list through the frames of all ancestors, which every base case reads.
static long chains(int depth, int value, const struct Node *parent) {
  struct Node mine = {parent, value};
  long found[3];
  if (depth == 0)
    return path_sum(&mine);
  for (int i = 0; i < 3; ++i)
    found[i] = cilk_spawn chains(depth - 1, value * 3 + i, &mine);
  cilk_sync;
  mine.value += (int)(found[0] % 5);
  return found[0] + 2 * found[1] + 3 * found[2] + path_sum(&mine);
}

static void fill(int *cells, int count, int value) {
  if (count == 1) {
    *cells = value;
    return;
  }
  int half = count / 2;
  cilk_spawn fill(cells, half, value * 2);
  cilk_spawn fill(cells + half, count - half, value * 2 + 1);
}

static void bump(int *cell, const int *by) { *cell += *by; }

static long shared(int n) {
  int cells[24], by = n, own = 0;
  int *middle = &cells[12];
  cilk_spawn fill(cells, 12, n);
  own += by; // the parent's own locals, while the children run
  cilk_spawn fill(middle, 12, n + 1);
  cilk_sync;
  for (int round = 0; round < 3; ++round) {
    for (int i = round % 2; i < 24; i += 2)
      cilk_spawn bump(&cells[i], &by);
    cilk_sync;
    by += own;
  }
  Checksum sum = 0;
  for (int i = 0; i < 24; ++i)
    sum = fold(sum, (unsigned)cells[i]);
  return (long)(sum >> 8);
}

static void pass_up(int n, long *out) {
  long left = -1, right = -1;
  long *targets[2] = {&left, &right};
  if (n <= 1) {
    *out = n + 1;
    return;
  }
  cilk_spawn pass_up(n - 1, targets[n & 1]);
  cilk_spawn pass_up(n - 2, targets[!(n & 1)]);
  cilk_sync;
  *out = left * 2 + right;
}

int main(void) {
  Checksum sum = 0;
  for (int n = 0; n < 7; ++n)
    sum = fold(sum, (unsigned long)chains(n, n + 1, NULL));
  for (int n = 0; n < 20; ++n) {
    long out = 0;
    sum = fold(sum, (unsigned long)shared(n));
    pass_up(n, &out);
    sum = fold(sum, (unsigned long)out);
  }
  report("parent's locals", sum);
  return 0;
}
