// Pedigrees of strands, and their random numbers, are those of the serial elision. This holds in recursions, loops, spawned
// blocks, and functions that a library calls back.
// Link: -lopencilk-pedigrees
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <stdio.h>
#include <stdlib.h>

#define DEPTH 16

typedef struct {
  int depth;
  unsigned long long ranks[DEPTH], random;
} Entry;

static Entry entries[2048];

static void note(int at) {
  __cilkrts_pedigree leaf = __cilkrts_get_pedigree();
  Entry *entry = &entries[at];
  for (const __cilkrts_pedigree *place = &leaf; place; place = place->parent)
    entry->ranks[entry->depth++] = place->rank;
  entry->random = __cilkrts_get_dprand();
}

static void tree(int at, int depth) {
  note(2 * at);
  if (depth == 0)
    return;
  cilk_spawn tree(2 * at, depth - 1);
  cilk_spawn tree(2 * at + 1, depth - 1);
  cilk_sync;
  note(2 * at + 1);
}

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static void loops(int n) {
  cilk_for (int i = 0; i < n; ++i)
    note(500 + i);
  cilk_for (int i = n; i > 0; i -= 3) {
    cilk_spawn note(600 + i);
    fib(i % 5);
    note(700 + i);
    cilk_sync;
    cilk_for (short j = 3; j >= 0; --j)
      note(800 + 4 * i + j);
  }
  cilk_for (unsigned char c = 250; c > 20; c -= 30)
    note(900 + c / 10);
  cilk_for (long long i = -20; i <= 20; i += 5)
    __cilkrts_bump_worker_rank();
  note(950);
}

static int compare(const void *left, const void *right) {
  int x = *(const int *)left, y = *(const int *)right;
  note(1000 + x);
  return x - y;
}

static void sortTwo(int k) {
  int values[2] = {2 * k, 2 * k + 1};
  qsort(values, 2, sizeof *values, compare);
}

static void print(void) {
  for (int at = 0; at < (int)(sizeof entries / sizeof *entries); ++at) {
    const Entry *entry = &entries[at];
    if (!entry->depth)
      continue;
    printf("%d:", at);
    for (int k = entry->depth; k-- > 0;)
      printf(" %llu", entry->ranks[k]);
    printf(" %llx\n", entry->random);
  }
}

int main(void) {
  note(0);
  tree(1, 4);
  note(1);
  printf("%d\n", fib(9));
  note(400);
  loops(20);
  for (int i = 0; i < 5; ++i)
    cilk_spawn sortTwo(i);
  cilk_scope {
    cilk_spawn sortTwo(10);
    sortTwo(11);
  }
  cilk_spawn {
    note(401);
    fib(3);
    note(402);
  }
  cilk_sync;
  __cilkrts_dprand_set_seed(5);
  note(403);
  void (*pointer)(int) = note;
  cilk_spawn pointer(404);
  pointer(405);
  cilk_sync;
  print();
  return 0;
}
