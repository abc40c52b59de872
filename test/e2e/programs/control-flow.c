// Spawns in every kind of statement: if and else, switch with fall-through, while, do, for, loops made of goto. Break, continue
// and early returns leave children behind for the implicit sync.
#include "checksum.h"
#include <cilk/cilk.h>

static int branches(int n) {
  int a = 1, b = 2;
  if (n < 2)
    return n + 1;
  if (n % 3 == 0) {
    a = cilk_spawn branches(n - 1);
  } else if (n % 3 == 1) {
    b = cilk_spawn branches(n - 2);
    a = cilk_spawn branches(n - 3 > 0 ? n - 3 : 0);
  } else {
    b = 5;
  }
  cilk_sync;
  return a * 3 + b;
}

static int cases(int n) {
  int a = 0, b = 0, c = 0;
  if (n <= 0)
    return 1;
  switch (n % 5) {
  case 0:
    a = cilk_spawn cases(n - 1);
    // falls through
  case 1:
    b = cilk_spawn cases(n - 2);
    break;
  case 2:
    c = cilk_spawn cases(n - 3);
    // falls through
  case 3:
    return n; // the child of case 2 is waited for here
  default:
    a = 7;
  }
  cilk_sync;
  return a + 2 * b + 3 * c;
}

static unsigned loops(unsigned n) {
  unsigned found[12];
  unsigned count = 0, i = 0;
  if (n == 0)
    return 1;
  while (1) {
    ++i;
    if (i % 2 == 0)
      continue;
    if (i > n || count == 4)
      break;
    found[count++] = cilk_spawn loops(n - i);
  }
  do {
    found[count] = cilk_spawn loops(n / 2);
    ++count;
  } while (count < 3);
  for (unsigned k = n; k > 4 && count < 10; k /= 2) {
    if (k % 3 == 1)
      continue;
    found[count++] = cilk_spawn loops(k / 3);
  }
  cilk_sync;
  unsigned sum = n;
  for (i = 0; i < count; ++i)
    sum = sum * 31 + found[i];
  return sum;
}

static unsigned jumps(unsigned n) {
  unsigned found[8];
  unsigned i = 0, sum = 3;
  if (n < 2)
    return n;
  if (n & 1)
    goto middle; // into a loop: two entries
again:
  found[i] = cilk_spawn jumps(n - 1 - i);
  ++i;
middle:
  if (i < 2) {
    found[i] = cilk_spawn jumps(n / (i + 2));
    ++i;
    if (i < n)
      goto again;
  }
  cilk_sync;
  while (i > 0)
    sum = sum * 17 + found[--i];
  return sum;
}

static int trace[64];

static void note(int at, int value) { trace[at] += value; }

static int early(int n) {
  for (int i = 0; i < n; ++i) {
    cilk_spawn note(i, n);
    if (i * i > n)
      return i; // leaves while children are outstanding
  }
  return -1;
}

int main(void) {
  Checksum sum = 0;
  for (int n = 0; n < 20; ++n) {
    sum = fold(sum, (unsigned)branches(n));
    sum = fold(sum, (unsigned)cases(n));
    sum = fold(sum, (unsigned)early(n));
  }
  report("branches, cases, early", sum);
  sum = 0;
  for (unsigned n = 0; n < 11; ++n) {
    sum = fold(sum, loops(n));
    sum = fold(sum, jumps(n));
  }
  report("loops, jumps", sum);
  sum = 0;
  for (int i = 0; i < 64; ++i)
    sum = fold(sum, (unsigned)trace[i]);
  report("trace", sum);
  return 0;
}
