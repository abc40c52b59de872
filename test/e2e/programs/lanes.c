// Link: -lm
// Kernels whose lanes diverge: loops that end early, switches, division, bytes and words in memory, local arrays,
// library calls, atomics. Results are folded in every possible way.
#include <cilk/cilk.h>
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t bytes[4096];
static int16_t words[4096];
static atomic_long visits;
static _Atomic unsigned tickets;
static uint32_t claimed[1 << 16];

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 31)) * UINT64_C(0x9e3779b97f4a7c15);
  return x ^ (x >> 29);
}

static uint64_t digits(uint64_t n, unsigned base) {
  uint64_t sum = 0;
  for (;; n /= base) {
    if (n == 0)
      break;
    if (n % 5 == 3)
      continue;
    sum = sum * 31 + n % base;
  }
  return sum;
}

static uint64_t local(uint64_t seed) {
  uint16_t table[24];
  for (int i = 0; i < 24; ++i)
    table[i] = (uint16_t)(seed >> (i % 40));
  for (int i = 1; i < 24; ++i)
    for (int j = i; j > 0 && table[j - 1] > table[j]; --j) {
      uint16_t t = table[j];
      table[j] = table[j - 1];
      table[j - 1] = t;
    }
  uint64_t result = 0;
  for (int i = 0; i < 24; ++i)
    result = result * 3 + table[i];
  return result;
}

static uint64_t work(uint64_t seed) {
  uint64_t result = 0;
  switch (seed % 7) {
  case 0:
    result = digits(seed, 10);
    break;
  case 1:
    result = bytes[seed & 4095] * 7u;
    // fall through
  case 2:
    result += (uint64_t)words[(seed >> 5) & 4095];
    break;
  case 3:
    result = local(seed);
    break;
  case 4:
    result = (uint64_t)(floor(sqrt((double)(seed >> 20))) + fabs(sin((double)(seed & 1023))) * 1000);
    break;
  case 5: {
    uint64_t *heap = malloc(3 * sizeof *heap);
    if (!heap)
      abort();
    for (int i = 0; i < 3; ++i)
      heap[i] = seed >> i;
    result = heap[0] ^ heap[1] ^ heap[2];
    free(heap);
    break;
  }
  default:
    result = seed / ((seed & 15) + 1) - (uint64_t)((int64_t)seed % ((int64_t)(seed & 7) + 1));
  }
  return result;
}

static uint64_t tree(uint64_t seed, int depth) {
  atomic_fetch_add_explicit(&visits, 1 + (seed & 3), memory_order_relaxed);
  unsigned ticket = atomic_fetch_add(&tickets, 1);
  claimed[ticket & 0xffff] = 1;
  if (depth == 0)
    return work(seed);
  uint64_t left = cilk_spawn tree(mix(seed), depth - 1);
  uint64_t right = cilk_spawn tree(mix(seed + 1), depth - 1 - (int)(seed % 2 && depth > 1));
  cilk_sync;
  return left * 5 + right + work(seed ^ left);
}

#define FOLD(name, type, operation)                                                                                    \
  static type name(uint64_t seed, int depth) {                                                                         \
    if (depth == 0)                                                                                                    \
      return (type)work(seed);                                                                                         \
    type r[4];                                                                                                         \
    int children = 1 + (int)(seed % 4);                                                                                \
    for (int i = 0; i < children; ++i)                                                                                 \
      r[i] = cilk_spawn name(mix(seed + (uint64_t)i), depth - 1);                                                      \
    cilk_sync;                                                                                                         \
    type a = (type)mix(seed);                                                                                          \
    for (int i = 0; i < children; ++i)                                                                                 \
      a = operation;                                                                                                   \
    return a;                                                                                                          \
  }
FOLD(sum, int64_t, (int64_t)((uint64_t)a + (uint64_t)r[i]))
FOLD(narrow, uint8_t, (uint8_t)(a + r[i]))
FOLD(bits, uint32_t, a ^ r[i])
FOLD(all, uint32_t, a & r[i])
FOLD(some, uint16_t, a | r[i])
FOLD(most, int32_t, a > r[i] ? a : r[i])
FOLD(least, uint64_t, r[i] < a ? r[i] : a)

// Results that are not folded: one is used twice, one decides a branch, one is left out.
static int64_t twice(int64_t n) {
  if (n < 2)
    return n;
  int64_t x = cilk_spawn twice(n - 1), y = cilk_spawn twice(n - 2);
  cilk_sync;
  return x + y + (x & 1);
}

static int64_t decides(int64_t n) {
  if (n < 2)
    return n + 1;
  int64_t x = cilk_spawn decides(n - 1), y = cilk_spawn decides(n - 2);
  cilk_sync;
  if (x % 3 == 0)
    return y;
  return x + y;
}

static int64_t conditional(int64_t n) {
  int64_t x = 0, y = 0;
  if (n < 1)
    return 1;
  if (n % 2)
    x = cilk_spawn conditional(n - 1);
  if (n % 3)
    y = cilk_spawn conditional(n - 2);
  cilk_sync;
  return x + y + n;
}

static int64_t rounds(int64_t n) {
  int64_t total = 0;
  for (int64_t i = 1; i < n && i < 4; ++i) {
    int64_t x = cilk_spawn rounds(n - i);
    cilk_sync;
    total += x;
  }
  return total + 1;
}

int main(int argc, char **argv) {
  int depth = argc > 1 ? atoi(argv[1]) : 9;
  for (int i = 0; i < 4096; ++i) {
    bytes[i] = (uint8_t)mix((uint64_t)i);
    words[i] = (int16_t)mix((uint64_t)i * 3);
  }
  printf("tree %llx", (unsigned long long)tree(12345, depth));
  uint32_t seen = 0;
  for (int i = 0; i < 1 << 16; ++i)
    seen += claimed[i];
  printf(" visits %ld tickets %u seen %u\n", atomic_load(&visits), atomic_load(&tickets), seen);
  printf("sum %lld narrow %u bits %x\n", (long long)sum(7, 5), narrow(8, 5), bits(9, 5));
  printf("all %x some %x most %d least %llx\n", all(10, 4), some(11, 4), most(12, 5), (unsigned long long)least(13, 5));
  printf("twice %lld decides %lld conditional %lld rounds %lld\n", (long long)twice(15), (long long)decides(15),
         (long long)conditional(23), (long long)rounds(12));
  return 0;
}
