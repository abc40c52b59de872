// Local arrays and by-value aggregates of tasks, as lanes see them: elements of every width, shared and differing indices,
// whole and partial copies, unions. Some arrays are lent to functions. Others live across syncs, or across spawns that find no
// space.
#include "checksum.h"
#include <cilk/cilk.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  signed char at[12];
} Small; // in two registers

typedef struct {
  uint8_t bytes[9];
  uint16_t words[7];
  int32_t ints[3];
  double real;
  int64_t wide[2];
} Mixed; // in memory

typedef union {
  uint64_t all;
  struct {
    char tag;
    int32_t value; // `bytes` also has the three bytes before it
  } named;
  unsigned char bytes[8];
} Overlay;

typedef struct {
  float x, y;
} Pair; // in one vector register

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 31)) * UINT64_C(0x9e3779b97f4a7c15);
  return x ^ (x >> 29);
}

static int conflicts(const Small *board, int rows) {
  for (int i = 0; i < rows; ++i)
    for (int j = i + 1; j < rows; ++j) {
      int distance = board->at[j] - board->at[i];
      if (distance == 0 || distance == 20 * (j - i) || distance == 22 * (i - j) || distance == -130 || distance == 256)
        return 1;
    }
  return 0;
}

// Bytes: the row is the same at each level, the values differ.
static uint64_t place(int row, int most, Small board) {
  uint64_t found[16];
  int children = 0;
  if (row == most)
    return mix((uint64_t)(board.at[0] * 7 + board.at[row - 1]));
  for (int value = -6; value < 6 + row % 3; ++value) {
    board.at[row] = (signed char)(value * 21 - row);
    if (!conflicts(&board, row + 1)) {
      found[children] = cilk_spawn place(row + 1, most, board);
      ++children;
    }
  }
  cilk_sync;
  uint64_t sum = 0;
  for (int i = 0; i < children; ++i)
    sum += found[i];
  return sum;
}

static void scramble(Mixed *m, uint64_t seed, unsigned i) {
  m->bytes[seed % 9] += (uint8_t)i;
  m->words[i % 7] = (uint16_t)(m->words[(i + seed) % 7] * 3 + 1);
  m->ints[i % 3] = (int32_t)((uint32_t)m->ints[i % 3] - (uint32_t)(m->ints[seed % 3] / (int32_t)(i + 1)));
  m->real = m->real * 0.5 + m->words[0];
  m->wide[seed & 1] ^= (int64_t)seed;
}

static uint64_t digest(const Mixed *m) {
  uint64_t sum = 0;
  for (int i = 0; i < 9; ++i)
    sum = sum * 31 + m->bytes[i];
  for (int i = 0; i < 7; ++i)
    sum = sum * 31 + m->words[i];
  for (int i = 0; i < 3; ++i)
    sum = sum * 31 + (uint32_t)m->ints[i];
  for (int i = 0; i < 2; ++i)
    sum = sum * 31 + (uint64_t)m->wide[i];
  return sum + (uint64_t)(int64_t)(m->real * 8);
}

// Every width at once, indices that differ from lane to lane, an array that lives across the sync.
static uint64_t walk(unsigned depth, uint64_t seed, Mixed m) {
  for (unsigned i = 0; i < 1 + seed % 5; ++i)
    scramble(&m, seed >> i, i + depth);
  if (depth == 0)
    return digest(&m);
  Mixed copy = m;
  memset(copy.words, (int)(seed & 255), sizeof copy.words);
  uint64_t a = cilk_spawn walk(depth - 1, mix(seed), m);
  uint64_t b = cilk_spawn walk(depth - 1, mix(seed + 1), copy);
  scramble(&copy, seed, depth);
  cilk_sync;
  scramble(&copy, a ^ b, 3);
  memcpy(&m, &copy, sizeof m);
  return a * 3 + (b ^ digest(&m));
}

static uint64_t overlay(unsigned depth, Overlay o) {
  o.bytes[2] ^= (unsigned char)depth; // between the tag and the value
  if (depth == 0)
    return o.all;
  o.named.value = (int32_t)((uint32_t)o.named.value + (uint32_t)o.named.tag);
  uint64_t a = cilk_spawn overlay(depth - 1, o);
  o.bytes[o.all % 8] += 17;
  uint64_t b = cilk_spawn overlay(depth - 1, o);
  cilk_sync;
  return mix(a) + b;
}

static uint64_t pairs(unsigned depth, Pair p) {
  if (depth == 0)
    return (uint64_t)(int64_t)(p.x * 16 + p.y);
  uint64_t a = cilk_spawn pairs(depth - 1, (Pair){p.y, p.x + 1});
  uint64_t b = cilk_spawn pairs(depth - 1, (Pair){p.x * 0.5f, p.y});
  cilk_sync;
  return a + b;
}

// A histogram, a permutation and a stack of each task's own; the loops end at different times.
static uint64_t tables(unsigned depth, uint32_t seed) {
  uint16_t count[16];
  uint8_t order[16];
  int64_t stack[10];
  int top = 0;
  memset(count, 0, sizeof count);
  for (int i = 0; i < 16; ++i)
    order[i] = (uint8_t)((i * 5 + seed) % 16);
  for (uint32_t s = seed; s; s >>= 3) {
    ++count[order[s % 16]];
    if (top < 10)
      stack[top++] = (int64_t)s - 100;
    if (s % 11 == 3)
      break;
  }
  uint64_t sum = 0;
  while (top)
    sum = sum * 7 + (uint64_t)stack[--top];
  for (int i = 0; i < 16; ++i)
    sum = sum * 5 + count[i];
  if (depth == 0)
    return sum;
  uint64_t a = cilk_spawn tables(depth - 1, (uint32_t)mix(seed));
  uint64_t b = cilk_spawn tables(depth - 1, (uint32_t)mix(seed + depth));
  cilk_sync;
  return a + b + sum + order[a % 16];
}

int main(void) {
  Small empty = {{0}};
  Mixed start = {{1, 2, 3}, {40000, 5}, {-7, 1 << 30}, 0.25, {9, -9}};
  Overlay o = {UINT64_C(0x0123456789abcdef)};
  Pair p = {1, 2};
  uint64_t a = place(0, 5, empty), b = walk(9, 42, start), c = overlay(9, o), d = pairs(10, p), e = tables(10, 12345);
  report("place", a);
  report("walk", b);
  report("overlay", c);
  report("pairs", d);
  report("tables", e);
  return 0;
}
