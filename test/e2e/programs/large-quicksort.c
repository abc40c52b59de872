// Quicksort in place: serial partition, recursive halves. It sorts plain integers with two and with three parts, and records by a
// key with an index as tie breaker. A selection follows one side. A parallel scan checks the results.
//   large-quicksort [n]   by default 8000
#include "checksum.h"
#include <cilk/cilk.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  short key;
  char name[6];
  unsigned number;
} Record;

static void insertion_sort(int *first, int *last) {
  for (int *i = first; i < last; ++i) {
    int value = *i, *j = i;
    for (; j > first && j[-1] > value; --j)
      *j = j[-1];
    *j = value;
  }
}

static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}

static int median(int a, int b, int c) { return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b); }

// Hoare's partition: the returned position splits [first, last) in two parts, neither empty.
static int *partition(int *first, int *last) {
  int pivot = median(*first, first[(last - first) / 2], last[-1]), *i = first - 1, *j = last;
  for (;;) {
    do
      ++i;
    while (*i < pivot);
    do
      --j;
    while (*j > pivot);
    if (i >= j)
      return j + 1 == last ? j : j + 1;
    swap(i, j);
  }
}

static void quicksort(int *first, int *last) {
  if (last - first <= 8) {
    insertion_sort(first, last);
    return;
  }
  int *middle = partition(first, last);
  cilk_spawn quicksort(first, middle);
  quicksort(middle, last);
  cilk_sync;
}

// Three parts; a loop spawns the left part and goes on with the right one.
static void quicksort3(int *first, int *last) {
  while (last - first > 1) {
    int pivot = first[(last - first) / 2], *low = first, *i = first, *high = last;
    while (i < high)
      if (*i < pivot)
        swap(low++, i++);
      else if (*i > pivot)
        swap(i, --high);
      else
        ++i;
    cilk_spawn quicksort3(first, low);
    first = high;
  }
}

static int before(const Record *a, const Record *b) {
  if (a->key != b->key)
    return a->key < b->key;
  int order = memcmp(a->name, b->name, sizeof a->name);
  return order ? order < 0 : a->number < b->number;
}

static void sort_records(Record *records, long count) {
  if (count < 2)
    return;
  Record pivot = records[count / 2];
  long i = 0, j = count - 1;
  while (i <= j) {
    while (before(&records[i], &pivot))
      ++i;
    while (before(&pivot, &records[j]))
      --j;
    if (i <= j) {
      Record t = records[i];
      records[i++] = records[j];
      records[j--] = t;
    }
  }
  cilk_spawn sort_records(records, j + 1);
  cilk_spawn sort_records(records + i, count - i);
}

// Returns the element of rank k. It sorts only the part that k is in, one child at a time.
static int select_rank(int *first, int *last, long k) {
  if (last - first <= 8) {
    insertion_sort(first, last);
    return first[k];
  }
  int *middle = partition(first, last), result;
  if (k < middle - first)
    result = cilk_spawn select_rank(first, middle, k);
  else
    result = cilk_spawn select_rank(middle, last, k - (middle - first));
  cilk_sync;
  return result;
}

static int is_sorted(const int *first, const int *last) {
  if (last - first <= 64) {
    for (; last - first > 1; ++first)
      if (first[0] > first[1])
        return 0;
    return 1;
  }
  const int *middle = first + (last - first) / 2;
  int left, right;
  left = cilk_spawn is_sorted(first, middle + 1);
  right = cilk_spawn is_sorted(middle, last);
  cilk_sync;
  return left && right;
}

static unsigned next(unsigned *state) { return *state = *state * 1664525u + 1013904223u; }

static void fill(int *data, long n, int kind) {
  unsigned state = 17;
  for (long i = 0; i < n; ++i)
    switch (kind) {
    case 0: // anything
      data[i] = (int)(next(&state) >> 1) - INT_MAX / 2;
      break;
    case 1: // few values
      data[i] = (int)(next(&state) >> 28);
      break;
    case 2: // sorted
      data[i] = (int)i;
      break;
    default: // teeth
      data[i] = (int)(i % 100 * 1000 + i / 100);
    }
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 8000;
  if (n < 1)
    return 2;
  int *a = malloc((size_t)n * sizeof *a), *b = malloc((size_t)n * sizeof *b), *c = malloc((size_t)n * sizeof *c),
      wrong = 0;
  Record *records = calloc((size_t)n, sizeof *records);
  if (!a || !b || !c || !records)
    return 2;
  Checksum sum = 0;
  for (int kind = 0; kind < 4; ++kind) {
    fill(a, n, kind);
    memcpy(b, a, (size_t)n * sizeof *b);
    memcpy(c, a, (size_t)n * sizeof *c);
    quicksort(a, a + n);
    quicksort3(b, b + n);
    wrong += !is_sorted(a, a + n) || memcmp(a, b, (size_t)n * sizeof *a);
    wrong += select_rank(c, c + n, n / 3) != a[n / 3];
    for (long i = 0; i < n; ++i)
      sum = fold(sum, (unsigned)a[i]);
  }
  report("integers", sum);
  unsigned state = 5;
  for (long i = 0; i < n; ++i) {
    records[i].key = (short)(next(&state) >> 26);
    for (int k = 0; k < 5; ++k)
      records[i].name[k] = (char)('a' + (next(&state) >> 16) % 3);
    records[i].number = (unsigned)i;
  }
  sort_records(records, n);
  sum = 0;
  for (long i = 0; i < n; ++i) {
    wrong += i > 0 && !before(&records[i - 1], &records[i]);
    sum = fold(sum, records[i].number);
  }
  report("records", sum);
  printf("wrong: %d\n", wrong);
  free(a);
  free(b);
  free(c);
  free(records);
  return wrong != 0;
}
