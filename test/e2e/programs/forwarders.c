// Ordinary functions between tasks in C: helpers around the recursion, two helpers in turns, with locals that are lent, arrays of
// variable size, structs by value, loops and early returns.
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdlib.h>

struct Node {
  struct Node *left, *right;
  long value;
};
struct Big {
  long values[12];
};

static long solve(struct Node *node, struct Big by, long *notes);

static long solve_half(struct Node *node, struct Big by, long *notes) {
  if (!node)
    return 1;
  by.values[node->value % 12] += 2;
  long sum = solve(node, by, notes);
  return sum + by.values[3];
}

// Called by solve, and leads back to it through solve_half; its locals live across the call.
static long both(struct Node *node, const struct Big *by, int n) {
  long notes[3] = {1, 2, 3}, sizes[n % 5 + 1];
  struct Big changed = *by;
  for (int i = 0; i <= n % 5; ++i)
    sizes[i] = node ? node->value + i : i;
  changed.values[0] = sizes[n % 5];
  long sum = solve_half(node, changed, notes);
  return sum + notes[0] + notes[1] * 3 + notes[2] * 5 + sizes[0] + by->values[0];
}

static long solve(struct Node *node, struct Big by, long *notes) {
  long a = 0, b, own[3] = {0, 0, 0};
  struct Big copy = by;
  copy.values[1]++;
  a = cilk_spawn both(node->left, &by, (int)(node->value % 7));
  b = solve_half(node->right, copy, own);
  cilk_sync;
  notes[0] += a;
  notes[1] ^= b;
  return a + b * 3 + own[1];
}

// It is recursive itself, and only sometimes a Cilk function.
static long scan(struct Node *node, long limit, long *found) {
  if (!node)
    return 0;
  if (node->value < limit) {
    long notes[3] = {0, 0, 0};
    struct Big zero = {{0}};
    long sum = solve(node, zero, notes);
    *found += sum + notes[0];
    return 1;
  }
  return scan(node->left, limit, found) + scan(node->right, limit, found);
}

static long search(struct Node *node, long limit) {
  long found = 0, mine = 0;
  long a = cilk_spawn scan(node->left, limit, &found);
  long b = scan(node->right, limit + 1, &mine);
  cilk_sync;
  return a + b * 3 + found + mine * 5;
}

// A loop calls it very often, and it is hardly ever a task.
static long cache[64];
static long cached(struct Node *node, int at) {
  if (cache[at & 63])
    return cache[at & 63];
  struct Big zero = {{3}};
  long notes[3] = {0, 0, 0};
  return cache[at & 63] = solve(node, zero, notes) | 1;
}
static long often(struct Node *node, int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 3 + cached(node, i * 7);
  long a = cilk_spawn solve_half(node, (struct Big){{1}}, cache);
  cilk_sync;
  return sum + a;
}

static unsigned state = 7;
static struct Node *grow(int depth) {
  state = state * 1664525u + 1013904223u;
  if (depth == 0 || (state >> 28) == 0)
    return NULL;
  struct Node *node = malloc(sizeof *node);
  node->value = state >> 24;
  node->left = grow(depth - 1);
  node->right = grow(depth - 1);
  return node;
}

static void drop(struct Node *node) {
  if (!node)
    return;
  drop(node->left);
  drop(node->right);
  free(node);
}

int main(void) {
  Checksum sum = 0;
  for (int depth = 3; depth < 10; ++depth) {
    struct Node *node = grow(depth);
    if (!node)
      continue;
    struct Big zero = {{0}};
    long notes[3] = {1, 1, 1};
    sum = fold(sum, (unsigned long)solve_half(node, zero, notes));
    sum = fold(sum, (unsigned long)notes[1]);
    sum = fold(sum, (unsigned long)search(node, 100));
    sum = fold(sum, (unsigned long)often(node, 500));
    long first = 0, second = 0;
    first = cilk_spawn both(node, &zero, depth);
    cilk_sync;
    cilk_for (int i = 0; i < 8; ++i) {
      long own[3] = {i, 0, 0};
      __atomic_fetch_add(&second, solve_half(node, zero, own) * own[0], __ATOMIC_RELAXED);
    }
    sum = fold(sum, (unsigned long)(first + second));
    drop(node);
  }
  report("forwarders", sum);
  return 0;
}
