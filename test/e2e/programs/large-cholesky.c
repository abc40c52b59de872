// Sparse Cholesky factorisation on a quadtree. The lowest nodes are blocks, and a null pointer stands for a part of zeros. Tasks
// allocate nodes and blocks when they first need them. Most tasks spawn conditionally, in up to three rounds.
//   large-cholesky [n]   rows, by default 96
// Link: -lm
#include "checksum.h"
#include <cilk/cilk.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BlockSize = 4 };
enum { TopLeft, TopRight, BottomLeft, BottomRight };

typedef double Block[BlockSize][BlockSize];

typedef union Tree {
  Block block;
  union Tree *child[4];
} Tree;

static Tree *new_tree(void) {
  Tree *tree = malloc(sizeof *tree);
  if (!tree)
    exit(2);
  return memset(tree, 0, sizeof *tree);
}

static Tree *new_block(void) {
  Tree *tree = new_tree();
  for (int i = 0; i < BlockSize; ++i)
    for (int j = 0; j < BlockSize; ++j)
      tree->block[i][j] = 0;
  return tree;
}

static void block_cholesky(Block b) {
  for (int k = 0; k < BlockSize; ++k) {
    double x = sqrt(b[k][k]);
    b[k][k] = x;
    for (int i = k + 1; i < BlockSize; ++i)
      b[i][k] /= x;
    for (int j = k + 1; j < BlockSize; ++j)
      for (int i = j; i < BlockSize; ++i)
        b[i][j] -= b[i][k] * b[j][k];
  }
}

// b = b L^-T
static void block_backsub(Block b, Block l) {
  for (int i = 0; i < BlockSize; ++i)
    for (int j = 0; j < BlockSize; ++j) {
      for (int k = 0; k < j; ++k)
        b[i][j] -= l[j][k] * b[i][k];
      b[i][j] /= l[j][j];
    }
}

// r -= a b^T; only the lower half if `lower`.
static void block_subtract(Block r, Block a, Block b, int lower) {
  for (int i = 0; i < BlockSize; ++i)
    for (int j = 0; j < (lower ? i + 1 : BlockSize); ++j)
      for (int k = 0; k < BlockSize; ++k)
        r[i][j] -= a[i][k] * b[j][k];
}

static long live_nodes(const Tree *tree, int size) {
  long counts[4] = {0};
  if (!tree || size == BlockSize)
    return tree != NULL;
  for (int i = 0; i < 4; ++i)
    counts[i] = cilk_spawn live_nodes(tree->child[i], size / 2);
  cilk_sync;
  return 1 + counts[0] + counts[1] + counts[2] + counts[3];
}

// r -= a b^T, where r may be null at first. Returns r.
static Tree *multiply_subtract(int size, int lower, Tree *r, Tree *a, Tree *b) {
  if (!a || !b)
    return r;
  if (size == BlockSize) {
    if (!r)
      r = new_block();
    block_subtract(r->block, a->block, b->block, lower);
    return r;
  }
  int half = size / 2;
  Tree **quarters;
  if (!r)
    r = new_tree();
  quarters = r->child;
  for (int k = 0; k < 2; ++k) { // columns of a and of b
    quarters[TopLeft] =
        cilk_spawn multiply_subtract(half, lower, quarters[TopLeft], a->child[TopLeft + k], b->child[TopLeft + k]);
    if (!lower)
      quarters[TopRight] =
          cilk_spawn multiply_subtract(half, 0, quarters[TopRight], a->child[TopLeft + k], b->child[BottomLeft + k]);
    quarters[BottomLeft] =
        cilk_spawn multiply_subtract(half, 0, quarters[BottomLeft], a->child[BottomLeft + k], b->child[TopLeft + k]);
    quarters[BottomRight] = cilk_spawn multiply_subtract(half, lower, quarters[BottomRight], a->child[BottomLeft + k],
                                                         b->child[BottomLeft + k]);
    cilk_sync;
  }
  return r;
}

static Tree *backsub(int size, Tree *a, Tree *l);

// Rows `top` and its right neighbour of a.
static void backsub_row(int half, Tree **left, Tree **right, Tree *l) {
  *left = backsub(half, *left, l->child[TopLeft]);
  *right = multiply_subtract(half, 0, *right, *left, l->child[BottomLeft]);
  *right = backsub(half, *right, l->child[BottomRight]);
}

