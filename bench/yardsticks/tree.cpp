// Unbalanced tree search by hand. SHA-1 runs for 16 nodes in a register, with two registers interleaved. Children are
// appended in the order of their numbers. A table of bounds, made with the program's formula, gives the number of
// children for a hash.
#include "Yardstick.h"
#include <cmath>

using namespace yardstick;

namespace {

constexpr int Width = 1024; // nodes of a block
constexpr int MaxDepth = 12, Pairs = 2, Step = Pairs * Lanes;
constexpr int Seed = 19, Branching = 4, MaxChildren = 100, Words = 5;
constexpr long PublishedDepth = 10, PublishedNodes = 4130071;

// Nodes of a level. A node consists of its parent's digest and its number.
struct Level {
  alignas(64) uint32_t Parent[Words][Width + Step];
  alignas(64) uint32_t Number[Width + Step];
};

using Vector = __m512i;
struct Pair {
  Vector V[Pairs];
};

Level Levels[MaxDepth + 1];
uint32_t Bounds[MaxChildren + 1]; // Bounds[c]: least hash with c children
long Nodes, SetBits;

Pair splat(uint32_t Value) { return {{_mm512_set1_epi32((int)Value), _mm512_set1_epi32((int)Value)}}; }

template <typename F> inline __attribute__((always_inline)) Pair each(F Function) {
  return {{Function(0), Function(1)}};
}

template <int By> inline Pair rotate(const Pair &X) {
  return each([&](int I) { return _mm512_rol_epi32(X.V[I], By); });
}

inline Pair add(const Pair &X, const Pair &Y) {
  return each([&](int I) { return _mm512_add_epi32(X.V[I], Y.V[I]); });
}

template <int Table> inline Pair logic(const Pair &X, const Pair &Y, const Pair &Z) {
  return each([&](int I) { return _mm512_ternarylogic_epi32(X.V[I], Y.V[I], Z.V[I], Table); });
}

constexpr int Choose = 0xca, Parity = 0x96, Majority = 0xe8;

// Twenty steps of SHA-1 from step First on; W holds the last sixteen words of the schedule.
template <int First, int Table>
inline __attribute__((always_inline)) void twentySteps(Pair (&S)[Words], Pair (&W)[16], uint32_t Constant) {
  Pair K = splat(Constant);
#pragma clang loop unroll(full)
  for (int T = First; T < First + 20; ++T) {
    if (T >= 16)
      W[T & 15] = rotate<1>(
          logic<Parity>(logic<Parity>(W[(T + 13) & 15], W[(T + 8) & 15], W[(T + 2) & 15]), W[T & 15], splat(0)));
    Pair Next = add(add(rotate<5>(S[0]), logic<Table>(S[1], S[2], S[3])), add(add(S[4], K), W[T & 15]));
    S[4] = S[3];
    S[3] = S[2];
    S[2] = rotate<30>(S[1]);
    S[1] = S[0];
    S[0] = Next;
  }
}

// Replaces the block's 16 words by its digest in the first five.
inline void sha1(Pair (&W)[16]) {
  const uint32_t Initial[Words] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  Pair S[Words];
  for (int I = 0; I < Words; ++I)
    S[I] = splat(Initial[I]);
  twentySteps<0, Choose>(S, W, 0x5a827999);
  twentySteps<20, Parity>(S, W, 0x6ed9eba1);
  twentySteps<40, Majority>(S, W, 0x8f1bbcdc);
  twentySteps<60, Parity>(S, W, 0xca62c1d6);
  for (int I = 0; I < Words; ++I)
    W[I] = add(S[I], splat(Initial[I]));
}

Pair load(const uint32_t *From) { return {{_mm512_load_si512(From), _mm512_load_si512(From + Lanes)}}; }

void digests(const Level &Here, long At, Pair (&W)[16]) {
  for (int I = 0; I < Words; ++I)
    W[I] = load(&Here.Parent[I][At]);
  W[5] = load(&Here.Number[At]);
  W[6] = splat(0x80000000u);
  for (int I = 7; I < 15; ++I)
    W[I] = splat(0);
  W[15] = splat(24 * 8);
  sha1(W);
}

void run(int Below, long Count);

// Appends the children of the nodes in Mask to the block below, one after the other, and runs that block when it is
// full.
void spawnChildren(int Below, const Pair (&Digest)[16], int Half, __mmask16 Mask, long &Filled) {
  Level &To = Levels[Below - 1];
  Vector Hash = _mm512_and_si512(Digest[4].V[Half], _mm512_set1_epi32(0x7fffffff));
  for (int Child = 0; Child < MaxChildren; ++Child) {
    Mask = _mm512_mask_cmpge_epu32_mask(Mask, Hash, _mm512_set1_epi32((int)Bounds[Child + 1]));
    if (!Mask)
      return;
    if (Filled > Width - Lanes) {
      run(Below - 1, Filled);
      Filled = 0;
    }
    for (int I = 0; I < Words; ++I)
      append(&To.Parent[I][Filled], Mask, Digest[I].V[Half]);
    _mm512_storeu_si512(&To.Number[Filled], _mm512_set1_epi32(Child));
    Filled += lanesIn(Mask);
  }
}

// Runs nodes with Below levels below them.
void run(int Below, long Count) {
  long Filled = 0;
  Pair W[16];
  Nodes += Count;
  for (long At = 0; At < Count; At += Step) {
    digests(Levels[Below], At, W);
    for (int Half = 0; Half < Pairs; ++Half) {
      long Left = Count - At - Half * Lanes;
      __mmask16 Live = Left > 0 ? firstLanes(Left) : 0;
      SetBits += lanesIn(_mm512_mask_test_epi32_mask(Live, W[0].V[Half], _mm512_set1_epi32((int)0x80000000)));
      if (Below > 0)
        spawnChildren(Below, W, Half, Live, Filled);
    }
  }
  if (Filled > 0)
    run(Below - 1, Filled);
}

int childrenOf(uint32_t Hash) {
  double Uniform = Hash / 2147483648.0, Success = 1.0 / (1.0 + Branching);
  return (int)std::floor(std::log(1.0 - Uniform) / std::log(1.0 - Success));
}

void findBounds() {
  for (int Children = 0; Children <= MaxChildren; ++Children) {
    uint64_t Low = 0, High = uint64_t(1) << 31;
    while (Low < High) {
      uint64_t Middle = (Low + High) / 2;
      if (childrenOf((uint32_t)Middle) >= Children)
        High = Middle;
      else
        Low = Middle + 1;
    }
    Bounds[Children] = (uint32_t)Low;
  }
}

void runRoot(int Depth) {
  Pair W[16];
  for (Pair &Word : W)
    Word = splat(0);
  W[4] = splat(Seed);
  W[5] = splat(0x80000000u);
  W[15] = splat(20 * 8);
  sha1(W);
  Nodes = 1;
  SetBits = lanesIn(_mm512_mask_test_epi32_mask(1, W[0].V[0], _mm512_set1_epi32((int)0x80000000)));
  long Filled = 0;
  if (Depth > 0)
    spawnChildren(Depth, W, 0, 1, Filled);
  if (Filled > 0)
    run(Depth - 1, Filled);
}

} // namespace

int main(int Argc, char **Argv) {
  needVectors();
  int Depth = sizeFrom(Argc, Argv, PublishedDepth, 0, MaxDepth);
  findBounds();
  runRoot(Depth);
  std::printf("tree of depth %d: %ld nodes, %ld set bits\n", Depth, Nodes, SetBits);
  return verdict(Depth != PublishedDepth || Nodes == PublishedNodes);
}
