// A program for debuggers: tasks without a result, pointers, scopes inside of loops, and a cilk_for.
#include <stdio.h>

static void sort(int *first, int *last) {
  if (last - first < 2)
    return;
  int pivot = first[(last - first) / 2];
  int *low = first, *high = last - 1;
  while (low <= high) {
    while (*low < pivot)
      ++low;
    while (*high > pivot)
      --high;
    if (low <= high) {
      int swapped = *low;
      *low++ = *high;
      *high-- = swapped;
    }
  }
  cilk_spawn sort(first, high + 1);
  sort(low, last);
  cilk_sync;
  long length = last - first;
  if (length < 0)
    printf("never\n");
}

int main(void) {
  int values[] = {5, 3, 8, 1, 9, 2, 7, 4}, sums[8];
  sort(values, values + 8);
  int offset = 10;
  cilk_for (int i = 0; i < 8; ++i) {
    int doubled = 2 * values[i];
    sums[i] = doubled + offset;
  }
  for (int i = 0; i < 8; ++i)
    printf("%d %d\n", values[i], sums[i]);
  return 0;
}