static Tree *backsub(int size, Tree *a, Tree *l) {
  if (!a)
    return NULL;
  if (size == BlockSize) {
    block_backsub(a->block, l->block);
    return a;
  }
  cilk_spawn backsub_row(size / 2, &a->child[TopLeft], &a->child[TopRight], l);
  cilk_spawn backsub_row(size / 2, &a->child[BottomLeft], &a->child[BottomRight], l);
  cilk_sync;
  return a;
}

static Tree *cholesky(int size, Tree *a) {
  if (size == BlockSize) {
    block_cholesky(a->block);
    return a;
  }
  int half = size / 2;
  Tree *corner, *below = a->child[BottomLeft];
  corner = cholesky(half, a->child[TopLeft]);
  a->child[TopLeft] = corner;
  if (below) {
    Tree *last = a->child[BottomRight];
    below = cilk_spawn backsub(half, below, corner);
    cilk_sync;
    last = cilk_spawn multiply_subtract(half, 1, last, below, below);
    cilk_sync;
    a->child[BottomLeft] = below;
    a->child[BottomRight] = cholesky(half, last);
  } else {
    a->child[BottomRight] = cholesky(half, a->child[BottomRight]);
  }
  return a;
}

static void free_tree(Tree *tree, int size) {
  if (!tree)
    return;
  if (size > BlockSize)
    for (int i = 0; i < 4; ++i)
      cilk_spawn free_tree(tree->child[i], size / 2);
  cilk_sync;
  free(tree);
}

static double *entry(Tree **root, int size, int i, int j) {
  Tree **slot = root;
  for (; size > BlockSize; size /= 2) {
    int half = size / 2;
    if (!*slot)
      *slot = new_tree();
    slot = &(*slot)->child[2 * (i >= half) + (j >= half)];
    i %= half;
    j %= half;
  }
  if (!*slot)
    *slot = new_block();
  return &(*slot)->block[i][j];
}

static double read(Tree *tree, int size, int i, int j) {
  for (; tree && size > BlockSize; size /= 2) {
    int half = size / 2;
    tree = tree->child[2 * (i >= half) + (j >= half)];
    i %= half;
    j %= half;
  }
  return tree ? tree->block[i][j] : 0;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 96, size = BlockSize;
  if (n < 1)
    return 2;
  while (size < n)
    size *= 2;
  Tree *a = NULL;
  double *original = calloc((size_t)size * (size_t)size, sizeof *original);
  if (!original)
    return 2;
  for (int i = 0; i < size; ++i) // beyond n: the identity
    original[i * size + i] = i < n ? 8.0 + i % 5 : 1.0;
  unsigned state = 99;
  for (int k = 0; k < 2 * n; ++k) {
    state = state * 1664525u + 1013904223u;
    int i = (int)(state >> 8) % n;
    state = state * 1664525u + 1013904223u;
    int j = (int)(state >> 8) % n;
    if (i > j)
      original[i * size + j] = -0.25 - (double)(k % 8) / 32;
  }
  for (int i = 0; i < size; ++i)
    for (int j = 0; j <= i; ++j)
      if (original[i * size + j] != 0)
        *entry(&a, size, i, j) = original[i * size + j];
  printf("nodes before: %ld\n", live_nodes(a, size));
  a = cholesky(size, a);
  printf("nodes after: %ld\n", live_nodes(a, size));
  Checksum sum = 0;
  double worst = 0;
  for (int i = 0; i < size; ++i)
    for (int j = 0; j <= i; ++j) {
      unsigned long long bits;
      double value = read(a, size, i, j), product = 0;
      memcpy(&bits, &value, sizeof bits);
      sum = fold(sum, bits);
      for (int k = 0; k <= j && size <= 128; ++k)
        product += read(a, size, i, k) * read(a, size, j, k);
      worst = size <= 128 ? fmax(worst, fabs(product - original[i * size + j])) : 0;
    }
  report("cholesky", sum);
  printf("right: %s\n", worst < 1e-9 ? "yes" : "no");
  free_tree(a, size);
  free(original);
  return worst < 1e-9 ? 0 : 1;
}
