// Tasks with early returns, which run in their parents. Results have several types, and go to locals, elements, fields and
// nowhere. Tasks write through pointers, read structs by value, choose by a switch, and loop, perhaps no times. Spawns are in
// branches and loops, and some are updates.
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdbool.h>

struct pair {
  long first;
  short second;
};

struct wide {
  long values[5];
};

static long total;
static int limits[4] = {0, 3, 1, 2};

static long sum(long n) {
  if (n < 3)
    return limits[n & 3] + n;
  long a = cilk_spawn sum(n - 1);
  long b = cilk_spawn sum(n - 3);
  cilk_sync;
  return 3 * a + b;
}

static bool any(int n, unsigned key) {
  if (n <= 0)
    return key % 3 == 0;
  bool a = cilk_spawn any(n - 1, key * 5 + 1);
  bool b = cilk_spawn any(n - 2, key * 7 + 2);
  cilk_sync;
  return a && !b;
}

static double weigh(struct pair p, double scale) {
  if (p.second <= 0)
    return scale * (double)p.first;
  struct pair less = {p.first + 1, (short)(p.second - 1)}, least = {p.first - 1, (short)(p.second - 2)};
  double results[2];
  results[0] = cilk_spawn weigh(less, scale);
  results[1] = cilk_spawn weigh(least, scale / 2);
  less.first = 1000; // the child has its copy
  cilk_sync;
  return results[0] - results[1] + (double)less.first;
}

static struct pair shape(int n) {
  switch (n) {
  case 0:
    return (struct pair){1, 2};
  case 1:
    return (struct pair){3, 4};
  case -1:
    return (struct pair){5, 6};
  }
  struct pair a = cilk_spawn shape(n - 1), b;
  b = cilk_spawn shape(n - 2);
  cilk_sync;
  return (struct pair){a.first * 2 + b.second, (short)(a.second + b.first)};
}

static struct wide spread(int n, struct wide seed) {
  if (n < 1) {
    seed.values[n + 1] += 7; // its own copy
    return seed;
  }
  struct wide a, b;
  a = cilk_spawn spread(n - 1, seed);
  seed.values[n % 5] ^= n;
  b = cilk_spawn spread(n - 2, seed);
  cilk_sync;
  for (int i = 0; i < 5; ++i)
    a.values[i] = a.values[i] * 3 + b.values[4 - i];
  return a;
}

static void mark(int *from, int n, int depth) {
  if (depth == 0 && n > 0) {
    from[0] = n;
    from[n - 1] += depth + 1;
    return;
  }
  if (n > 1) {
    cilk_spawn mark(from, n / 2, depth - 1);
    cilk_spawn mark(from + n / 2, n - n / 2, depth - 1);
  }
}

static int odd(int n);
static int even(int n) {
  if (!n)
    return 1;
  int r = cilk_spawn odd(n - 1);
  cilk_sync;
  return r + 2;
}

static int odd(int n) {
  if (!n)
    return 0;
  int r = cilk_spawn even(n - 1);
  cilk_sync;
  return r * 2 % 1001;
}

// A loop that may end before its first iteration, in a task that only adds up.
static int steps(int n, int length) {
  if (n > 0) {
    int a = cilk_spawn steps(n - 1, length - 2);
    int b = cilk_spawn steps(n - 2, length - 1);
    cilk_sync;
    return a + b;
  }
  int found = 0;
  for (int i = 0; i < length; ++i)
    found += (length ^ i) % 3 == 1;
  return found;
}

static long halve(long n) {
  if (n < 2)
    return n;
  long sum = 0;
  sum += cilk_spawn halve(n / 2);
  sum += cilk_spawn halve(n - n / 2 - 1);
  cilk_sync;
  return sum + 1;
}

static void visit(const unsigned char *tree, int node, long *depths) {
  if (node >= 63 || tree[node] % 5 == 0) {
    depths[node % 8] = 0;
    return;
  }
  long below[2][8] = {{0}};
  for (int child = 0; child < 2; ++child)
    cilk_spawn visit(tree, 2 * node + 1 + child, below[child]);
  cilk_sync;
  for (int i = 0; i < 8; ++i)
    depths[i] = below[0][i] + below[1][i] + (i == tree[node] % 8);
}

static void unused(int n) {
  if (n < 2)
    return;
  cilk_spawn sum(n); // nobody takes the result
  cilk_spawn unused(n - 1);
  if (n % 2)
    cilk_spawn unused(n - 2);
  else
    total += n; // only the last task on this path has an even number here
}

int main(void) {
  long numbers[8] = {0};
  int marks[100] = {0};
  unsigned char tree[63];
  struct wide seed = {{1, 2, 3, 4, 5}};
  for (int i = 0; i < 63; ++i)
    tree[i] = (unsigned char)(i * 37 + 11);

  long s = cilk_spawn sum(17);
  bool yes = cilk_spawn any(12, 5);
  struct pair p = cilk_spawn shape(11);
  cilk_sync;
  printf("%ld %d %ld %d\n", s, yes, p.first, p.second);
  double w = cilk_spawn weigh((struct pair){3, 12}, 0.5);
  struct wide wide = cilk_spawn spread(9, seed);
  cilk_spawn mark(marks, 100, 5);
  cilk_sync;
  Checksum shares = 0;
  for (int i = 0; i < 5; ++i)
    shares = fold(shares, (unsigned long long)wide.values[i]);
  for (int i = 0; i < 100; ++i)
    shares = fold(shares, (unsigned long long)marks[i]);
  printf("%a\n", w);
  report("shares", shares);
  int e = cilk_spawn even(300), found = cilk_spawn steps(14, 23);
  long h = cilk_spawn halve(5000);
  cilk_spawn visit(tree, 0, numbers);
  cilk_sync;
  printf("%d %d %ld\n", e, found, h);
  Checksum levels = 0;
  for (int i = 0; i < 8; ++i)
    levels = fold(levels, (unsigned long long)numbers[i]);
  report("levels", levels);
  unused(3);
  printf("%ld\n", total);
}
