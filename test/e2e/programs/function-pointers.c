// Spawns through function pointers, from tables, parameters, struct fields and results of calls. The callees are Cilk functions,
// ordinary and library functions, with results of several kinds, structs by value, and conversions.
#include "checksum.h"
#include <stdlib.h>

typedef long (*Worker)(int);
typedef struct { long a[5]; } Block;
typedef struct { const char *name; Block (*make)(Block, int); int (*small)(int); } Methods;

static long leaf(int n) { return n * 5L + 1; }

static long tree(int n);
static long chain(int n);
static Worker const workers[] = {tree, leaf, chain};

static long tree(int n) {
  if (n < 2)
    return n + 3;
  long a = cilk_spawn workers[n % 3](n - 1), b;
  b = cilk_spawn (*workers[(n + 1) % 3])(n - 2);
  cilk_sync;
  return a * 3 + b;
}

static long chain(int n) {
  long below = 0;
  if (n > 0)
    below = cilk_spawn (n % 2 ? tree : chain)(n - 1);
  cilk_sync;
  return below + 1;
}

static long apply(Worker *const table, int count, int n) {
  long sum = 0, results[8];
  for (int i = 0; i < count; ++i)
    results[i] = cilk_spawn table[i](n - i);
  cilk_sync;
  for (int i = 0; i < count; ++i)
    sum = sum * 7 + results[i];
  return sum;
}

static Block makeLeaf(Block from, int n) {
  for (int i = 0; i < 5; ++i)
    from.a[i] += n * i;
  return from;
}

static Block makeTree(Block from, int n) {
  if (n < 1)
    return makeLeaf(from, n);
  Block left = cilk_spawn makeTree(from, n - 1), right;
  from.a[2] ^= 99;
  right = cilk_spawn makeLeaf(from, n);
  cilk_sync;
  for (int i = 0; i < 5; ++i)
    left.a[i] = left.a[i] * 3 + right.a[i];
  return left;
}

static int increment(int n) { return n + 1; }

static int asked;
static const Methods *methods(int n) {
  static const Methods all[2] = {{"leaf", makeLeaf, abs}, {"tree", makeTree, increment}};
  ++asked;
  return &all[n % 2];
}

static void drop(void *block) { free(block); }

static Checksum fields(int n) {
  Block start = {{1, 2, 3, 4, 5}}, blocks[4];
  long wide[4];
  void (*release[2])(void *) = {free, drop};
  for (int i = 0; i < 4; ++i) {
    blocks[i] = cilk_spawn methods(i)->make(start, n);
    wide[i] = cilk_spawn methods(i)->small(-n); /* converted by the child */
    cilk_spawn release[i % 2](malloc(10));
    cilk_spawn methods(i + 1)->make(start, i); /* result unused */
  }
  cilk_sync;
  Checksum sum = asked;
  for (int i = 0; i < 4; ++i)
    sum = fold(fold(sum, wide[i]), blocks[i].a[i]);
  return sum;
}

static void set(int *to, int value) { *to = value; }

static Checksum loops(int n, void (*each)(int *, int)) {
  int out[40];
  cilk_for (int i = 0; i < n; ++i) {
    cilk_spawn each(&out[i], i * 3);
  }
  Checksum sum = 0;
  for (int i = 0; i < n; ++i)
    sum = fold(sum, out[i]);
  return sum;
}

int main(void) {
  Worker table[] = {tree, leaf, chain, leaf, tree};
  report("tree", tree(14));
  report("apply", apply(table, 5, 9));
  report("fields", fields(6));
  report("loops", loops(40, set));
  Worker mine = table[asked % 3];
  long result = cilk_spawn mine(7);
  cilk_sync;
  report("main", result);
  return 0;
}
