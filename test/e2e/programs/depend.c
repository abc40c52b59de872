// Tests `#pragma cilk depend`: ordered spawns run after the earlier siblings with which they conflict. The serial
// elision ignores the pragmas, so every wrong order changes a result.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set(long *to, long value) { *to = value; }
static void mix(const long *from, long *to) { *to = *to * 31 + *from + 7; }
static long twice(const long *from) { return 2 * *from + 1; }
static void scale(long *data, int n, long factor) {
  for (int i = 0; i < n; ++i)
    data[i] = data[i] * factor + i;
}
static void scaleBy(long *data, int n, const long *factor) { scale(data, n, *factor); }
static long total(const long *data, int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 3 + data[i];
  return sum;
}
static long add(long a, long b) { return a + b; }

// Three stages, each with a state of its own.
static long pipeline(int n) {
  long read = 1, parsed = 0, stored = 0, states[3] = {1, 2, 3};
  for (int i = 0; i < n; ++i) {
#pragma cilk depend(out : read) depend(inout : states[0])
    cilk_spawn mix(&states[0], &read);
#pragma cilk depend(in : read) depend(inout : parsed, states[1])
    cilk_spawn mix(&read, &parsed);
    if (i % 3 != 0) {
#pragma cilk depend(in : parsed)
#pragma cilk depend(inout : stored)
      cilk_spawn mix(&parsed, &stored);
    } else
#pragma cilk depend(in : parsed) depend(out : states[0])
      states[0] = cilk_spawn twice(&parsed);
  }
  cilk_sync;
  return read ^ parsed ^ stored ^ states[0];
}

// Sections that overlap in part, at both ends and in the middle.
static long overlaps(int n) {
  enum { kSize = 64 };
  long data[kSize];
  for (int i = 0; i < kSize; ++i)
    data[i] = i;
  uint32_t random = 12345;
  for (int i = 0; i < n; ++i) {
    random = random * 1103515245 + 12345;
    int first = random >> 16 & 63, count = (random >> 8 & 15) + 1;
    count = first + count > kSize ? kSize - first : count;
#pragma cilk depend(inout : data[first : count])
    cilk_spawn scale(data + first, count, i % 5);
  }
  cilk_sync;
  return total(data, kSize);
}

struct node {
  struct node *next;
  long value;
};

// Each node after its predecessor; the walk itself goes on at once.
static long list(int n) {
  struct node *nodes = calloc(n + 1, sizeof *nodes);
  for (int i = 0; i < n; ++i)
    nodes[i].next = &nodes[i * 7 % n];
  nodes[0].value = 5;
  struct node *last = nodes;
  for (int i = 1; i < n; ++i) {
    struct node *node = &nodes[(long)i * 5 % n];
#pragma cilk depend(in : last->value) depend(inout : (*node).value)
    cilk_spawn mix(&last->value, &node->value);
    last = node;
  }
  cilk_sync;
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 3 + nodes[i].value;
  free(nodes);
  return sum;
}

struct large {
  long values[6];
  char tail;
};
static struct large grow(struct large old, int by, double factor) {
  for (int i = 0; i < 6; ++i)
    old.values[i] = old.values[i] * by + (long)(factor * i);
  old.tail += by;
  return old;
}

// Structs by value, function pointers, updates, results that are converted.
static long values(int n) {
  struct large results[4];
  memset(results, 0, sizeof results);
  struct large seed = {{1, 2, 3, 4, 5, 6}, 'a'};
  struct large (*through)(struct large, int, double) = grow;
  long sum = 0;
  float number = 0;
  short narrow = 0;
  for (int i = 0; i < n; ++i) {
    seed.values[i % 6] += i;
#pragma cilk depend(out : results[i % 4])
    results[i % 4] = cilk_spawn grow(seed, i, 1.5);
    if (i % 2)
#pragma cilk depend(out : results[i % 4].tail, results[i % 4].values)
      results[i % 4] = cilk_spawn through(seed, i + 1, 2.5);
#pragma cilk depend(in : results) depend(inout : sum)
    sum += cilk_spawn total(results[i % 4].values, 6);
#pragma cilk depend(in : sum) depend(out : number)
    number = cilk_spawn twice(&sum);
#pragma cilk depend(out : narrow) depend(in : sum, number)
    narrow = (short)cilk_spawn twice(&sum);
#pragma cilk depend(in : sum)
    cilk_spawn twice(&sum); // unused result
  }
  cilk_sync;
  return sum ^ narrow ^ (long)(number > 0) ^ total(results[1].values, 6);
}

