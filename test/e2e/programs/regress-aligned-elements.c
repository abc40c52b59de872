// Structs by value with a stricter alignment than their members. Elements of channels need not have it, but arguments of a serial
// elision do.
#include "checksum.h"
#include <cilk/cilk.h>

typedef struct {
  _Alignas(64) unsigned long cell[8];
} Line;

static unsigned long mix(Line line, int n) {
  if (n == 0)
    return line.cell[0] * 3 + line.cell[7];
  Line next = line;
  for (int i = 0; i < 8; ++i)
    next.cell[i] += line.cell[(i + 1) % 8] ^ (unsigned long)n;
  unsigned long part[3];
  for (int i = 0; i < 3; ++i) {
    next.cell[i] ^= (unsigned long)i + 1;
    part[i] = cilk_spawn mix(next, n - 1);
  }
  cilk_sync;
  return part[0] + 5 * part[1] + 7 * part[2] + ((unsigned long)&next & 63);
}

int main(void) {
  Line line = {{1, 2, 3, 4, 5, 6, 7, 8}};
  Checksum sum = 0;
  for (int n = 0; n < 7; ++n)
    sum = fold(sum, mix(line, n));
  report("lines", sum);
  return 0;
}
