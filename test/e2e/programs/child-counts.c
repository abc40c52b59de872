// Tasks with a number of children that depends on data: an unbalanced tree whose nodes have 0 to 7 children, by a hash of the
// node. Results go to an array, through a pointer, and to an atomic counter.
#include "checksum.h"
#include <cilk/cilk.h>

static long visited;

static unsigned hash(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

static unsigned children_of(unsigned node, int depth) {
  if (depth >= 14)
    return 0;
  unsigned draw = hash(node) % 20;
  return depth < 3 ? 4 : draw < 12 ? 0 : draw - 12;
}

static unsigned walk(unsigned node, int depth, long *leaves) {
  unsigned found[8];
  long below[8];
  unsigned count = children_of(node, depth);
  __atomic_fetch_add(&visited, 1, __ATOMIC_RELAXED);
  *leaves = 0;
  if (count == 0) {
    *leaves = 1;
    return hash(node + 1);
  }
  for (unsigned i = 0; i < count; ++i)
    found[i] = cilk_spawn walk(hash(node) + i * 2654435761u, depth + 1, &below[i]);
  cilk_sync;
  unsigned sum = node;
  for (unsigned i = 0; i < count; ++i) {
    sum = sum * 33 + found[i];
    *leaves += below[i];
  }
  return sum;
}

int main(void) {
  Checksum sum = 0;
  for (unsigned root = 1; root <= 6; ++root) {
    long leaves;
    sum = fold(sum, walk(root, 0, &leaves));
    sum = fold(sum, (unsigned long)leaves);
  }
  report("trees", sum);
  printf("visited %ld\n", visited);
  return 0;
}
