// Cilksort of n pseudo-random ints. Four parts are sorted in parallel, and then merged in parallel, first two by two,
// then all. A merge splits its longer input in the middle, and finds the matching position in the other input by binary
// search.
//   sort [n]   from 0 to 1000000000, by default 20000000
#include "../Spawn.h"
#include <stdint.h>
#include <string.h>

enum {
  SortLeaf = 64,      // elements that one task sorts by itself
  MergeLeaf = 2048,   // elements that one task merges by itself
  InsertionLimit = 16 // elements below which quicksort leaves the rest to insertion sort
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
  GROUP;
  SPAWN_VOID(merge, a, cut_a, b, cut_b, out);
  SPAWN_VOID(merge, a + cut_a, na - cut_a, b + cut_b, nb - cut_b, out + cut_a + cut_b);
  SYNC;
}

// Sorts data[0 .. n). `spare` has room for as many elements and is overwritten.
static void sort(int *data, int *spare, long n) {
  if (n <= SortLeaf) {
    sort_serially(data, n);
    return;
  }
  long quarter = n / 4;
  long rest = n - 3 * quarter;
  int *b = data + quarter, *c = b + quarter, *d = c + quarter;
  GROUP;
  SPAWN_VOID(sort, data, spare, quarter);
  SPAWN_VOID(sort, b, spare + quarter, quarter);
  SPAWN_VOID(sort, c, spare + 2 * quarter, quarter);
  SPAWN_VOID(sort, d, spare + 3 * quarter, rest);
  SYNC;
  SPAWN_VOID(merge, data, quarter, b, quarter, spare);
  SPAWN_VOID(merge, c, quarter, d, rest, spare + 2 * quarter);
  SYNC;
  SPAWN_VOID(merge, spare, 2 * quarter, spare + 2 * quarter, quarter + rest, data);
  SYNC;
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

static int is_ascending(const int *data, long n) {
  int ascending = 1;
  for (long i = 1; i < n; ++i)
    ascending &= data[i - 1] <= data[i];
  return ascending;
}

int main(int argc, char **argv) {
  long n = bench_size(argc, argv, 20000000, 0, 1000000000);
  int *data = (int *)malloc(((size_t)n + 1) * sizeof(int)), *spare = (int *)malloc(((size_t)n + 1) * sizeof(int));
  if (!data || !spare)
    return bench_verdict(0);
  for (long i = 0; i < n; ++i)
    data[i] = (int)(uint32_t)mix((uint64_t)i * UINT64_C(0x9e3779b97f4a7c15) + 1);
  uint64_t before = multiset(data, n);
  RUN_VOID(sort, data, spare, n);
  printf("sort of %ld: from %d to %d\n", n, n > 0 ? data[0] : 0, n > 0 ? data[n - 1] : 0);
  int right = is_ascending(data, n) && multiset(data, n) == before;
  free(data);
  free(spare);
  return bench_verdict(right);
}
