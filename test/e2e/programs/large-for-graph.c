// Graph algorithms with loops. A search pushes from a frontier or pulls from all vertices, whichever is less work. Ranks in fixed
// point settle in rounds. Triangles are counted in sorted lists, and a colouring goes by rounds. Loops spawn Cilk functions,
// which may have loops of their own.
//   large-for-graph [vertices]   by default 1200
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int vertices;
  int *offsets; // [vertices + 1]
  int *targets; // sorted for each vertex
} Graph;

static int degree(const Graph *graph, int v) { return graph->offsets[v + 1] - graph->offsets[v]; }

static unsigned next_random(unsigned *state) { return (*state = *state * 1664525u + 1013904223u) >> 8; }

static Graph make_graph(int vertices) {
  size_t room = (size_t)vertices * 24, used = 0;
  Graph graph = {vertices, malloc(((size_t)vertices + 1) * sizeof(int)), malloc(room * sizeof(int))};
  unsigned char *adjacent = malloc((size_t)vertices * (size_t)vertices);
  if (!graph.offsets || !graph.targets || !adjacent)
    exit(2);
  memset(adjacent, 0, (size_t)vertices * (size_t)vertices);
  unsigned state = 77;
  for (int e = 0; e < vertices * 5; ++e) {
    int a = (int)(next_random(&state) % (unsigned)vertices);
    int b =
        e % 2 ? (a + 1 + (int)(next_random(&state) % 6)) % vertices : (int)(next_random(&state) % (unsigned)vertices);
    if (a == b || a % 50 == 49 || b % 50 == 49) // every 50th vertex stays alone
      continue;
    adjacent[(size_t)a * (size_t)vertices + (size_t)b] = adjacent[(size_t)b * (size_t)vertices + (size_t)a] = 1;
  }
  for (int a = 0; a < vertices; ++a) {
    graph.offsets[a] = (int)used;
    for (int b = 0; b < vertices; ++b)
      if (adjacent[(size_t)a * (size_t)vertices + (size_t)b] && used < room)
        graph.targets[used++] = b;
  }
  graph.offsets[vertices] = (int)used;
  free(adjacent);
  return graph;
}

