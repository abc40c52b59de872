// fib by hand, with a post-sync task for every sync. Blocks hold arguments and results of 32 bits.
//
// A block holds the arguments of its tasks and room for their results. Tasks that spawn are compressed into a list of m
// parents. Their children form the next level's block as two runs: n-1 in [0, m) and n-2 in [m, 2m). So the post-sync
// pass adds two contiguous runs of results, and expands the sums into the results of the parents.
#include "Yardstick.h"

using namespace yardstick;

namespace {

constexpr int Width = 2048; // tasks of a block
constexpr int MaxN = 46;

struct Level {
  alignas(64) int32_t Argument[Width + Lanes];
  alignas(64) int32_t Result[Width + Lanes];
};

Level Levels[MaxN + 2];
alignas(64) int32_t Parents[Width + Lanes];

__mmask16 spawning(__m512i N, long Left) {
  return _mm512_mask_cmpgt_epi32_mask(firstLanes(Left), N, _mm512_set1_epi32(1));
}

// Collects parents from First on until their children would not fit. Returns the index at which it stopped.
long preSync(Level &Here, long First, long Count, long &NumParents) {
  long At = First;
  NumParents = 0;
  for (; At < Count && NumParents <= Width / 2 - Lanes; At += Lanes) {
    __m512i N = _mm512_load_si512(&Here.Argument[At]);
    __mmask16 Spawning = spawning(N, Count - At);
    _mm512_store_si512(&Here.Result[At], N);
    append(&Parents[NumParents], Spawning, N);
    NumParents += lanesIn(Spawning);
  }
  return At;
}

void spawnChildren(Level &Below, long NumParents) {
  for (long I = 0; I < NumParents; I += Lanes) {
    __m512i N = _mm512_load_si512(&Parents[I]);
    _mm512_store_si512(&Below.Argument[I], _mm512_sub_epi32(N, _mm512_set1_epi32(1)));
  }
  for (long I = 0; I < NumParents; I += Lanes) {
    __m512i N = _mm512_load_si512(&Parents[I]);
    _mm512_storeu_si512(&Below.Argument[NumParents + I], _mm512_sub_epi32(N, _mm512_set1_epi32(2)));
  }
}

void postSync(Level &Here, const Level &Below, long First, long End, long Count, long NumParents) {
  const int32_t *Left = Below.Result, *Right = Below.Result + NumParents;
  for (long At = First; At < End; At += Lanes) {
    __m512i N = _mm512_load_si512(&Here.Argument[At]);
    __mmask16 Spawning = spawning(N, Count - At);
    __m512i Sums = _mm512_add_epi32(_mm512_loadu_si512(Left), _mm512_loadu_si512(Right));
    _mm512_store_si512(&Here.Result[At], _mm512_mask_expand_epi32(N, Spawning, Sums));
    Left += lanesIn(Spawning);
    Right += lanesIn(Spawning);
  }
}

void run(int Depth, long Count) {
  Level &Here = Levels[Depth], &Below = Levels[Depth + 1];
  for (long First = 0; First < Count;) {
    long NumParents, End = preSync(Here, First, Count, NumParents);
    if (NumParents > 0) {
      spawnChildren(Below, NumParents);
      run(Depth + 1, 2 * NumParents);
      postSync(Here, Below, First, End, Count, NumParents);
    }
    First = End;
  }
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
  Levels[0].Argument[0] = N;
  run(0, 1);
  long Result = Levels[0].Result[0];
  std::printf("fib(%d) = %ld\n", N, Result);
  return verdict(Result == fibByLoop(N));
}
