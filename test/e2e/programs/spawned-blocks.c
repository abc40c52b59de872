// Tests that spawned blocks, statements and expressions run as tasks. They have locals, loops, spawns and syncs of their
// own, use variables of the function around them, and stand in loops, in cilk_for and in main.
#include <stdio.h>
#include <stdlib.h>

static int fib(int n) {
  if (n < 2)
    return n;
  int x = 0, y = 0;
  cilk_spawn { x = fib(n - 1); }
  cilk_spawn y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static void squares(long *a, int n) {
  for (int i = 0; i < n; ++i)
    cilk_spawn {
      long sum = 0;
      for (int k = 0; k < i; ++k)
        sum += 2 * k + 1;
      a[i] = sum;
    }
}

static long nested(int depth) {
  long left = 0, right = 0, both = 0;
  if (depth == 0)
    return 1;
  cilk_spawn {
    cilk_spawn left = nested(depth - 1);
    right = nested(depth - 1);
    cilk_sync;
    both = left + right;
  }
  cilk_sync;
  return both;
}

static void statements(int *a, int n) {
  cilk_spawn for (int i = 0; i < n; ++i)
    a[i] += i;
  cilk_spawn if (n > 4) { a[n] = 7; }
  cilk_spawn a[n + 1]++;
  cilk_spawn a[n + 2] -= n;
  cilk_spawn n > 2 ? (void)(a[n + 3] = 5) : (void)(a[n + 3] = 6);
  cilk_spawn (void)(a[n + 4] = fib(5));
  cilk_sync;
}

#define SPAWN(body) cilk_spawn { body; }
#define GO cilk_spawn

static int macros(int n) {
  int a = 0, b = 0;
  SPAWN(a = fib(n))
  GO { b = fib(n - 1); }
  cilk_sync;
  return a * 100 + b;
}

static void inLoop(long *sums, int n) {
  cilk_for (int i = 0; i < n; ++i) {
    long first = 0, second = 0;
    cilk_spawn { first = fib(i); }
    second = fib(i + 1);
    cilk_sync;
    sums[i] = first + second;
  }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10;
  long a[40];
  int b[16] = {0}, local = 3;
  squares(a, 40);
  for (int i = 0; i < 40; ++i)
    printf("%ld ", a[i]);
  statements(b, 8);
  for (int i = 0; i < 16; ++i)
    printf("%d ", b[i]);
  printf("%d %ld %d\n", fib(n), nested(7), macros(8));
  inLoop(a, 12);
  cilk_spawn { local += fib(9); }
  cilk_sync;
  cilk_spawn cilk_for (int i = 0; i < 40; ++i) a[i] = i * local;
  cilk_sync;
  for (int i = 12; i < 40; ++i)
    printf("%ld ", a[i]);
  printf("\n");
  return 0;
}