// Computes levels from `source`. The frontier's order is not defined, so only its size is printed.
static int search(const Graph *graph, int source, int *levels, int *pulls) {
  int n = graph->vertices, level = 0, size = 1;
  int *frontier = malloc((size_t)n * sizeof *frontier), *next = malloc((size_t)n * sizeof *next);
  if (!frontier || !next)
    exit(2);
  cilk_for (int v = 0; v < n; ++v)
    levels[v] = v == source ? 0 : -1;
  frontier[0] = source;
  while (size > 0) {
    int found = 0;
    ++level;
    if (size < n / 8) { // push
      cilk_for (int i = 0; i < size; ++i) {
        int v = frontier[i];
        for (int e = graph->offsets[v]; e < graph->offsets[v + 1]; ++e) {
          int expected = -1, target = graph->targets[e];
          if (__atomic_compare_exchange_n(&levels[target], &expected, level, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            next[__atomic_fetch_add(&found, 1, __ATOMIC_RELAXED)] = target;
        }
      }
    } else { // pull
      ++*pulls;
      cilk_for (int v = 0; v < n; ++v) {
        if (__atomic_load_n(&levels[v], __ATOMIC_RELAXED) != -1)
          continue;
        for (int e = graph->offsets[v]; e < graph->offsets[v + 1]; ++e)
          if (__atomic_load_n(&levels[graph->targets[e]], __ATOMIC_RELAXED) == level - 1) {
            __atomic_store_n(&levels[v], level, __ATOMIC_RELAXED);
            next[__atomic_fetch_add(&found, 1, __ATOMIC_RELAXED)] = v;
            break;
          }
      }
    }
    int *t = frontier;
    frontier = next;
    next = t;
    size = found;
  }
  free(frontier);
  free(next);
  return level;
}

// Ranks in units of 2^-32; whole numbers, so that atomic sums do not depend on the order.
static int rank(const Graph *graph, uint64_t *ranks, uint64_t *incoming) {
  int n = graph->vertices, rounds = 0;
  uint64_t one = (uint64_t)1 << 32, moved;
  cilk_for (int v = 0; v < n; ++v)
    ranks[v] = one;
  do {
    moved = 0;
    cilk_for (int v = 0; v < n; ++v)
      incoming[v] = one * 15 / 100;
    cilk_for (int v = 0; v < n; ++v) {
      if (!degree(graph, v))
        continue;
      uint64_t share = ranks[v] / 100 * 85 / (uint64_t)degree(graph, v);
      for (int e = graph->offsets[v]; e < graph->offsets[v + 1]; ++e)
        __atomic_fetch_add(&incoming[graph->targets[e]], share, __ATOMIC_RELAXED);
    }
    cilk_for (int v = 0; v < n; ++v) {
      uint64_t difference = ranks[v] > incoming[v] ? ranks[v] - incoming[v] : incoming[v] - ranks[v];
      __atomic_fetch_add(&moved, difference, __ATOMIC_RELAXED);
      ranks[v] = incoming[v];
    }
    ++rounds;
  } while (moved > one / 1000 * (uint64_t)n && rounds < 60);
  return rounds;
}

static int common(const Graph *graph, int a, int b) { // targets of both above b
  int i = graph->offsets[a], j = graph->offsets[b], count = 0;
  while (i < graph->offsets[a + 1] && j < graph->offsets[b + 1]) {
    int x = graph->targets[i], y = graph->targets[j];
    count += x == y && x > b;
    i += x <= y;
    j += y <= x;
  }
  return count;
}

// Counts triangles whose lowest corner is v: it spawns an ordinary function for each edge, and sums up after the sync.
static int triangles_at(const Graph *graph, int v) {
  int counts[64], used = 0, sum = 0;
  for (int e = graph->offsets[v]; e < graph->offsets[v + 1]; ++e) {
    if (graph->targets[e] < v)
      continue;
    if (used == 64) {
      cilk_sync;
      while (used)
        sum += counts[--used];
    }
    counts[used] = cilk_spawn common(graph, v, graph->targets[e]);
    ++used;
  }
  cilk_sync;
  while (used)
    sum += counts[--used];
  return sum;
}

static long triangles(const Graph *graph, int *per_vertex) {
  int n = graph->vertices;
  long sum = 0;
#pragma cilk grainsize = 5
  cilk_for (int v = n - 1; v >= 0; --v)
    per_vertex[v] = triangles_at(graph, v);
  for (int v = 0; v < n; ++v)
    sum += per_vertex[v];
  return sum;
}

// A colouring by rounds: the vertex with the largest hash among its neighbours without colour takes the smallest free colour.
static int colour(const Graph *graph, int *colours, unsigned char *chosen) {
  int n = graph->vertices, left, rounds = 0;
  cilk_for (int v = 0; v < n; ++v)
    colours[v] = -1;
  do {
    left = 0;
    cilk_for (int v = 0; v < n; ++v) {
      unsigned mine = (unsigned)v * 2654435761u;
      chosen[v] = colours[v] < 0;
      for (int e = graph->offsets[v]; e < graph->offsets[v + 1] && chosen[v]; ++e) {
        int other = graph->targets[e];
        chosen[v] = colours[other] >= 0 || (unsigned)other * 2654435761u < mine;
      }
    }
    cilk_for (int v = 0; v < n; ++v) {
      if (colours[v] >= 0)
        continue;
      if (!chosen[v]) {
        __atomic_fetch_add(&left, 1, __ATOMIC_RELAXED);
        continue;
      }
      unsigned long long taken = 0;
      for (int e = graph->offsets[v]; e < graph->offsets[v + 1]; ++e) { // chosen ones are never neighbours
        int other = graph->targets[e];
        if (!chosen[other] && colours[other] >= 0)
          taken |= 1ull << colours[other];
      }
      colours[v] = __builtin_ctzll(~taken);
    }
    ++rounds;
  } while (left);
  return rounds;
}

static Checksum fold_ints(const int *values, int count) {
  Checksum sum = 0;
  for (int i = 0; i < count; ++i)
    sum = fold(sum, (unsigned)values[i]);
  return sum;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1200, pulls = 0, wrong = 0;
  if (n < 16 || n > 20000)
    return 2;
  Graph graph = make_graph(n);
  int *values = malloc((size_t)n * sizeof *values);
  uint64_t *ranks = malloc(2 * (size_t)n * sizeof *ranks);
  unsigned char *chosen = malloc((size_t)n);
  if (!values || !ranks || !chosen)
    return 2;
  printf("%d edges\n", graph.offsets[n]);
  for (int source = 0; source < n; source += n / 3) {
    int depth = search(&graph, source, values, &pulls);
    printf("from %d: %d levels, %d pulls\n", source, depth, pulls);
    report("levels", fold_ints(values, n));
  }
  printf("%d rounds\n", rank(&graph, ranks, ranks + n));
  Checksum sum = 0;
  for (int v = 0; v < n; ++v)
    sum = fold(sum, ranks[v]);
  report("ranks", sum);
  printf("%ld triangles\n", triangles(&graph, values));
  report("triangles", fold_ints(values, n));
  printf("%d rounds to colour\n", colour(&graph, values, chosen));
  report("colours", fold_ints(values, n));
  for (int v = 0; v < n; ++v)
    for (int e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e)
      wrong += values[v] == values[graph.targets[e]];
  printf("wrong: %d\n", wrong);
  free(graph.offsets);
  free(graph.targets);
  free(values);
  free(ranks);
  free(chosen);
  return wrong != 0;
}
