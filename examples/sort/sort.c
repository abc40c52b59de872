// Sorts n pseudo-random ints the way Cilk's cilksort does. Four parts are sorted in parallel. Then they are merged in
// parallel: first two by two, then all. A merge splits its longer input in the middle and finds the matching position
// in the other input by binary search.
//   sort [n [seed]]   n from 0 to 1000000000, by default 1000000; seed a whole number, by default 1
// Prints a fingerprint of the result, checks that it is in order and holds the same values, and says "ok".
#include <cilk/cilk.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  SortLeaf = 64,      // elements that one task sorts by itself
  MergeLeaf = 2048,   // elements that one task merges by itself
  InsertionLimit = 16 // quicksort leaves parts of fewer elements to insertion sort
};

static void insertion_sort(int *data, long n) {
  for (long i = 1; i < n; ++i) {
    int value = data[i];
    long hole = i;
    for (; hole > 0 && data[hole - 1] > value; --hole)
      data[hole] = data[hole - 1];
    data[hole] = value;
  }
}

static int median(int a, int b, int c) {
  int low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c > high ? high : c;
}

// Sorts in place, without tasks: quicksort, then insertion sort.
static void sort_serially(int *data, long n) {
  while (n > InsertionLimit) {
    int pivot = median(data[0], data[n / 2], data[n - 1]);
    long low = 0, high = n - 1;
    while (low <= high) {
      while (data[low] < pivot)
        ++low;
      while (data[high] > pivot)
        --high;
      if (low <= high) {
        int swapped = data[low];
        data[low++] = data[high];
        data[high--] = swapped;
      }
    }
    sort_serially(data, high + 1);
    data += low;
    n -= low;
  }
  insertion_sort(data, n);
}

static void merge_serially(const int *a, long na, const int *b, long nb, int *out) {
  while (na > 0 && nb > 0) {
    if (*b < *a) {
      *out++ = *b++;
      --nb;
    } else {
      *out++ = *a++;
      --na;
    }
  }
  if (na > 0)
    memcpy(out, a, (size_t)na * sizeof(int));
  if (nb > 0)
    memcpy(out, b, (size_t)nb * sizeof(int));
}

// Returns the number of elements of the ascending data[0 .. n) that are less than `value`.
static long count_less(const int *data, long n, int value) {
  long low = 0;
  while (n > 0) {
    long half = n / 2;
    if (data[low + half] < value) {
      low += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return low;
}

// Merges a[0 .. na) and b[0 .. nb), both ascending, into out.
static void merge(const int *a, long na, const int *b, long nb, int *out) {
  if (na + nb <= MergeLeaf) {
    merge_serially(a, na, b, nb, out);
    return;
  }
  if (na < nb) {
    const int *shorter = a;
    long length = na;
    a = b;
    na = nb;
    b = shorter;
    nb = length;
  }
  long cut_a = na / 2;
  long cut_b = count_less(b, nb, a[cut_a]);
  cilk_spawn merge(a, cut_a, b, cut_b, out);
  cilk_spawn merge(a + cut_a, na - cut_a, b + cut_b, nb - cut_b, out + cut_a + cut_b);
  cilk_sync;
}

// Sorts data[0 .. n); spare has room for as many elements and is overwritten.
static void sort(int *data, int *spare, long n) {
  if (n <= SortLeaf) {
    sort_serially(data, n);
    return;
  }
  long quarter = n / 4;
  long rest = n - 3 * quarter;
  int *b = data + quarter, *c = b + quarter, *d = c + quarter;
  cilk_spawn sort(data, spare, quarter);
  cilk_spawn sort(b, spare + quarter, quarter);
  cilk_spawn sort(c, spare + 2 * quarter, quarter);
  cilk_spawn sort(d, spare + 3 * quarter, rest);
  cilk_sync;
  cilk_spawn merge(data, quarter, b, quarter, spare);
  cilk_spawn merge(c, quarter, d, rest, spare + 2 * quarter);
  cilk_sync;
  cilk_spawn merge(spare, 2 * quarter, spare + 2 * quarter, quarter + rest, data);
  cilk_sync;
}

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

// Returns a sum over mixed values. It is the same for every order of the same values.
static uint64_t multiset(const int *data, long n) {
  uint64_t sum = 0;
  for (long i = 0; i < n; ++i)
    sum += mix((uint64_t)(uint32_t)data[i] + UINT64_C(0x9e3779b97f4a7c15));
  return sum;
}

static uint64_t fingerprint(const int *data, long n) {
  uint64_t hash = 0;
  for (long i = 0; i < n; ++i)
    hash = mix(hash ^ (uint32_t)data[i]) + (uint64_t)i;
  return hash;
}

static long parse(const char *what, const char *text, long low, long high) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (end == text || *end != '\0' || errno == ERANGE || value < low || value > high) {
    fprintf(stderr, "sort: %s must be a whole number from %ld to %ld, not '%s'\n", what, low, high, text);
    exit(1);
  }
  return value;
}

static int *allocate(long n) {
  int *data = malloc((n > 0 ? (size_t)n : 1) * sizeof(int));
  if (!data) {
    fprintf(stderr, "sort: no memory for %ld elements\n", n);
    exit(1);
  }
  return data;
}

int main(int argc, char **argv) {
  if (argc > 3) {
    fprintf(stderr, "usage: sort [n [seed]]\n");
    return 1;
  }
  long n = argc > 1 ? parse("n", argv[1], 0, 1000000000) : 1000000;
  long seed = argc > 2 ? parse("seed", argv[2], 0, 1000000000) : 1;
  int *data = allocate(n), *spare = allocate(n);
  for (long i = 0; i < n; ++i) // about one value in sixteen occurs more than once
    data[i] = (int)(uint32_t)(mix((uint64_t)i * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)seed) % (8 * (uint64_t)n)) -
              (int)(n < 200000000 ? 4 * n : 0);
  uint64_t before = multiset(data, n);
  sort(data, spare, n);
  printf("sort of %ld: fingerprint %016llx\n", n, (unsigned long long)fingerprint(data, n));
  for (long i = 1; i < n; ++i)
    if (data[i - 1] > data[i]) {
      printf("wrong: element %ld is greater than element %ld\n", i - 1, i);
      return 1;
    }
  if (multiset(data, n) != before) {
    printf("wrong: the values are not those that were given\n");
    return 1;
  }
  free(data);
  free(spare);
  printf("ok\n");
  return 0;
}
