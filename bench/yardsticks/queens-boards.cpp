// Queens with boards of bytes by hand. A register holds one row of 64 boards. The program checks all pairs of queens,
// as bench/programs/queens-boards.c does. With BENCH_NEWEST, it checks only the newest queen against the queens above
// it. That is enough, and the natural way by hand.
#include "../programs/Queens.h"
#include "Yardstick.h"

using namespace yardstick;

namespace {

constexpr int Width = 2048; // boards of a block
constexpr int Bytes = 64;   // byte lanes of a register

struct Level {
  alignas(64) uint8_t Queen[MaxQueens][Width + Bytes];
};

Level Levels[MaxQueens + 1];
long Solutions;

__mmask64 firstBytes(long Count) { return Count >= Bytes ? ~__mmask64(0) : (__mmask64(1) << Count) - 1; }

// Returns the boards in Mask in whose first Rows rows no two queens attack each other.
__mmask64 safeBoards(__mmask64 Mask, const __m512i *Queen, int Rows) {
#ifdef BENCH_NEWEST
  const int FirstLower = Rows - 1;
#else
  const int FirstLower = 1;
#endif
  for (int Upper = 0; Upper < Rows && Mask; ++Upper)
    for (int Lower = Upper < FirstLower ? FirstLower : Upper + 1; Lower < Rows; ++Lower) {
      __m512i Distance = _mm512_abs_epi8(_mm512_sub_epi8(Queen[Lower], Queen[Upper]));
      Mask = _mm512_mask_test_epi8_mask(Mask, Distance, Distance);
      Mask = _mm512_mask_cmpneq_epi8_mask(Mask, Distance, _mm512_set1_epi8((char)(Lower - Upper)));
    }
  return Mask;
}

void run(int N, int Row, long Count) {
  Level &Here = Levels[Row], &Below = Levels[Row + 1];
  __m512i Queen[MaxQueens];
  long Filled = 0;
  for (long At = 0; At < Count; At += Bytes) {
    for (int I = 0; I < Row; ++I)
      Queen[I] = _mm512_load_si512(&Here.Queen[I][At]);
    for (int Column = 0; Column < N; ++Column) {
      Queen[Row] = _mm512_set1_epi8((char)Column);
      __mmask64 Safe = safeBoards(firstBytes(Count - At), Queen, Row + 1);
      if (Row + 1 == N) {
        Solutions += __builtin_popcountll(Safe);
        continue;
      }
      if (!Safe)
        continue;
      if (Filled > Width - Bytes) {
        run(N, Row + 1, Filled);
        Filled = 0;
      }
      for (int I = 0; I <= Row; ++I)
        _mm512_storeu_si512(&Below.Queen[I][Filled], _mm512_maskz_compress_epi8(Safe, Queen[I]));
      Filled += __builtin_popcountll(Safe);
    }
  }
  if (Filled > 0)
    run(N, Row + 1, Filled);
}

} // namespace

int main(int Argc, char **Argv) {
  needVectors();
  int N = sizeFrom(Argc, Argv, 13, 1, MaxQueens);
  run(N, 0, 1);
  std::printf("queens(%d) = %ld\n", N, Solutions);
  return verdict(Solutions == known_queens[N]);
}
