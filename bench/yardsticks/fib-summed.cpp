// fib by hand, with its base cases summed into one number, without post-sync tasks. A compiler may do this if it sees
// that results are only added. Blocks hold arguments of 32 bits.
#include "Yardstick.h"

using namespace yardstick;

namespace {

constexpr int Width = 2048; // tasks of a block
constexpr int MaxN = 90;

alignas(64) int32_t Arguments[MaxN + 2][Width + 2 * Lanes];
long Sum;

void run(int Depth, long Count) {
  const int32_t *Here = Arguments[Depth];
  int32_t *Below = Arguments[Depth + 1];
  const __m512i One = _mm512_set1_epi32(1), Two = _mm512_set1_epi32(2);
  long Filled = 0, Ones = 0;
  for (long At = 0; At < Count; At += Lanes) {
    if (Filled > Width - 2 * Lanes) {
      run(Depth + 1, Filled);
      Filled = 0;
    }
    __m512i N = _mm512_load_si512(&Here[At]);
    __mmask16 Live = firstLanes(Count - At), Spawning = _mm512_mask_cmpgt_epi32_mask(Live, N, One);
    Ones += lanesIn(_mm512_mask_cmpeq_epi32_mask(Live, N, One));
    __m512i Parents = _mm512_maskz_compress_epi32(Spawning, N);
    long NumParents = lanesIn(Spawning);
    _mm512_storeu_si512(&Below[Filled], _mm512_sub_epi32(Parents, One));
    _mm512_storeu_si512(&Below[Filled + NumParents], _mm512_sub_epi32(Parents, Two));
    Filled += 2 * NumParents;
  }
  Sum += Ones;
  if (Filled > 0)
    run(Depth + 1, Filled);
}

long fibByLoop(int N) {
  long A = 0, B = 1;
  for (int I = 0; I < N; ++I) {
    long Next = A + B;
    A = B;
    B = Next;
  }
  return A;
}

} // namespace

int main(int Argc, char **Argv) {
  needVectors();
  int N = sizeFrom(Argc, Argv, 38, 0, MaxN);
  Arguments[0][0] = N;
  run(0, 1);
  std::printf("fib(%d) = %ld\n", N, Sum);
  return verdict(Sum == fibByLoop(N));
}
