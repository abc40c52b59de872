// Tests `x += cilk_spawn f()` and the like: children add to one object in any order, several at once.
#include <stdint.h>
#include <stdio.h>

enum color { red, green = 7 };

static int64_t value(int64_t n) { return n * 2654435761 ^ n << 7; }

// Counts the ways to put queens, written as programs do if spawns may add up.
static long place(unsigned columns, unsigned left, unsigned right, int n) {
  unsigned all = (1u << n) - 1;
  long count = 0;
  if (columns == all)
    return 1;
  for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
    unsigned bit = free & -free;
    count += cilk_spawn place(columns | bit, (left | bit) << 1, (right | bit) >> 1, n);
  }
  cilk_sync;
  return count;
}

struct sums {
  int8_t tiny;
  uint16_t small;
  int32_t plain;
  uint64_t large;
  enum color color;
};

// Every operation, with conversions on both sides, into fields, elements and through pointers.
static void add(struct sums *to, uint32_t *bits, int n) {
  int64_t cells[3] = {1, 2, 3};
  volatile unsigned seen = 0;
  for (int i = 0; i < n; i++) {
    to->tiny += cilk_spawn value(i);
    to->small -= cilk_spawn value(i + 1);
    to->plain += cilk_spawn value(-i);
    to->plain -= cilk_spawn value(i * 3);
    to->large += cilk_spawn value(i * 5);
    to->color ^= cilk_spawn value(i);
    *bits |= 1u << (value(i) & 7);
    cells[i % 3] ^= cilk_spawn value(i + 2);
    seen += cilk_spawn value(i);
  }
  cilk_sync;
  bits[1] &= cilk_spawn value(n);
  bits[2] |= cilk_spawn value(n + 1);
  bits[2] |= cilk_spawn value(n + 3);
  cilk_sync;
  to->large ^= (uint64_t)(cells[0] + 3 * cells[1] + 7 * cells[2]) + seen;
}

// Only where the condition holds, and a sum that is read between syncs.
static long steps(int n) {
  long sum = n;
  for (int i = 0; i < n; i++) {
    if (i % 3)
      sum += cilk_spawn value(i);
    if (i % 8 == 7) {
      cilk_sync;
      sum = sum * 3 + i;
    }
  }
  cilk_sync;
  return sum;
}

// Objects that are atomic by their type, which other tasks may add to in other ways at the same time.
static _Atomic long total;
static struct {
  _Atomic unsigned char bits;
  _Atomic int down;
} atomics;
static long ordered(int n) {
  _Atomic short local = 3;
  for (int i = 0; i < n; i++) {
    total += cilk_spawn value(i);
    total -= cilk_spawn value(i * 3);
    total++;
    atomics.bits |= cilk_spawn value(i);
    atomics.down -= cilk_spawn value(i + 7);
    local += cilk_spawn value(i);
  }
  cilk_sync;
  return total + atomics.bits + atomics.down * 3L + local;
}

int main(void) {
  struct sums sums = {1, 2, 3, 4, green};
  uint32_t bits[3] = {5, 0xffffff, 0};
  add(&sums, bits, 40);
  long count = 0;
  for (int n = 1; n < 8; n++)
    count += cilk_spawn place(0, 0, 0, n);
  cilk_sync;
  printf("%d %d %d %llu %d\n", sums.tiny, sums.small, sums.plain, (unsigned long long)sums.large, (int)sums.color);
  printf("%x %x %x, %ld, %ld\n", bits[0], bits[1], bits[2], count, steps(50));
  printf("%ld\n", ordered(60));
}
