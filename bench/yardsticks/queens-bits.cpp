// Queens with bit masks by hand. A register holds 16 placements. Children are appended column by column, and solutions
// are counted.
#include "../programs/Queens.h"
#include "Yardstick.h"

using namespace yardstick;

namespace {

constexpr int Width = 2048; // placements of a block

struct Level {
  alignas(64) uint32_t Columns[Width + Lanes], Left[Width + Lanes], Right[Width + Lanes];
};

Level Levels[MaxQueens + 1];
long Solutions;

// Runs placements with Rows rows left to fill.
void run(int Rows, long Count, __m512i All) {
  const Level &Here = Levels[Rows];
  Level &Below = Levels[Rows - 1];
  const __m512i Zero = _mm512_setzero_si512(), One = _mm512_set1_epi32(1);
  long Filled = 0;
  for (long At = 0; At < Count; At += Lanes) {
    __m512i Columns = _mm512_load_si512(&Here.Columns[At]);
    __m512i Left = _mm512_load_si512(&Here.Left[At]), Right = _mm512_load_si512(&Here.Right[At]);
    // all & ~(columns | left | right)
    __m512i Taken = _mm512_ternarylogic_epi32(Columns, Left, Right, 0xfe);
    __m512i Open = _mm512_maskz_andnot_epi32(firstLanes(Count - At), Taken, All);
    __mmask16 Mask = _mm512_test_epi32_mask(Open, Open);
    if (Rows == 1) {
      Solutions += lanesIn(Mask);
      continue;
    }
    for (; Mask; Mask = _mm512_test_epi32_mask(Open, Open)) {
      if (Filled > Width - Lanes) {
        run(Rows - 1, Filled, All);
        Filled = 0;
      }
      __m512i Place = _mm512_and_si512(Open, _mm512_sub_epi32(Zero, Open));
      append(&Below.Columns[Filled], Mask, _mm512_or_si512(Columns, Place));
      append(&Below.Left[Filled], Mask, _mm512_slli_epi32(_mm512_or_si512(Left, Place), 1));
      append(&Below.Right[Filled], Mask, _mm512_srli_epi32(_mm512_or_si512(Right, Place), 1));
      Filled += lanesIn(Mask);
      Open = _mm512_and_si512(Open, _mm512_sub_epi32(Open, One));
    }
  }
  if (Filled > 0)
    run(Rows - 1, Filled, All);
}

} // namespace

int main(int Argc, char **Argv) {
  needVectors();
  int N = sizeFrom(Argc, Argv, 13, 1, MaxQueens);
  run(N, 1, _mm512_set1_epi32((1 << N) - 1));
  std::printf("queens(%d) = %ld\n", N, Solutions);
  return verdict(Solutions == known_queens[N]);
}
