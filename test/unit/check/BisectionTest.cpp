// Tests the search for the first step that makes a difference.
#include "check/Bisection.h"

#include <gtest/gtest.h>

#include <vector>

namespace cilk2gpu::rt {
namespace {

TEST(Bisection, FindsEachStep) {
  for (uint64_t last = 1; last < 70; ++last)
    for (uint64_t first = 1; first <= last; ++first)
      EXPECT_EQ(firstDifferent(0, last, [&](uint64_t steps) { return steps >= first; }), first) << "of " << last;
}

TEST(Bisection, TriesFewSteps) {
  uint64_t tries = 0;
  auto differs = [&](uint64_t steps) { return ++tries, steps >= 77'777; };
  EXPECT_EQ(firstDifferent(0, 100'000, differs), 77'777u);
  EXPECT_LE(tries, 17u);
}

TEST(Bisection, FindsAChangeWhereResultsComeAndGo) {
  std::vector<bool> results = {false, true, false, false, true, true, false, true};
  uint64_t found = firstDifferent(0, results.size() - 1, [&](uint64_t steps) { return results[steps]; });
  EXPECT_TRUE(results[found]);
  EXPECT_FALSE(results[found - 1]);
}

TEST(Bisection, TriesNothingBetweenNeighbours) {
  EXPECT_EQ(firstDifferent(4, 5, [](uint64_t) -> bool { throw "not called"; }), 5u);
}

} // namespace
} // namespace cilk2gpu::rt
