// Fibonacci numbers by recursion: a very small Cilk program, which does little more than spawn and sync.
//   fib [n]      n from 0 to 46, by default 30
// Prints fib(n), compares it with a loop's result and says "ok".
#include <cilk/cilk.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { DefaultN = 30, MaxN = 46 }; // fib(47) does not fit into an int

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

static int fib_by_loop(int n) {
  long a = 0, b = 1;
  for (int i = 0; i < n; ++i) {
    long next = a + b;
    a = b;
    b = next;
  }
  return (int)a;
}

static int parse(const char *text, int low, int high) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (end == text || *end != '\0' || errno == ERANGE || value < low || value > high) {
    fprintf(stderr, "fib: n must be a whole number from %d to %d, not '%s'\n", low, high, text);
    exit(1);
  }
  return (int)value;
}

int main(int argc, char **argv) {
  if (argc > 2) {
    fprintf(stderr, "usage: fib [n]\n");
    return 1;
  }
  int n = argc > 1 ? parse(argv[1], 0, MaxN) : DefaultN;
  int result = fib(n);
  printf("fib(%d) = %d\n", n, result);
  int expected = fib_by_loop(n);
  if (result != expected) {
    printf("wrong: fib(%d) is %d\n", n, expected);
    return 1;
  }
  printf("ok\n");
  return 0;
}