// Blocks end before the sync; arguments keep the values that they had at the spawn.
static long blocks(int n) {
  long sum = 0, last = 0;
  for (int i = 0; i < n; ++i) {
    long copy = i * 3;
    int index = i;
#pragma cilk depend(inout : sum) depend(in : last)
    cilk_spawn mix(&last, &sum);
#pragma cilk depend(out : last)
    cilk_spawn set(&last, copy + index++);
    copy = index = -1;
    if (i == n / 2)
      cilk_sync;
  }
  cilk_sync;
  return sum ^ last;
}

// Ordered spawns beside spawns without an order.
static long beside(int n) {
  long ordered = 1, free[16] = {0};
  for (int i = 0; i < n; ++i) {
    free[i % 16] = cilk_spawn add(i, 1);
#pragma cilk depend(inout : ordered)
    ordered = cilk_spawn twice(&ordered);
    if (i % 16 == 15)
      cilk_sync;
  }
  cilk_sync;
  return total(free, 16) ^ ordered;
}

static long bodies(int n) {
  long *results = calloc(n, sizeof *results);
  cilk_for(int i = 0; i < n; ++i) {
    long a = i, b = 2;
#pragma cilk depend(inout : a)
    cilk_spawn mix(&a, &a);
#pragma cilk depend(in : a) depend(inout : b)
    cilk_spawn mix(&a, &b);
    if (i % 4 == 3)
      continue;
#pragma cilk depend(in : b) depend(out : results[i])
    results[i] = cilk_spawn twice(&b);
  }
  long sum = total(results, n);
  free(results);
  return sum;
}

// More ordered spawns than a frame keeps at a time.
static long many(int n) {
  long cells[37] = {0};
  for (int i = 0; i < n; ++i) {
#pragma cilk depend(in : cells[i % 31]) depend(inout : cells[i % 37])
    cilk_spawn mix(&cells[i % 31], &cells[i % 37]);
  }
  cilk_sync;
  return total(cells, 37);
}

// Every level of the recursion has ordered spawns.
static void fib(int n, long *result) {
  if (n < 2) {
    *result = n;
    return;
  }
  long x, y;
#pragma cilk depend(out : x)
  cilk_spawn fib(n - 1, &x);
#pragma cilk depend(out : y)
  cilk_spawn fib(n - 2, &y);
#pragma cilk depend(in : x, y) depend(out : *result)
  cilk_spawn set(result, 0);
#pragma cilk depend(in : x) depend(inout : *result)
  cilk_spawn mix(&x, result);
#pragma cilk depend(in : y) depend(inout : *result)
  cilk_spawn mix(&y, result);
}

static int scoped(int n) {
  long a = 1, b = 1;
  for (int i = 0; i < n; ++i) {
    cilk_scope {
#pragma cilk depend(inout : a)
      cilk_spawn mix(&b, &a);
      if (i == 3)
        continue;
#pragma cilk depend(in : a) depend(inout : b)
      cilk_spawn mix(&a, &b);
      if (i == 7)
        break;
    }
    b ^= a;
  }
  if (a == 0)
    return 1;
  return (int)(a ^ b);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20;
  long result;
  fib(n < 12 ? n : 12, &result);
  printf("%ld\n", result);
  printf("%ld\n%ld\n%ld\n", pipeline(n), overlaps(10 * n), list(n + 1));
  printf("%ld\n%ld\n", values(n), blocks(n));
  printf("%ld\n%ld\n%d\n", beside(n), bodies(n), scoped(n));
  printf("%ld\n", many(n > 30 ? 150000 : 100));
}
