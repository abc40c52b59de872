// Geometry by divide and conquer, with structs by value as arguments and results. Closest pair of points (sorted by x, merged by
// y), convex hull by quickhull and by merging hulls, and the length of a line that intervals cover.
//   large-plane [points]   by default 4000
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int x, y;
} Point;

typedef struct {
  Point a, b;
  long distance; // squared; -1: no pair
} Pair;

typedef struct {
  Point *first;
  long count;
} Chain;

static int by_x(const void *a, const void *b) {
  const Point *p = a, *q = b;
  return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

static Pair pair_of(Point a, Point b) {
  long dx = a.x - b.x, dy = a.y - b.y;
  return by_x(&a, &b) < 0 ? (Pair){a, b, dx * dx + dy * dy} : (Pair){b, a, dx * dx + dy * dy};
}

static Pair closer(Pair p, Pair q) {
  if (p.distance < 0 || q.distance < 0)
    return p.distance < 0 ? q : p;
  if (p.distance != q.distance)
    return p.distance < q.distance ? p : q;
  int order = by_x(&p.a, &q.a);
  return order < 0 || (order == 0 && by_x(&p.b, &q.b) <= 0) ? p : q;
}

static void merge_by_y(const Point *a, const Point *a_end, const Point *b, const Point *b_end, Point *out) {
  while (a < a_end || b < b_end)
    *out++ = b == b_end || (a < a_end && a->y <= b->y) ? *a++ : *b++;
}

// Returns the closest pair of points [0, n). They are sorted by x before and by y afterwards; `scratch` has room for n.
static Pair closest(Point *points, Point *scratch, long n) {
  Pair best = {.distance = -1};
  if (n <= 3) {
    for (long i = 0; i < n; ++i)
      for (long j = i + 1; j < n; ++j)
        best = closer(best, pair_of(points[i], points[j]));
    for (long i = 1; i < n; ++i)
      for (long j = i; j > 0 && points[j].y < points[j - 1].y; --j) {
        Point t = points[j];
        points[j] = points[j - 1];
        points[j - 1] = t;
      }
    return best;
  }
  long half = n / 2, near = 0;
  int x = points[half].x;
  Pair left, right;
  left = cilk_spawn closest(points, scratch, half);
  right = cilk_spawn closest(points + half, scratch + half, n - half);
  cilk_sync;
  best = closer(left, right);
  merge_by_y(points, points + half, points + half, points + n, scratch);
  memcpy(points, scratch, (size_t)n * sizeof *points);
  for (long i = 0; i < n; ++i) { // candidates around the line, by y, in scratch
    long dx = points[i].x - x;
    if (dx * dx > best.distance)
      continue;
    for (long k = near - 1; k >= 0; --k) {
      long dy = points[i].y - scratch[k].y;
      if (dy * dy > best.distance)
        break;
      best = closer(best, pair_of(points[i], scratch[k]));
    }
    scratch[near++] = points[i];
  }
  return best;
}

// Twice the area of the triangle a b c; positive if c is left of a to b.
static long area(Point a, Point b, Point c) {
  return (long)(b.x - a.x) * (c.y - a.y) - (long)(b.y - a.y) * (c.x - a.x);
}

static Point farthest(const Point *points, long n, Point a, Point b) {
  if (n > 128) {
    Point p, q;
    p = cilk_spawn farthest(points, n / 2, a, b);
    q = farthest(points + n / 2, n - n / 2, a, b);
    cilk_sync;
    long difference = area(a, b, p) - area(a, b, q);
    return difference > 0 || (difference == 0 && by_x(&p, &q) <= 0) ? p : q;
  }
  Point best = points[0];
  for (long i = 1; i < n; ++i) {
    long difference = area(a, b, points[i]) - area(a, b, best);
    if (difference > 0 || (difference == 0 && by_x(&points[i], &best) < 0))
      best = points[i];
  }
  return best;
}

// Returns the hull's points strictly left of a to b, from a to b, in memory of its own. `points` are the points left of this
// line.
static Chain quickhull(Point *points, long n, Point a, Point b) {
  Chain chain = {NULL, 0};
  if (n == 0)
    return chain;
  Point top;
  top = cilk_spawn farthest(points, n, a, b);
  cilk_sync;
  Point *outer[2] = {malloc((size_t)n * sizeof *points), malloc((size_t)n * sizeof *points)};
  long counts[2] = {0, 0};
  if (!outer[0] || !outer[1])
    exit(2);
  for (long i = 0; i < n; ++i)
    if (area(a, top, points[i]) > 0)
      outer[0][counts[0]++] = points[i];
    else if (area(top, b, points[i]) > 0)
      outer[1][counts[1]++] = points[i];
  Chain parts[2];
  parts[0] = cilk_spawn quickhull(outer[0], counts[0], a, top);
  parts[1] = cilk_spawn quickhull(outer[1], counts[1], top, b);
  cilk_sync;
  free(outer[0]);
  free(outer[1]);
  chain.count = parts[0].count + 1 + parts[1].count;
  chain.first = malloc((size_t)chain.count * sizeof *chain.first);
  if (!chain.first)
    exit(2);
  for (long i = 0; i < parts[0].count; ++i)
    chain.first[i] = parts[0].first[i];
  chain.first[parts[0].count] = top;
  for (long i = 0; i < parts[1].count; ++i)
    chain.first[parts[0].count + 1 + i] = parts[1].first[i];
  free(parts[0].first);
  free(parts[1].first);
  return chain;
}

// The same chain for points sorted by x: upper hulls of both halves, then points that turn left are dropped.
static long upper_hull(const Point *points, long n, Point *out) {
  if (n == 1) {
    out[0] = points[0];
    return 1;
  }
  long half = n / 2, left, right, kept;
  Point *second = out + half;
  left = cilk_spawn upper_hull(points, half, out);
  right = cilk_spawn upper_hull(points + half, n - half, second);
  cilk_sync;
  kept = left;
  for (long i = 0; i < right; ++i) {
    while (kept >= 2 && area(out[kept - 2], out[kept - 1], second[i]) >= 0)
      --kept;
    out[kept++] = second[i];
  }
  return kept;
}

// Length covered by intervals [low[i], high[i]] within [from, to), by halving that range.
static long covered(const Point *intervals, long n, long from, long to) {
  for (long i = 0; i < n; ++i)
    if (intervals[i].x <= from && intervals[i].y >= to)
      return to - from;
  if (n == 0 || to - from == 1)
    return 0;
  Point *inside = malloc((size_t)n * sizeof *inside);
  long middle = from + (to - from) / 2, count = 0, first, second;
  if (!inside)
    exit(2);
  for (long i = 0; i < n; ++i)
    if (intervals[i].x < to && intervals[i].y > from)
      inside[count++] = intervals[i];
  first = cilk_spawn covered(inside, count, from, middle);
  second = cilk_spawn covered(inside, count, middle, to);
  cilk_sync;
  free(inside);
  return first + second;
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 4000;
  if (n < 2)
    return 2;
  Point *points = malloc(4 * (size_t)n * sizeof *points);
  if (!points)
    return 2;
  Point *sorted = points + n, *scratch = sorted + n, *above = scratch + n;
  unsigned state = 11;
  for (long i = 0; i < n; ++i) {
    int x, y;
    do { // in a disk
      state = state * 1664525u + 1013904223u;
      x = (int)(state >> 12) % 1000003 - 500001;
      state = state * 1664525u + 1013904223u;
      y = (int)(state >> 12) % 1000003 - 500001;
    } while ((long)x * x + (long)y * y > 500000L * 500000L);
    points[i] = (Point){x, y};
  }
  qsort(points, (size_t)n, sizeof *points, by_x);
  memcpy(sorted, points, (size_t)n * sizeof *points);
  Pair pair = closest(sorted, scratch, n);
  Checksum sum = 0;
  for (long i = 0; i < n; ++i)
    sum = fold(sum, (unsigned)sorted[i].y);
  printf("closest: (%d, %d) (%d, %d) %ld\n", pair.a.x, pair.a.y, pair.b.x, pair.b.y, pair.distance);
  report("by y", sum);

  Point first = points[0], last = points[n - 1];
  long count = 0;
  for (long i = 0; i < n; ++i)
    if (area(first, last, points[i]) > 0)
      above[count++] = points[i];
  Chain chain = quickhull(above, count, first, last);
  long kept = upper_hull(points, n, scratch);
  int wrong = kept != chain.count + 2;
  for (long i = 0; i < chain.count && !wrong; ++i)
    wrong += by_x(&chain.first[i], &scratch[i + 1]) != 0;
  sum = 0;
  for (long i = 0; i < kept; ++i)
    sum = fold(fold(sum, (unsigned)scratch[i].x), (unsigned)scratch[i].y);
  printf("hull of %ld points, wrong: %d\n", kept, wrong);
  report("hull", sum);
  for (long i = 0; i < n; ++i) // short intervals
    above[i] = (Point){points[i].x, points[i].x + points[i].y % 97};
  printf("covered: %ld\n", covered(above, n / 8, -600000, 600000));
  free(chain.first);
  free(points);
  return wrong;
}
