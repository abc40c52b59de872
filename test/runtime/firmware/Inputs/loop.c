// A parallel loop whose iterations spawn nothing.
#include <cilk/cilk.h>
#include <stdio.h>

static unsigned values[5000];

int main(void) {
  cilk_for (int i = 0; i < 5000; ++i)
    values[i] = (unsigned)i * 2654435761u >> 7;
  unsigned sum = 0;
  for (int i = 0; i < 5000; ++i)
    sum = sum * 31 + values[i];
  printf("%u\n", sum);
  return 0;
}
