// A k-d tree of points in three dimensions. Tasks build it, allocate its nodes, reduce it to bounding boxes bottom up, search it
// for nearest neighbours and ranges, and free it.
//   large-kdtree [points]   by default 3000
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdlib.h>

enum { Dimensions = 3, LeafPoints = 6 };

typedef struct {
  int at[Dimensions];
  int id;
} Point;

typedef struct {
  int low[Dimensions], high[Dimensions];
} Box;

typedef struct Node {
  struct Node *left, *right; // null in nodes without children
  Point *points; // of nodes without children
  int count;
  int axis, split; // of inner nodes: left has at[axis] <= split, right >= split
  Box box;
} Node;

typedef struct {
  long distance; // squared
  int id;
} Nearest;

static int points_in_leaves;

static void swap(Point *a, Point *b) {
  Point t = *a;
  *a = *b;
  *b = t;
}

// Puts the point of rank k at its place, smaller ones before it, larger ones behind it.
static void nth(Point *points, int count, int k, int axis) {
  int low = 0, high = count - 1;
  while (low < high) {
    int pivot = points[low + (high - low) / 2].at[axis], i = low, j = high;
    while (i <= j) {
      while (points[i].at[axis] < pivot)
        ++i;
      while (points[j].at[axis] > pivot)
        --j;
      if (i <= j)
        swap(&points[i++], &points[j--]);
    }
    if (k <= j)
      high = j;
    else if (k >= i)
      low = i;
    else
      return;
  }
}

static Box box_of(const Point *points, int count) {
  Box box;
  for (int d = 0; d < Dimensions; ++d) {
    box.low[d] = box.high[d] = points[0].at[d];
    for (int i = 1; i < count; ++i) {
      int value = points[i].at[d];
      box.low[d] = value < box.low[d] ? value : box.low[d];
      box.high[d] = value > box.high[d] ? value : box.high[d];
    }
  }
  return box;
}

static Node *build(Point *points, int count, int depth) {
  Node *node = calloc(1, sizeof *node);
  if (!node)
    exit(2);
  node->count = count;
  if (count <= LeafPoints) {
    node->points = points;
    node->box = box_of(points, count);
    __atomic_fetch_add(&points_in_leaves, count, __ATOMIC_RELAXED);
    return node;
  }
  node->axis = depth % Dimensions;
  nth(points, count, count / 2, node->axis);
  node->split = points[count / 2].at[node->axis];
  node->left = cilk_spawn build(points, count / 2, depth + 1);
  node->right = cilk_spawn build(points + count / 2, count - count / 2, depth + 1);
  cilk_sync;
  for (int d = 0; d < Dimensions; ++d) {
    const Box *a = &node->left->box, *b = &node->right->box;
    node->box.low[d] = a->low[d] < b->low[d] ? a->low[d] : b->low[d];
    node->box.high[d] = a->high[d] > b->high[d] ? a->high[d] : b->high[d];
  }
  return node;
}

static int height(const Node *node) {
  if (!node->left)
    return 1;
  int a = cilk_spawn height(node->left);
  int b = height(node->right);
  cilk_sync;
  return 1 + (a > b ? a : b);
}

static long squared_distance(const Point *a, const Point *b) {
  long sum = 0;
  for (int d = 0; d < Dimensions; ++d)
    sum += (long)(a->at[d] - b->at[d]) * (a->at[d] - b->at[d]);
  return sum;
}

static Nearest closer(Nearest a, Nearest b) {
  return a.distance < b.distance || (a.distance == b.distance && a.id < b.id) ? a : b;
}

// The nearest other point; serial recursion in one task for each query.
static Nearest nearest(const Node *node, const Point *query, Nearest best) {
  if (!node->left) {
    for (int i = 0; i < node->count; ++i)
      if (node->points[i].id != query->id)
        best = closer(best, (Nearest){squared_distance(&node->points[i], query), node->points[i].id});
    return best;
  }
  long apart = (long)query->at[node->axis] - node->split;
  best = nearest(apart < 0 ? node->left : node->right, query, best);
  if (apart * apart <= best.distance)
    best = nearest(apart < 0 ? node->right : node->left, query, best);
  return best;
}

