// Search of a graph, level by level. The frontier is halved down to single vertices, and a vertex's edges down to short runs. A
// compare-and-swap decides which task reaches a vertex first. Levels, level counts and components do not depend on the order, so
// they are compared, also with a serial search.
//   large-bfs [vertices]   by default 4000
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int vertices;
  long edges;
  long *offsets; // [vertices + 1]
  int *targets;  // [edges]
} Graph;

enum { FewVertices = 16, FewEdges = 24, MaxLevels = 4096 };

static int *frontiers[2];
static int frontier_size; // size of the next frontier
static int *levels; // -1 for a vertex that has not been seen
static int counts[MaxLevels];

static void visit_edges(const int *targets, long count, int *next, int level) {
  if (count > FewEdges) {
    cilk_spawn visit_edges(targets, count / 2, next, level);
    visit_edges(targets + count / 2, count - count / 2, next, level);
    return;
  }
  for (long e = 0; e < count; ++e) {
    int expected = -1, target = targets[e];
    if (__atomic_load_n(&levels[target], __ATOMIC_RELAXED) != -1)
      continue;
    if (__atomic_compare_exchange_n(&levels[target], &expected, level, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      next[__atomic_fetch_add(&frontier_size, 1, __ATOMIC_RELAXED)] = target;
  }
}

static void visit(const Graph *graph, const int *frontier, int size, int *next, int level) {
  if (size > FewVertices) {
    cilk_spawn visit(graph, frontier, size / 2, next, level);
    cilk_spawn visit(graph, frontier + size / 2, size - size / 2, next, level);
    cilk_sync;
    return;
  }
  for (int i = 0; i < size; ++i) {
    long first = graph->offsets[frontier[i]], last = graph->offsets[frontier[i] + 1];
    if (last - first > FewEdges)
      cilk_spawn visit_edges(graph->targets + first, last - first, next, level);
    else
      visit_edges(graph->targets + first, last - first, next, level);
  }
}

static void fill(int *data, int value, long count) {
  if (count <= 256) {
    for (long i = 0; i < count; ++i)
      data[i] = value;
    return;
  }
  cilk_spawn fill(data, value, count / 2);
  fill(data + count / 2, value, count - count / 2);
  cilk_sync;
}

// Computes levels of all vertices that `source` reaches; returns the number of levels.
static int search(const Graph *graph, int source) {
  int level = 0, size = 1;
  cilk_spawn fill(levels, -1, graph->vertices);
  memset(counts, 0, sizeof counts);
  cilk_sync;
  levels[source] = 0;
  frontiers[0][0] = source;
  while (size > 0 && level < MaxLevels - 1) {
    counts[level] = size;
    frontier_size = 0;
    cilk_spawn visit(graph, frontiers[level % 2], size, frontiers[1 - level % 2], level + 1);
    cilk_sync;
    size = frontier_size;
    ++level;
  }
  return level;
}

// Components: every vertex takes the smallest label around it, with an atomic minimum, until nothing changes.
static int lower(int *label, int value) {
  int old = __atomic_load_n(label, __ATOMIC_RELAXED);
  while (value < old)
    if (__atomic_compare_exchange_n(label, &old, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return 1;
  return 0;
}

static long spread(const Graph *graph, int *labels, int low, int high) {
  if (high - low > FewVertices) {
    int middle = low + (high - low) / 2;
    long a, b;
    a = cilk_spawn spread(graph, labels, low, middle);
    b = cilk_spawn spread(graph, labels, middle, high);
    cilk_sync;
    return a + b;
  }
  long changes = 0;
  for (int v = low; v < high; ++v)
    for (long e = graph->offsets[v]; e < graph->offsets[v + 1]; ++e) {
      int mine = __atomic_load_n(&labels[v], __ATOMIC_RELAXED);
      changes += lower(&labels[graph->targets[e]], mine);
      changes += lower(&labels[v], __atomic_load_n(&labels[graph->targets[e]], __ATOMIC_RELAXED));
    }
  return changes;
}

static void components(const Graph *graph, int *labels) {
  long changes;
  for (int v = 0; v < graph->vertices; ++v)
    labels[v] = v;
  do {
    changes = cilk_spawn spread(graph, labels, 0, graph->vertices);
    cilk_sync;
  } while (changes);
}

static unsigned next_random(unsigned *state) { return (*state = *state * 1664525u + 1013904223u) >> 8; }

// A graph of both directions of each edge: some hubs, a long path, and vertices nothing leads to.
static Graph make_graph(int vertices) {
  long pairs = 3L * vertices;
  int *from = malloc((size_t)pairs * sizeof *from), *to = malloc((size_t)pairs * sizeof *to);
  Graph graph = {vertices, 2 * pairs, calloc((size_t)vertices + 2, sizeof(long)),
                 malloc(2 * (size_t)pairs * sizeof(int))};
  if (!from || !to || !graph.offsets || !graph.targets)
    exit(2);
  unsigned state = 3;
  int wide = vertices / 2, path = vertices * 5 / 8; // [0, wide) random, [wide, path) a path, the rest pairs
  for (long e = 0; e < pairs; ++e) {
    if (e < path - wide) {
      from[e] = wide + (int)e;
      to[e] = e ? wide + (int)e - 1 : 0;
    } else if (e % 3) {
      from[e] = (int)(next_random(&state) % (unsigned)wide);
      to[e] = (int)(e % 5 ? next_random(&state) % (unsigned)wide : next_random(&state) % 3);
    } else {
      from[e] = path + (int)(next_random(&state) % (unsigned)(vertices - path));
      to[e] = path + (from[e] - path) / 10 * 10;
    }
    ++graph.offsets[from[e] + 2];
    ++graph.offsets[to[e] + 2];
  }
  for (int v = 2; v <= vertices; ++v)
    graph.offsets[v + 1] += graph.offsets[v];
  for (long e = 0; e < pairs; ++e) { // offsets[v + 1] moves from the start of v's edges to their end
    graph.targets[graph.offsets[from[e] + 1]++] = to[e];
    graph.targets[graph.offsets[to[e] + 1]++] = from[e];
  }
  free(from);
  free(to);
  return graph;
}

// Returns the number of vertices with another level in a serial search.
static int check(const Graph *graph, int source) {
  int *serial = malloc((size_t)graph->vertices * sizeof *serial), *queue = frontiers[0], wrong = 0;
  if (!serial)
    exit(2);
  for (int v = 0; v < graph->vertices; ++v)
    serial[v] = -1;
  serial[source] = 0;
  queue[0] = source;
  for (int head = 0, tail = 1; head < tail; ++head)
    for (long e = graph->offsets[queue[head]]; e < graph->offsets[queue[head] + 1]; ++e)
      if (serial[graph->targets[e]] < 0) {
        serial[graph->targets[e]] = serial[queue[head]] + 1;
        queue[tail++] = graph->targets[e];
      }
  for (int v = 0; v < graph->vertices; ++v)
    wrong += serial[v] != levels[v];
  free(serial);
  return wrong;
}

int main(int argc, char **argv) {
  int vertices = argc > 1 ? atoi(argv[1]) : 4000, wrong = 0;
  if (vertices < 16 || vertices > 8 * MaxLevels)
    return 2;
  Graph graph = make_graph(vertices);
  size_t bytes = (size_t)vertices * sizeof(int);
  int *labels = malloc(bytes);
  frontiers[0] = malloc(bytes);
  frontiers[1] = malloc(bytes);
  levels = malloc(bytes);
  if (!labels || !frontiers[0] || !frontiers[1] || !levels)
    return 2;
  const int sources[] = {0, vertices / 2 + 3, vertices - 1};
  Checksum sum = 0;
  for (int s = 0; s < 3; ++s) {
    int depth = search(&graph, sources[s]);
    printf("from %d: %d levels, sizes", sources[s], depth);
    for (int level = 0; level < depth && level < 8; ++level)
      printf(" %d", counts[level]);
    printf("\n");
    for (int v = 0; v < vertices; ++v)
      sum = fold(sum, (unsigned)levels[v]);
    wrong += check(&graph, sources[s]);
  }
  report("levels", sum);
  components(&graph, labels);
  sum = 0;
  int roots = 0;
  for (int v = 0; v < vertices; ++v) {
    roots += labels[v] == v;
    sum = fold(sum, (unsigned)labels[v]);
  }
  printf("%d components, wrong: %d\n", roots, wrong);
  report("components", sum);
  free(graph.offsets);
  free(graph.targets);
  free(labels);
  free(frontiers[0]);
  free(frontiers[1]);
  free(levels);
  return wrong != 0;
}
