// A task with very many children, far beyond what a channel holds. The argument is their number, by default 3000. Each child
// writes its own element, and some have children themselves.
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdlib.h>

static void child(unsigned *cell, unsigned value) {
  if (value % 64 == 63) {
    unsigned parts[4] = {0, 0, 0, 0};
    for (unsigned i = 0; i < 4; ++i)
      cilk_spawn child(&parts[i], value * 4 / 64 * 64 + i);
    cilk_sync;
    value += parts[0] + parts[1] + parts[2] + parts[3];
  }
  *cell = value * 2654435761u;
}

static unsigned parent(unsigned *cells, unsigned count) {
  unsigned last = 0;
  for (unsigned i = 0; i < count; ++i) {
    cilk_spawn child(&cells[i], i);
    last = i;
  }
  cilk_sync;
  return cells[last];
}

int main(int argc, char **argv) {
  unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 3000;
  unsigned *cells = calloc(count + 1, sizeof *cells);
  if (!cells)
    return 2;
  unsigned last = parent(cells, count);
  Checksum sum = 0;
  for (unsigned i = 0; i < count; ++i)
    sum = fold(sum, cells[i]);
  printf("%u children: %016llx %u\n", count, sum, last);
  free(cells);
  return 0;
}
