// Local arrays of lanes that are copied into one another in chains. Some pairs have elements of different sizes, others of equal
// sizes.
#include "checksum.h"
#include <cilk/cilk.h>

typedef unsigned long Word;
typedef struct {
  Word at[8];
} Words;

static Word work(Word n, Word x) {
  if (n > 0) {
    Word a = cilk_spawn work(n - 1, x * 3 + 1);
    Word b = cilk_spawn work(n - 1, x * 5 + 2);
    cilk_sync;
    return a * 31 + b;
  }
  Words first, second, fourth, fifth;
  union {
    Words words;
    unsigned char bytes[64];
  } third;
  for (int i = 0; i < 8; ++i) {
    first.at[i] = x * 7 + i;
    fourth.at[i] = x + i;
    second.at[i] = fifth.at[i] = 0;
    third.words.at[i] = x * i;
  }
  Word sum = 0;
  for (Word i = 0; i < 60; ++i) {
    first.at[(i + x) % 8] += sum ^ i;
    if (i % 3 == 0)
      second = first;
    second.at[i * 3 % 8] ^= sum;
    if (i % 5 == 0)
      third.words = second;
    third.bytes[i % 64] += (unsigned char)sum;
    fourth.at[i * 5 % 8] += sum;
    if (i % 7 == 0)
      fifth = fourth;
    sum = sum * 31 + first.at[i * 5 % 8] + second.at[i % 8] + third.bytes[i * 5 % 64] + fifth.at[(i + 3) % 8];
  }
  return sum;
}

int main(void) { report("work", fold(0, work(7, 1))); }
