// Spawns of library functions, which were compiled elsewhere: conversions, a sort and a search with callbacks.
#define _XOPEN_SOURCE 700 // a64l
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdlib.h>

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

int main(void) {
  Checksum sum = 0;
  for (int n = 0; n < 60; ++n)
    sum = fold(sum, (unsigned long)library(n));
  report("library callees", sum);
  return 0;
}
