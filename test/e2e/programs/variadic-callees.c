// Spawns of variadic functions: each call's arguments have the types of a task of its own.
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct Pair {
  long a;
  double b;
};
enum Kind { Integer, Real, Struct, Row };

// Adds up pairs of a kind and a value.
static double total(int count, ...) {
  va_list list;
  va_start(list, count);
  double sum = 0;
  for (int i = 0; i < count; ++i)
    switch (va_arg(list, enum Kind)) {
    case Integer:
      sum += va_arg(list, int);
      break;
    case Real:
      sum += va_arg(list, double);
      break;
    case Struct: {
      struct Pair pair = va_arg(list, struct Pair);
      sum += pair.a * pair.b;
      break;
    }
    case Row:
      sum += va_arg(list, int *)[1];
    }
  va_end(list);
  return sum;
}

static void discard(int n, ...) { (void)n; }

static long walk(int n) {
  if (n < 2)
    return n + 1;
  char name[24], text[2][64];
  short small = (short)n;
  float half = n * 0.5f;
  struct Pair pair = {n, 1.5};
  int rows[2][n];
  for (int i = 0; i < n; ++i)
    rows[0][i] = rows[1][i] = i * n;
  snprintf(name, sizeof name, "n%d", n);
  int length = cilk_spawn snprintf(text[0], sizeof text[0], "%s %d %.1f %c", name, small, half, 'a' + n % 26);
  cilk_spawn snprintf(text[1], sizeof text[1], n % 2 ? "odd %ld" : "even %ld", n * 3L);
  double sum = cilk_spawn total(4, Integer, small, Struct, pair, Real, half, Row, rows + 1);
  pair.a = small = 0; // the child has its own
  cilk_spawn discard(n);
  long x = cilk_spawn walk(n - 1);
  long y = walk(n - 2);
  cilk_sync;
  Checksum mix = fold((unsigned)length, (unsigned long)(sum * 4));
  for (int i = 0; i < 2; ++i)
    for (const char *c = text[i]; *c; ++c)
      mix = fold(mix, (unsigned char)*c);
  return (long)(mix >> 20) + x + y * 3;
}

int main(void) {
  for (int i = 0; i < 3; ++i) {
    cilk_spawn printf("line %d of %s\n", i, "three");
    cilk_sync;
  }
  report("variadic", (unsigned long)walk(13));
  return 0;
}
