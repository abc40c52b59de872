// Knapsack by branch and bound. Tasks share no bound, which would make the work depend on the order. A task gets the
// best value that is known at its spawn, and both branches prune with this value. Solutions are structs by value.
//   large-knapsack [items]   from 1 to 40, by default 22
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdlib.h>

enum { MaxItems = 40 };

typedef struct {
  int value, weight;
} Item;

typedef struct {
  int value;      // -1: nothing better than the bound
  uint64_t taken; // bit i: item i
  long nodes;     // of the search tree
  long cuts;
} Solution;

typedef struct {
  Item items[MaxItems]; // by value per weight, best first
  int count, capacity;
} Problem;

static int denser(const void *a, const void *b) {
  const Item *x = a, *y = b;
  long left = (long)x->value * y->weight, right = (long)y->value * x->weight;
  if (left != right)
    return left > right ? -1 : 1;
  return (x->weight > y->weight) - (x->weight < y->weight);
}

// Returns the most that the rest could add if the first item that does not fit could be cut.
static double relaxed(const Problem *problem, int next, int room) {
  double value = 0;
  for (int i = next; i < problem->count; ++i) {
    const Item *item = &problem->items[i];
    if (item->weight > room)
      return value + (double)item->value * room / item->weight;
    room -= item->weight;
    value += item->value;
  }
  return value;
}

static int greedy(const Problem *problem, int next, int room) {
  int value = 0;
  for (int i = next; i < problem->count; ++i)
    if (problem->items[i].weight <= room) {
      room -= problem->items[i].weight;
      value += problem->items[i].value;
    }
  return value;
}

static Solution better(Solution a, Solution b) {
  Solution best = a.value >= b.value ? a : b;
  best.nodes = a.nodes + b.nodes;
  best.cuts = a.cuts + b.cuts;
  return best;
}

// Finds the best continuation from `value` with `room` left that beats or equals `bound`.
static Solution search(const Problem *problem, int next, int room, int value, uint64_t taken, int bound) {
  Solution none = {-1, 0, 1, 0};
  if (room < 0)
    return none;
  if (next == problem->count) {
    Solution leaf = {value >= bound ? value : -1, taken, 1, 0};
    return leaf;
  }
  if (value + relaxed(problem, next, room) < bound) {
    none.cuts = 1;
    return none;
  }
  int reached = value + greedy(problem, next, room);
  if (reached > bound)
    bound = reached;
  const Item *item = &problem->items[next];
  Solution with = cilk_spawn search(problem, next + 1, room - item->weight, value + item->value,
                                    taken | (uint64_t)1 << next, bound);
  Solution without = search(problem, next + 1, room, value, taken, bound);
  cilk_sync;
  Solution result = better(with, without);
  result.nodes += 1;
  return result;
}

// The same optimum, by dynamic programming.
static int by_table(const Problem *problem) {
  int *best = calloc((size_t)problem->capacity + 1, sizeof *best);
  if (!best)
    exit(2);
  for (int i = 0; i < problem->count; ++i)
    for (int room = problem->capacity; room >= problem->items[i].weight; --room) {
      int with = best[room - problem->items[i].weight] + problem->items[i].value;
      if (with > best[room])
        best[room] = with;
    }
  int result = best[problem->capacity];
  free(best);
  return result;
}

static Problem make(int count, unsigned seed) {
  Problem problem = {.count = count};
  long total = 0;
  for (int i = 0; i < count; ++i) {
    seed = seed * 1103515245u + 12345u;
    int weight = 20 + (int)(seed >> 16) % 80;
    seed = seed * 1103515245u + 12345u;
    problem.items[i] = (Item){weight + (int)(seed >> 16) % 9 + 10, weight}; // values follow weights: hard to cut
    total += weight;
  }
  problem.capacity = (int)(total * (long)(30 + seed % 40) / 100);
  qsort(problem.items, (size_t)count, sizeof *problem.items, denser);
  return problem;
}

int main(int argc, char **argv) {
  int items = argc > 1 ? atoi(argv[1]) : 22;
  if (items < 1 || items > MaxItems)
    return 2;
  Checksum sum = 0;
  int wrong = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    Problem problem = make(items, seed * 7919);
    Solution best = search(&problem, 0, problem.capacity, 0, 0, 0);
    int value = 0, weight = 0;
    for (int i = 0; i < items; ++i)
      if (best.taken >> i & 1) {
        value += problem.items[i].value;
        weight += problem.items[i].weight;
      }
    wrong += value != best.value || weight > problem.capacity || value != by_table(&problem);
    printf("seed %u: value %d, %ld nodes, %ld cut\n", seed, best.value, best.nodes, best.cuts);
    sum = fold(fold(fold(sum, (unsigned)best.value), best.taken), (unsigned long)best.nodes);
  }
  report("knapsack", sum);
  return wrong;
}
