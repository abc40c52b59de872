// Tests that blocks are kept in order and found by any address in them.
#include "executors/gpu/BlockList.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace cilk2gpu::device {
namespace {

void *at(uintptr_t address) { return reinterpret_cast<void *>(address); }

TEST(BlockList, KeepsBlocksInOrderAndFindsThem) {
  BlockList list;
  std::map<uintptr_t, uint64_t> expected;
  std::mt19937_64 random(1);
  for (int step = 0; step < 5000; ++step) {
    uintptr_t start = (random() % 1000 + 1) * 4096;
    if (!expected.count(start)) {
      ASSERT_TRUE(list.add(at(start), 4096));
      expected[start] = 4096;
    } else {
      EXPECT_EQ(list.remove(at(start + random() % 4096)), at(start));
      expected.erase(start);
    }
    ASSERT_EQ(list.size(), expected.size());
  }
  const HostRange *range = list.begin();
  for (auto [start, bytes] : expected) {
    EXPECT_EQ(range->address, at(start));
    EXPECT_EQ(range++->bytes, bytes);
  }
}

} // namespace
} // namespace cilk2gpu::device
