// The best local alignment of two strings (Smith-Waterman) in linear memory, for `scripts/bench wireframe`.
//
//   PROGRAM SIDE WORK REPEATS
//
// Each string has 64 * SIDE letters. WORK is ignored.
#ifndef CILK2GPU_BENCH_WIREFRAME_ALIGNMENT_H
#define CILK2GPU_BENCH_WIREFRAME_ALIGNMENT_H

#include "Wavefront.h"

#include <algorithm>
#include <string>

constexpr unsigned kTile = 64; // rows and columns of a block

/// The score of a cell whose neighbours have these scores. `left` comes last: a row is a chain of it.
inline int scoreOf(char a, char b, int between, int above, int left) {
  int both = between + (a == b ? 2 : -1);
  return std::max(std::max(std::max(both, 0), above - 1), left - 1);
}

/// Letters that follow from `seed`.
inline std::string lettersOf(unsigned count, uint32_t seed) {
  std::string letters;
  for (unsigned i = 0; i < count; ++i)
    letters += "ACGT"[(seed = seed * 1664525 + 1013904223) >> 30];
  return letters;
}

/// The body of `main`. align(rows, columns) returns the best score of two strings of one length.
template <typename Align> int measureAlignment(int argc, char **argv, Align align) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s SIDE WORK REPEATS\n", argv[0]);
    return 1;
  }
  unsigned letters = kTile * std::atoi(argv[1]);
  return measureRuns(std::atoi(argv[3]), [&](uint32_t number) {
    return uint32_t(align(lettersOf(letters, number), lettersOf(letters, number + 1000)));
  });
}

#endif
