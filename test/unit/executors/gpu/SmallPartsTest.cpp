// Tests of small blocks in chunks: random blocks never overlap, keep their alignment, and come back.
#include "executors/gpu/SmallParts.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace cilk2gpu::test {
namespace {

using device::SmallParts;

uint64_t addressOf(void *place) { return reinterpret_cast<uint64_t>(place); }
void *at(uint64_t address) { return reinterpret_cast<void *>(address); }

/// Parts in chunks at made-up addresses, which nobody may touch. Every second chunk is below the last one.
class Parts {
public:
  uint64_t take(uint64_t bytes, uint64_t align) {
    void *block = parts.take(bytes, align);
    if (!block) {
      EXPECT_TRUE(
          parts.addChunk(at(kMiddle + (numChunks % 2 ? numChunks : -numChunks) * SmallParts::kChunk), bytes, align));
      ++numChunks;
      block = parts.take(bytes, align);
    }
    return addressOf(block);
  }
  SmallParts parts;
  uint64_t numChunks = 0;

private:
  static constexpr uint64_t kMiddle = uint64_t(7) << 40;
};

TEST(SmallParts, AllBlocksOfAChunkAreUsedAndComeBack) {
  for (uint64_t size : {1, 16, 17, 100, 4096, 20000, 32768}) {
    Parts parts;
    uint64_t rounded = size < 16 ? 16 : std::bit_ceil(size);
    std::map<uint64_t, bool> taken;
    for (uint64_t i = 0; i < SmallParts::kChunk / rounded; ++i)
      taken[parts.take(size, 1)];
    EXPECT_EQ(parts.numChunks, 1u);
    EXPECT_EQ(taken.size(), SmallParts::kChunk / rounded);
    EXPECT_EQ(taken.rbegin()->first - taken.begin()->first, SmallParts::kChunk - rounded);
    EXPECT_EQ(parts.parts.take(size, 1), nullptr);
    uint64_t some = std::next(taken.begin(), long(taken.size() / 2))->first;
    parts.parts.put(at(some));
    EXPECT_EQ(parts.take(size, 1), some);
    EXPECT_EQ(parts.numChunks, 1u);
  }
}

TEST(SmallParts, RandomBlocksDoNotOverlap) {
  std::mt19937 random(5);
  Parts parts;
  std::map<uint64_t, uint64_t> taken;
  for (int round = 0; round < 50000; ++round) {
    if (taken.size() < 3000 && (taken.empty() || random() % 2)) {
      uint64_t bytes = random() % (uint64_t(1) << random() % 16) + 1, align = uint64_t(1) << random() % 13;
      uint64_t place = parts.take(bytes, align), size = parts.parts.sizeOf(at(place));
      EXPECT_GE(size, bytes);
      EXPECT_EQ(place % align, 0u);
      auto above = taken.lower_bound(place);
      EXPECT_TRUE(above == taken.end() || place + size <= above->first);
      EXPECT_TRUE(above == taken.begin() || std::prev(above)->first + std::prev(above)->second <= place);
      taken[place] = size;
    } else {
      auto some = std::next(taken.begin(), long(random() % taken.size()));
      EXPECT_EQ(parts.parts.sizeOf(at(some->first)), some->second);
      parts.parts.put(at(some->first));
      taken.erase(some);
    }
  }
  EXPECT_EQ(parts.parts.sizeOf(at(16)), 0u);
  EXPECT_EQ(parts.parts.sizeOf(at(uint64_t(8) << 40)), 0u);
}

} // namespace
} // namespace cilk2gpu::test
