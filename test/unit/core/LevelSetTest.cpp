// Tests LevelSet against std::set, also at the ends of words and of summary words.
#include "core/LevelSet.h"
#include "process/HostEnvironment.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace cilk2gpu::rt;

namespace {

uint64_t atOrBelow(const std::set<uint64_t> &set, uint64_t level) {
  auto found = set.lower_bound(level);
  return found == set.end() ? LevelSet::kNone : *found;
}

uint64_t atOrAbove(const std::set<uint64_t> &set, uint64_t level) {
  auto found = set.upper_bound(level);
  return found == set.begin() ? LevelSet::kNone : *--found;
}

TEST(LevelSet, FindsWhatASetFinds) {
  Environment environment = hostEnvironment();
  Arena arena(environment);
  LevelSet levels;
  std::set<uint64_t> expected;
  EXPECT_EQ(levels.deepest(), LevelSet::kNone);
  EXPECT_EQ(levels.atOrBelow(0), LevelSet::kNone);
  std::mt19937_64 random(7);
  const uint64_t edges[] = {0, 1, 63, 64, 65, 4095, 4096, 4097, 8191, 8192, 100000, 262143, 262144};
  for (int step = 0; step < 20000; ++step) {
    uint64_t level = step % 3 ? edges[random() % std::size(edges)] : random() % 300000;
    if (random() % 2) {
      levels.insert(arena, level);
      expected.insert(level);
    } else {
      levels.erase(level);
      expected.erase(level);
    }
    uint64_t from = step % 2 ? edges[random() % std::size(edges)] : random() % 300000;
    ASSERT_EQ(levels.atOrBelow(from), atOrBelow(expected, from)) << from;
    ASSERT_EQ(levels.atOrAbove(from), atOrAbove(expected, from)) << from;
    ASSERT_EQ(levels.deepest(), expected.empty() ? LevelSet::kNone : *expected.rbegin());
  }
  arena.destroy();
}

TEST(LevelSet, TakesNoMoreThanItsBound) {
  Environment environment = hostEnvironment();
  for (uint64_t last : {0, 4030, 4095, 4096, 8191, 12288, 100000, 300000})
    for (uint64_t step : {1000000, 4096, 64}) { // grows in one step, or in many
      Arena arena(environment);
      LevelSet levels;
      for (uint64_t level = 0; level < last; level += step)
        levels.insert(arena, level);
      levels.insert(arena, last);
      EXPECT_LE(arena.highWater(), LevelSet::bound(last + 1)) << last << " in steps of " << step;
      EXPECT_LE(LevelSet::bound(last + 1), 6 * arena.highWater()) << last << " in steps of " << step;
      arena.destroy();
    }
}

} // namespace
