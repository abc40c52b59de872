// Structs and arrays with a long double before other members: by value, as locals that children know, in frames, as results, in
// arrays, packed. LLVM's size for the long double alone is 16 bytes.
#include <stdio.h>

typedef struct {
  long double v;
  int t;
} S;

typedef struct {
  char c;
  long double v[2];
  short s;
} T;

typedef struct __attribute__((packed)) {
  char c;
  long double v;
  int t;
} P;

__attribute__((noinline)) static int by_value(S s, T t, P p) { return s.t + t.s * 10 + p.t * 100 + (int)(s.v + t.v[1] + p.v); }

static void touch(S *s, int n) {
  s->v += n;
  s->t += 2 * n;
}

static S made(int n) {
  S s = {n, n * 3};
  if (n < 2)
    return s;
  S a = cilk_spawn made(n - 1);
  S b = made(n - 2);
  cilk_sync;
  s.v += a.v - b.v * 0.5L;
  s.t += a.t ^ b.t;
  return s;
}

static int locals(int n) {
  int before = 11;
  S s = {1, 42}, many[3] = {{1, 2}, {3, 4}, {5, 6}};
  int after = 33;
  cilk_spawn touch(&s, n);
  cilk_spawn touch(&many[1], n + 1);
  cilk_sync;
  return s.t + many[0].t * 3 + many[1].t * 5 + many[2].t * 7 + before * 1000 + after * 100000 + (int)(s.v + many[1].v + many[2].v);
}

static int values(int n) {
  S s = {n, n + 1};
  T t = {'t', {n, n * 2.5L}, (short)(n + 2)};
  P p = {'p', n * 0.5L, n + 3};
  int x = cilk_spawn by_value(s, t, p);
  int y = cilk_spawn by_value((S){1, n}, t, p);
  cilk_sync;
  return x * 3 + y;
}

int main(void) {
  for (int n = 0; n < 10; ++n) {
    S s = made(n);
    printf("%d %d %d %.3Lf %d\n", n, values(n), locals(n), s.v, s.t);
  }
}
