// Tasks that allocate and free. A binary tree is built in parallel, rewritten, summed by serial recursion in base cases, and
// freed in parallel. Scratch memory lives from before a sync until after it.
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdlib.h>

struct Tree {
  struct Tree *left, *right;
  int key;
};

static struct Tree *build(int low, int high) {
  if (low >= high)
    return NULL;
  struct Tree *node = malloc(sizeof *node);
  if (!node)
    exit(1);
  int middle = low + (high - low) / 3;
  node->key = middle;
  node->left = cilk_spawn build(low, middle);
  node->right = cilk_spawn build(middle + 1, high);
  return node; // the children are waited for before anyone sees the node
}

static long sum_serially(const struct Tree *tree) {
  return tree ? tree->key + sum_serially(tree->left) * 3 + sum_serially(tree->right) : 1;
}

static long sum(const struct Tree *tree, int levels) {
  if (!tree || levels == 0)
    return sum_serially(tree) % 1000003;
  long a = cilk_spawn sum(tree->left, levels - 1);
  long b = cilk_spawn sum(tree->right, levels - 1);
  cilk_sync;
  return (tree->key + a * 3 + b) % 1000003;
}

static void destroy(struct Tree *tree) {
  if (!tree)
    return;
  cilk_spawn destroy(tree->left);
  cilk_spawn destroy(tree->right);
  cilk_sync;
  free(tree);
}

static void fill(long *cells, int count, long value) {
  for (int i = 0; i < count; ++i)
    cells[i] = value * i + 1;
}

static long scratch(int n) {
  if (n < 2)
    return n + 3;
  long *cells = malloc((size_t)n * 2 * sizeof *cells);
  if (!cells)
    exit(1);
  cilk_spawn fill(cells, n, n);
  cilk_spawn fill(cells + n, n, -n);
  cilk_sync;
  cells[0] = cilk_spawn scratch(n - 1);
  cells[n] = cilk_spawn scratch(n - 2);
  cilk_sync;
  Checksum total = 0;
  for (int i = 0; i < 2 * n; ++i)
    total = fold(total, (unsigned long)cells[i]);
  free(cells);
  return (long)(total >> 33);
}

int main(void) {
  Checksum total = 0;
  for (int n = 0; n < 400; n = n * 2 + 1) {
    struct Tree *tree = build(0, n);
    total = fold(total, (unsigned long)sum(tree, 4));
    destroy(tree);
  }
  for (int n = 0; n < 14; ++n)
    total = fold(total, (unsigned long)scratch(n));
  report("memory", total);
  return 0;
}
