// Tests reducers: lists come out in serial order, from spawned tasks, loops, plain calls, ordinary functions and `main`.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void *__hyper_lookup(void *key, size_t size, void (*identity)(void *), void (*reduce)(void *, void *));
void __cilkrts_reducer_register(void *key, size_t size, void (*identity)(void *), void (*reduce)(void *, void *));
void __cilkrts_reducer_unregister(void *key);

typedef struct {
  int n, cap;
  int *v;
} List;
static void id(void *p) { memset(p, 0, sizeof(List)); }
static void push(List *l, int x) {
  if (l->n == l->cap) {
    l->cap = l->cap ? 2 * l->cap : 4;
    l->v = (int *)realloc(l->v, l->cap * sizeof(int));
  }
  l->v[l->n++] = x;
}
static void red(void *a, void *b) {
  List *l = (List *)a, *r = (List *)b;
  for (int i = 0; i < r->n; ++i)
    push(l, r->v[i]);
  free(r->v);
}
List global;
long sum = 100;
static void sid(void *p) { *(long *)p = 0; }
static void sred(void *a, void *b) { *(long *)a += *(long *)b; }
#define L (*(List *)__hyper_lookup(&global, sizeof(List), id, red))
#define S (*(long *)__hyper_lookup(&sum, sizeof(long), sid, sred))
__attribute__((noinline)) void ordinary(int x) {
  push(&L, x);
  S += x;
}
static void walk(int lo, int hi) {
  if (hi - lo <= 1) {
    push(&L, lo);
    S += lo;
    return;
  }
  int mid = lo + (hi - lo) / 3 + ((hi - lo) < 3);
  push(&L, -lo);
  cilk_spawn walk(lo, mid);
  push(&L, 100000 + mid);
  cilk_spawn walk(mid, hi);
  ordinary(7);
  cilk_sync;
  push(&L, 200000 + hi);
}
static long local(int n) {
  List own;
  memset(&own, 0, sizeof own);
  push(&own, 42);
  __cilkrts_reducer_register(&own, sizeof own, id, red);
  cilk_for(int i = 0; i < n; ++i) {
    push((List *)__hyper_lookup(&own, sizeof own, id, red), i);
    if (i % 5 == 0)
      push(&L, 300000 + i);
  }
  List *l = (List *)__hyper_lookup(&own, sizeof own, id, red);
  long h = 0;
  for (int i = 0; i < l->n; ++i)
    h = h * 31 + l->v[i] + i;
  __cilkrts_reducer_unregister(&own);
  free(own.v);
  return h;
}
static long both(int n) {
  long a = cilk_spawn local(n);
  long b = cilk_spawn local(n + 3);
  walk(0, n);
  cilk_sync;
  return a * 3 + b;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 60;
  push(&L, 1);
  walk(0, n);
  push(&L, 2);
  long h = both(n);
  cilk_spawn walk(5, n / 2);
  push(&L, 3);
  ordinary(8);
  cilk_spawn walk(7, n / 3);
  push(&L, 4);
  walk(1, 9);
  push(&L, 5);
  cilk_sync;
  push(&L, 6);
  unsigned long x = 0;
  for (int i = 0; i < global.n; ++i)
    x = x * 1000003 + global.v[i];
  printf("%d %lx %ld %lx\n", global.n, x, sum, h);
}
