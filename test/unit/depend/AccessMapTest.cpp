// Tests that the map finds the same levels as a list of all accesses, for random sets of intervals.
#include "depend/AccessMap.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace cilk2gpu {
namespace {

using rt::Access;
using rt::AccessMap;

/// Compares each access with all earlier ones.
class AccessList {
public:
  uint32_t latest(const Access &access) const {
    uint32_t level = 0;
    for (const auto &[earlier, found] : accesses)
      if ((earlier.writes || access.writes) && earlier.begin < access.end && access.begin < earlier.end)
        level = std::max(level, found);
    return level;
  }
  void add(const Access &access, uint32_t level) { accesses.push_back({access, level}); }

private:
  std::vector<std::pair<Access, uint32_t>> accesses;
};

Access randomAccess(std::mt19937 &random, uintptr_t range, uintptr_t longest) {
  auto below = [&](uintptr_t bound) { return std::uniform_int_distribution<uintptr_t>(0, bound - 1)(random); };
  const uintptr_t begin = 64 + below(range);
  return {begin, begin + 1 + below(longest), below(3) == 0};
}

TEST(AccessMap, FindsTheLevelsOfAListInRandomSets) {
  AccessMap map; // also tests that clear() forgets everything
  for (unsigned seed = 0; seed != 10000; ++seed) {
    std::mt19937 random(seed);
    const uintptr_t range = uintptr_t(1) << (2 + random() % 9), longest = 1 + random() % range;
    AccessList list;
    map.clear();
    for (unsigned i = 0, count = 1 + random() % 60; i != count; ++i) {
      Access accesses[2];
      uint32_t level = 0;
      for (Access &access : accesses) {
        access = randomAccess(random, range, longest);
        ASSERT_EQ(map.latest(access), list.latest(access)) << "seed " << seed << ", access " << i;
        level = std::max(level, list.latest(access));
      }
      for (bool writes : {true, false})
        for (const Access &access : accesses)
          if (access.writes == writes)
            map.add(access, level + 1);
      for (const Access &access : accesses)
        list.add(access, level + 1);
    }
  }
}

TEST(AccessMap, FindsTheLevelsOfAListAmongManySegments) {
  std::mt19937 random(1);
  AccessMap map;
  AccessList list;
  for (unsigned i = 0; i != 6000; ++i) {
    const Access access = randomAccess(random, 100000, i % 100 == 99 ? 20000 : 16);
    const uint32_t level = list.latest(access);
    ASSERT_EQ(map.latest(access), level) << "access " << i;
    map.add(access, level + 1);
    list.add(access, level + 1);
  }
  EXPECT_GT(map.size(), 1000u);
}

TEST(AccessMap, AWriteReplacesTheSegmentsThatItCovers) {
  AccessMap map;
  for (uintptr_t i = 0; i != 1000; ++i)
    map.add({1000 + 8 * i, 1000 + 8 * i + 8, true}, 1);
  EXPECT_EQ(map.size(), 1000u);
  map.add({1004, 8996, true}, 2);
  EXPECT_EQ(map.size(), 3u);
  EXPECT_EQ(map.latest({1000, 1004, false}), 1u);
  EXPECT_EQ(map.latest({1003, 1005, false}), 2u);
}

TEST(AccessMap, AReadDoesNotWaitForReads) {
  AccessMap map;
  map.add({16, 32, true}, 1);
  map.add({16, 24, false}, 2);
  EXPECT_EQ(map.latest({20, 28, false}), 1u);
  EXPECT_EQ(map.latest({20, 28, true}), 2u);
  EXPECT_EQ(map.latest({24, 28, true}), 1u);
}

TEST(AccessMap, AnEmptyAccessIsNothing) {
  AccessMap map;
  map.add({16, 16, true}, 1);
  EXPECT_EQ(map.size(), 0u);
  EXPECT_EQ(map.latest({0, ~uintptr_t(0), true}), 0u);
}

} // namespace
} // namespace cilk2gpu
