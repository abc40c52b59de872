// An order-dependent checksum over whole numbers, for all programs here. Each program folds its results into a checksum and
// prints it; the runner compares the output with the serial elision's.
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
