// Common parts of the hand-written AVX-512 programs, with which the compiler is compared. They run breadth first within
// blocks and depth first between blocks, so that a level's block stays in the first caches. Each takes the same
// argument as its program in bench/programs, and prints the same output.
#ifndef CILK2GPU_BENCH_YARDSTICK_H
#define CILK2GPU_BENCH_YARDSTICK_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <immintrin.h>

namespace yardstick {

constexpr int Lanes = 16; // 32-bit lanes of a register
constexpr int Skipped = 77;

inline void needVectors() {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi2"))
    return;
  std::puts("skipped: this CPU has no AVX-512 with VBMI2");
  std::exit(Skipped);
}

inline int sizeFrom(int Argc, char **Argv, int Standard, int Low, int High) {
  int Size = Argc > 1 ? std::atoi(Argv[1]) : Standard;
  if (Size >= Low && Size <= High)
    return Size;
  std::fprintf(stderr, "usage: %s [size], a whole number from %d to %d\n", Argv[0], Low, High);
  std::exit(2);
}

inline int verdict(bool Right) {
  std::puts(Right ? "ok" : "wrong: the result is not the expected one");
  return !Right;
}

/// Returns lanes [0, Count) of a register, or all lanes if Count is larger.
inline __mmask16 firstLanes(long Count) { return Count >= Lanes ? 0xffff : (__mmask16)((1u << Count) - 1); }

/// Appends the lanes in Mask at To, in order. Writes a whole register, for which there must be room. (The form of the
/// instruction that also stores is slow on some CPUs.)
inline void append(void *To, __mmask16 Mask, __m512i Values) {
  _mm512_storeu_si512(To, _mm512_maskz_compress_epi32(Mask, Values));
}

inline int lanesIn(__mmask16 Mask) { return __builtin_popcount(Mask); }

} // namespace yardstick

#endif
