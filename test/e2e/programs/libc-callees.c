// Spawns of library functions, which were compiled elsewhere: conversions, a sort and a search with callbacks, and
// functions that Clang otherwise computes or replaces.
// Link: -lm
#define _XOPEN_SOURCE 700 // a64l
#include "checksum.h"
#include <cilk/cilk.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static long library(int n) {
  char text[40], hex[20];
  int values[24], key = n * 37 % 101;
  snprintf(text, sizeof text, "%d is the number", n * 3);
  snprintf(hex, sizeof hex, "%x", n * 5);
  for (int i = 0; i < 24; ++i)
    values[i] = (n + i * 37) % 101;
  long number = cilk_spawn atol(text);
  long other = cilk_spawn a64l(hex);
  int plain = cilk_spawn atoi(text);
  cilk_spawn qsort(values, 24, sizeof values[0], ascending);
  cilk_sync;
  values[0] = -1;
  void *place = cilk_spawn bsearch(&key, values, 24, sizeof values[0], ascending);
  cilk_sync;
  Checksum sum = fold((unsigned long)number, (unsigned long)other);
  sum = fold(sum, (unsigned)plain);
  for (int i = 0; i < 24; ++i)
    sum = fold(sum, (unsigned)values[i]);
  return (long)(fold(sum, place ? (unsigned long)((int *)place - values) : 99) >> 1);
}

__attribute__((const)) static int square(int n);

// Functions that Clang knows, with constant arguments, and without a use of the result.
static double known(int n) {
  char text[40];
  text[39] = 0;
  cilk_spawn memset(text, 'a' + n % 26, sizeof text - 1);
  double sine = cilk_spawn fabs(-2.5);
  float root = cilk_spawn sqrtf(n);
  int positive = cilk_spawn abs(-n);
  long number = cilk_spawn strtol("7f", NULL, 16);
  int nine = cilk_spawn square(3);
  (void)cilk_spawn square(n);
  char *place = cilk_spawn malloc(64);
  cilk_sync;
  memset(place, 0, 64);
  cilk_spawn memcpy(place, text, 39);
  cilk_sync;
  size_t (*measure)(const char *) = strlen;
  size_t length = cilk_spawn strlen(place), again = cilk_spawn measure(text + 20);
  cilk_spawn measure(place);
  cilk_sync;
  double sum = sine + (int)root + positive + number + nine + length + again + place[3];
  free(place);
  return sum;
}

static int square(int n) { return n * n; }

int main(void) {
  Checksum sum = 0;
  for (int n = 0; n < 60; ++n)
    sum = fold(fold(sum, (unsigned long)library(n)), (unsigned long)known(n));
  report("library callees", sum);
  return 0;
}
