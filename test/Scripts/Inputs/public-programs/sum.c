// Adds up the numbers of a file, writes the sum into the file `out`, and prints a time.
#include <cilk/cilk.h>
#include <stdio.h>
#include <time.h>

static int sum(const int *numbers, int n) {
  if (n < 2)
    return n ? *numbers : 0;
  int left = cilk_spawn sum(numbers, n / 2);
  int right = sum(numbers + n / 2, n - n / 2);
  cilk_sync;
  return left + right;
}

int main(int argc, char **argv) {
  int numbers[100], n = 0;
  FILE *in = fopen(argv[1], "r"), *out = fopen("out", "w");
  while (fscanf(in, "%d", &numbers[n]) == 1)
    n++;
  fprintf(out, "%d\n", sum(numbers, n));
  printf("%d numbers\ntime: %ld\n", n, (long)clock());
  return fclose(out);
}
