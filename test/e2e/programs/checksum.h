// What the programs here share: an order-dependent checksum over whole numbers. Each program folds what it computes
// into one and prints it; the runner compares the output with that of the serial elision.
#ifndef CHECKSUM_H
#define CHECKSUM_H

#include <stdio.h>

typedef unsigned long long Checksum;

static inline Checksum fold(Checksum sum, unsigned long long value) {
  sum = (sum ^ value) * 0x9e3779b97f4a7c15ULL;
  return sum ^ (sum >> 29);
}

static inline void report(const char *what, Checksum sum) { printf("%s %016llx\n", what, sum); }

#endif