// Finds the nearest neighbours of all points below `node`, in parallel.
static void all_nearest(const Node *root, const Node *node, Nearest *result) {
  if (node->left) {
    cilk_spawn all_nearest(root, node->left, result);
    all_nearest(root, node->right, result);
    return;
  }
  for (int i = 0; i < node->count; ++i)
    result[node->points[i].id] = cilk_spawn nearest(root, &node->points[i], (Nearest){1L << 60, -1});
}

// 0: apart, 1: they overlap, 2: `inner` is inside of `outer`.
static int relation(const Box *inner, const Box *outer) {
  int inside = 1;
  for (int d = 0; d < Dimensions; ++d) {
    if (inner->high[d] < outer->low[d] || inner->low[d] > outer->high[d])
      return 0;
    inside &= inner->low[d] >= outer->low[d] && inner->high[d] <= outer->high[d];
  }
  return 1 + inside;
}

static long count_range(const Node *node, Box range) {
  int how = relation(&node->box, &range);
  if (how != 1)
    return how == 2 ? node->count : 0;
  if (!node->left) {
    long found = 0;
    for (int i = 0; i < node->count; ++i) {
      Box point = box_of(&node->points[i], 1);
      found += relation(&point, &range) == 2;
    }
    return found;
  }
  long left, right;
  left = cilk_spawn count_range(node->left, range);
  right = cilk_spawn count_range(node->right, range);
  cilk_sync;
  return left + right;
}

static void free_nodes(Node *node) {
  if (node->left) {
    cilk_spawn free_nodes(node->left);
    cilk_spawn free_nodes(node->right);
  }
  cilk_sync;
  free(node);
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 3000, wrong = 0;
  if (count < 2)
    return 2;
  Point *points = malloc((size_t)count * sizeof *points), *by_id = malloc((size_t)count * sizeof *by_id);
  Nearest *found = malloc((size_t)count * sizeof *found);
  if (!points || !by_id || !found)
    return 2;
  unsigned state = 7;
  for (int i = 0; i < count; ++i) {
    for (int d = 0; d < Dimensions; ++d) {
      state = state * 1664525u + 1013904223u;
      points[i].at[d] = (int)(state >> 20);
    }
    points[i].id = i;
    by_id[i] = points[i];
  }
  Node *tree = build(points, count, 0);
  wrong += points_in_leaves != count;
  printf("height %d\n", height(tree));
  all_nearest(tree, tree, found);
  Checksum sum = 0;
  for (int i = 0; i < count; ++i)
    sum = fold(fold(sum, (unsigned)found[i].id), (unsigned long)found[i].distance);
  report("nearest", sum);
  for (int i = 0; i < count; i += count / 20 + 1) { // compare some with all points
    Nearest best = {1L << 60, -1};
    for (int k = 0; k < count; ++k)
      if (k != i)
        best = closer(best, (Nearest){squared_distance(&by_id[k], &by_id[i]), k});
    wrong += best.id != found[i].id;
  }
  sum = 0;
  for (int i = 0; i < 30; ++i) {
    Box range = {{i * 50, i * 70, 0}, {i * 50 + 1500, i * 70 + 900, 4000 - i * 90}};
    long inside = count_range(tree, range), expected = 0;
    for (int k = 0; k < count; ++k) {
      Box point = box_of(&by_id[k], 1);
      expected += relation(&point, &range) == 2;
    }
    wrong += inside != expected;
    sum = fold(sum, (unsigned long)inside);
  }
  report("ranges", sum);
  free_nodes(tree);
  free(points);
  free(by_id);
  free(found);
  printf("wrong: %d\n", wrong);
  return wrong != 0;
}
