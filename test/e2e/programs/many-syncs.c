// Tests functions with many syncs under conditions, in loops and in scopes. Their code behind all syncs is one kernel.
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t step(uint64_t x) { return x * 6364136223846793005u + 1442695040888963407u; }
static void add(uint64_t *to, uint64_t value) { *to += value; }

#define FOUR(PART, n) PART((n)) PART((n + 1)) PART((n + 2)) PART((n + 3))
#define SIXTEEN(PART, n) FOUR(PART, n) FOUR(PART, n + 4) FOUR(PART, n + 8) FOUR(PART, n + 12)

// A sync in each branch; the value crosses all of them.
#define BRANCH(k)                                                                                                                \
  if (s % (k + 2)) {                                                                                                             \
    uint64_t v = cilk_spawn step(s + k);                                                                                         \
    cilk_sync;                                                                                                                   \
    s ^= v >> 7;                                                                                                                 \
  }
static uint64_t branches(uint64_t s) {
  SIXTEEN(BRANCH, 0)
  return s;
}

// Two children between syncs, values that are computed before a sync and used behind it, and early returns.
#define PAIR(k)                                                                                                                  \
  if ((s >> (k % 13)) & 1) {                                                                                                     \
    uint64_t before = s * (k + 3), a = cilk_spawn step(s), b = cilk_spawn step(s + 1);                                           \
    uint64_t own = step(before);                                                                                                 \
    cilk_sync;                                                                                                                   \
    s = before + (a ^ own) - b;                                                                                                  \
    if (s % 97 == k)                                                                                                             \
      return s + k;                                                                                                              \
  } else if (s % 3 == 0) {                                                                                                       \
    cilk_spawn add(&sums[k % 4], s);                                                                                             \
    cilk_sync;                                                                                                                   \
    s += sums[k % 4] % 1000;                                                                                                     \
  }
static uint64_t pairs(uint64_t s) {
  uint64_t sums[4] = {0, 1, 2, 3};
  SIXTEEN(PAIR, 0)
  return s ^ sums[0] ^ sums[3];
}

// Syncs in a loop with a switch, which is entered anew from the code behind each sync. The recursion makes many elements.
static uint64_t machine(uint64_t s, int depth) {
  uint64_t part[10] = {0}, total = 0;
  for (int i = 0; i < 6; ++i) {
    switch (s % 10) {
#define CASE(k)                                                                                                                  \
  case k:                                                                                                                        \
    part[k] = cilk_spawn machine(step(s + k), depth - 1);                                                                        \
    if (k % 2)                                                                                                                   \
      cilk_spawn add(&total, s % (k + 5));                                                                                       \
    cilk_sync;                                                                                                                   \
    total += part[k] % 1009 + k;                                                                                                 \
    if (k == 3)                                                                                                                  \
      continue;                                                                                                                  \
    break;
      case 9:
        if (depth <= 0)
          return total + s % 31;
        CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7)
      default:
        total += s % 7;
    }
    if (depth <= 0)
      return total + i;
    s = step(s);
  }
  return total;
}

int main(void) {
  uint64_t a[300], b[300];
  cilk_for (int i = 0; i < 300; ++i) {
    a[i] = branches(i * 7919);
    b[i] = pairs(step(i));
  }
  uint64_t x = 0, y = 0;
  for (int i = 0; i < 300; ++i) {
    x = x * 31 + a[i];
    y = y * 31 + b[i];
  }
  printf("%016llx %016llx\n", (unsigned long long)x, (unsigned long long)y);
  for (int i = 0; i < 4; ++i)
    printf("%llu\n", (unsigned long long)machine(i + 1, 2));
}
