// Shared by the spellings of a program. A spelling is chosen by -DFORM=NAME, and the type of numbers by -DNUMBER=TYPE.
// Each file has its forms as namespaces, and main() calls FORM::run.
#ifndef CILK2GPU_BENCH_SPELLINGS_SPELLING_H
#define CILK2GPU_BENCH_SPELLINGS_SPELLING_H

#include <array>
#include <cilk/cilk.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#ifndef NUMBER
#define NUMBER long
#endif
using Number = NUMBER;

/// Returns the size on the command line, or `otherwise`.
inline int sizeOf(int argc, char **argv, int otherwise) { return argc > 1 ? std::atoi(argv[1]) : otherwise; }

inline int show(Number result) {
  std::printf("%lld\n", static_cast<long long>(result));
  return 0;
}

#endif // CILK2GPU_BENCH_SPELLINGS_SPELLING_H
