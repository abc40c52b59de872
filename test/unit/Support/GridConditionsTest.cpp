// Conditions on coordinates of blocks: an answer must be that of every block whose parent is inside of the grid, for
// random sums, widths and comparisons.
#include "cilk2gpu/Support/GridConditions.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace cilk2gpu;
using llvm::CmpInst;

namespace {

std::mt19937_64 engine(7);
int64_t pick(std::initializer_list<int64_t> values) { return values.begin()[engine() % values.size()]; }

/// A random number, and how to compute its bits.
struct Term {
  GridNumber number;
  std::vector<std::pair<char, int64_t>> steps; ///< '+' constant; 'z', 's', 't': extension and truncation

  uint64_t bitsFor(const int64_t (&block)[3], const int64_t (&grid)[3], const GridNumber &start) const {
    uint64_t bits = start.base == GridNumber::BlockId   ? uint64_t(block[start.dimension])
                    : start.base == GridNumber::GridDim ? uint64_t(grid[start.dimension])
                                                        : 0;
    bool is64 = false;
    for (auto [step, constant] : steps) {
      is64 = step == 'z' || step == 's' || (step != 't' && is64);
      bits = step == '+' ? bits + uint64_t(constant) : step == 's' ? uint64_t(int64_t(int32_t(bits))) : bits;
      bits = is64 && step != 'z' ? bits : uint32_t(bits);
    }
    return bits;
  }
};

/// Adds steps that the analysis can follow.
Term randomTerm(GridNumber &start) {
  start = {.base = GridNumber::Base(engine() % 3), .dimension = unsigned(engine() % 2)};
  Term term{.number = start, .steps = {}};
  for (int i = 0; i < 4; ++i) {
    char step = "+zst"[engine() % 4];
    int64_t constant = step == '+' ? pick({-3, -2, -1, 1, 2, 5, INT32_MIN, INT32_MAX}) : 0;
    GridNumber added{.constant = constant, .width = term.number.is64() ? GridNumber::Bits64 : GridNumber::Bits32};
    std::optional<GridNumber> next = step == '+'   ? sumOf(term.number, added, /*isDifference=*/false)
                                     : step == 't' ? truncated(term.number)
                                                   : extended(term.number, step == 's');
    if (!next)
      continue;
    term.number = *next;
    term.steps.push_back({step, constant});
  }
  return term;
}

bool compareBits(CmpInst::Predicate predicate, uint64_t left, uint64_t right, bool is64) {
  int64_t a = is64 ? int64_t(left) : int32_t(left), b = is64 ? int64_t(right) : int32_t(right);
  switch (predicate) {
  case CmpInst::ICMP_EQ:
    return left == right;
  case CmpInst::ICMP_NE:
    return left != right;
  case CmpInst::ICMP_ULT:
    return left < right;
  case CmpInst::ICMP_ULE:
    return left <= right;
  case CmpInst::ICMP_UGT:
    return left > right;
  case CmpInst::ICMP_UGE:
    return left >= right;
  case CmpInst::ICMP_SLT:
    return a < b;
  case CmpInst::ICMP_SLE:
    return a <= b;
  case CmpInst::ICMP_SGT:
    return a > b;
  default:
    return a >= b;
  }
}

TEST(GridConditions, AnswersHoldForEachBlock) {
  unsigned known = 0;
  for (int round = 0; round < 20000; ++round) {
    BlockOffset offset = {pick({-2, -1, 0, 0, 1, 2}), pick({-2, -1, 0, 0, 1}), 0};
    GridNumber starts[2];
    Term left = randomTerm(starts[0]), right = randomTerm(starts[1]);
    if (left.number.is64() != right.number.is64())
      continue;
    auto predicate = CmpInst::Predicate(CmpInst::ICMP_EQ + engine() % 10);
    std::optional<bool> answer = InsideParent(offset).compare(predicate, left.number, right.number);
    known += answer.has_value();
    for (int sample = 0; answer && sample < 30; ++sample) {
      int64_t grid[3], block[3];
      bool isInside = true;
      for (int d = 0; d < 3; ++d) {
        grid[d] = pick({1, 2, 3, 4, 7, INT32_MAX - 1, INT32_MAX});
        block[d] = std::min<int64_t>(grid[d] - 1, pick({0, 1, 2, 3, INT32_MAX}));
        isInside &= block[d] + offset[d] >= 0 && block[d] + offset[d] < grid[d];
      }
      if (isInside)
        EXPECT_EQ(*answer, compareBits(predicate, left.bitsFor(block, grid, starts[0]),
                                       right.bitsFor(block, grid, starts[1]), left.number.is64()))
            << "round " << round;
    }
  }
  EXPECT_GT(known, 500u);
}

TEST(GridConditions, UsualGuards) {
  InsideParent left({-1, 0, 0});
  GridNumber x{.base = GridNumber::BlockId}, zero{}, one{.constant = 1};
  EXPECT_EQ(left.compare(CmpInst::ICMP_UGT, x, zero), true);
  EXPECT_EQ(left.compare(CmpInst::ICMP_NE, x, zero), true);
  EXPECT_EQ(left.compare(CmpInst::ICMP_UGT, x, one), std::nullopt);
  EXPECT_EQ(left.compare(CmpInst::ICMP_EQ, x, zero), false);
}

// The smallest and the largest number of 32 bits are known, and the next ones are not.
TEST(GridConditions, NumbersAtTheEdgesOf32BitsAreKnown) {
  InsideParent left({-1, 0, 0});
  auto number = [](int64_t constant) { return GridNumber{.constant = constant}; };
  EXPECT_EQ(left.compare(CmpInst::ICMP_SGT, number(INT32_MAX), number(0)), true);
  EXPECT_EQ(left.compare(CmpInst::ICMP_SGT, number(int64_t(INT32_MAX) + 1), number(0)), std::nullopt);
  EXPECT_EQ(left.compare(CmpInst::ICMP_SLT, number(INT32_MIN), number(0)), true);
  EXPECT_EQ(left.compare(CmpInst::ICMP_SLT, number(int64_t(INT32_MIN) - 1), number(0)), std::nullopt);
  EXPECT_EQ(left.compare(CmpInst::ICMP_UGT, number(UINT32_MAX), number(0)), true);
  EXPECT_EQ(left.compare(CmpInst::ICMP_UGT, number(int64_t(UINT32_MAX) + 1), number(0)), std::nullopt);
  EXPECT_EQ(left.compare(CmpInst::ICMP_UGE, number(0), number(0)), true);
  EXPECT_EQ(left.compare(CmpInst::ICMP_UGE, number(-1), number(0)), std::nullopt);
}

} // namespace
