// Tests of parts of a device's memory: random parts never overlap, keep their alignment, and merge when they are free.
#include "executors/gpu/Slabs.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace cilk2gpu::test {
namespace {

using device::Slabs;

constexpr uint64_t kBase = uint64_t(7) << 40, kSlab = uint64_t(1) << 20;

void *at(uint64_t address) { return reinterpret_cast<void *>(address); }
uint64_t addressOf(void *place) { return reinterpret_cast<uint64_t>(place); }

TEST(Slabs, TakesTheFirstPartThatIsLongEnough) {
  Slabs slabs;
  EXPECT_EQ(slabs.take(1, 8), nullptr);
  ASSERT_TRUE(slabs.put(at(kBase), 3 * Slabs::kPage));
  EXPECT_EQ(slabs.take(4 * Slabs::kPage, 8), nullptr);
  EXPECT_EQ(slabs.take(1, 8), at(kBase));
  EXPECT_EQ(slabs.take(Slabs::kPage + 1, 8), at(kBase + Slabs::kPage));
  EXPECT_EQ(slabs.take(1, 8), nullptr);
}

TEST(Slabs, AlignsPartsAndKeepsWhatIsInFrontOfThem) {
  Slabs slabs;
  ASSERT_TRUE(slabs.put(at(kBase + Slabs::kPage), 8 * Slabs::kPage));
  EXPECT_EQ(slabs.take(Slabs::kPage, 4 * Slabs::kPage), at(kBase + 4 * Slabs::kPage));
  EXPECT_EQ(slabs.take(3 * Slabs::kPage, 1), at(kBase + Slabs::kPage));
  EXPECT_EQ(slabs.take(4 * Slabs::kPage, 1), at(kBase + 5 * Slabs::kPage));
  EXPECT_EQ(slabs.take(1, 1), nullptr);
}

TEST(Slabs, FreePartsMergeInEveryOrder) {
  std::mt19937 random(11);
  Slabs slabs;
  std::map<uint64_t, uint64_t> taken;
  for (uint64_t slab = 0; slab < 4; ++slab) // neighbours, but for a gap behind the second
    ASSERT_TRUE(slabs.put(at(kBase + (slab + slab / 2) * kSlab), kSlab));
  for (int round = 0; round < 20000; ++round) {
    if (taken.empty() || random() % 5 < 3) {
      uint64_t bytes = random() % (random() % 8 ? 20000 : kSlab / 2) + 1, align = uint64_t(1) << random() % 16;
      uint64_t place = addressOf(slabs.take(bytes, align));
      if (!place)
        continue;
      EXPECT_EQ(place % align, 0u);
      auto above = taken.lower_bound(place);
      EXPECT_TRUE(above == taken.end() || place + Slabs::wholePages(bytes) <= above->first);
      EXPECT_TRUE(above == taken.begin() || std::prev(above)->first + std::prev(above)->second <= place);
      taken[place] = Slabs::wholePages(bytes);
    } else {
      auto some = std::next(taken.begin(), long(random() % taken.size()));
      ASSERT_TRUE(slabs.put(at(some->first), some->second));
      taken.erase(some);
    }
  }
  for (auto [place, bytes] : taken)
    ASSERT_TRUE(slabs.put(at(place), bytes));
  EXPECT_EQ(slabs.take(2 * kSlab, 1), at(kBase));
  EXPECT_EQ(slabs.take(2 * kSlab, 1), at(kBase + 3 * kSlab));
  EXPECT_EQ(slabs.take(1, 1), nullptr);
}

} // namespace
} // namespace cilk2gpu::test
