// Tests that a thread uses the blocks again that it has given back, and that blocks do not overlap.
#include "reducers/SmallBlocks.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace cilk2gpu::rt::reducers;

TEST(SmallBlocks, AreUsedAgain) {
  void *block = takeBlock(40);
  giveBlock(block, 40);
  EXPECT_EQ(takeBlock(48), block) << "both sizes have blocks of 48 bytes";
  void *other = takeBlock(48);
  EXPECT_NE(other, block);
  giveBlock(other, 48);
  giveBlock(block, 48);
}

// malloc returns blocks in another order, because it keeps only a few of a size at hand.
TEST(SmallBlocks, AreUsedAgainInReverseOrder) {
  std::vector<void *> blocks(100);
  for (void *&block : blocks)
    block = takeBlock(256);
  for (void *block : blocks)
    giveBlock(block, 256);
  for (size_t i = blocks.size(); i-- > 0;)
    EXPECT_EQ(takeBlock(256), blocks[i]);
  for (void *block : blocks)
    giveBlock(block, 256);
}

TEST(SmallBlocks, HoldTheirBytes) {
  std::vector<void *> blocks;
  for (int round = 0; round < 3; ++round) {
    for (size_t bytes = 0; bytes <= 1500; ++bytes) {
      blocks.push_back(takeBlock(bytes));
      ASSERT_NE(blocks.back(), nullptr);
      ASSERT_EQ(reinterpret_cast<uintptr_t>(blocks.back()) % alignof(max_align_t), 0u);
      memset(blocks.back(), int(bytes), bytes);
    }
    for (size_t bytes = 0; bytes <= 1500; ++bytes)
      for (size_t at = 0; at < bytes; ++at)
        ASSERT_EQ(static_cast<unsigned char *>(blocks[bytes])[at], (unsigned char)(bytes));
    for (size_t bytes = 0; bytes <= 1500; ++bytes)
      giveBlock(blocks[bytes], bytes);
    blocks.clear();
  }
}

TEST(SmallBlocks, MayBeGivenBackByOtherThreads) {
  std::vector<void *> blocks;
  for (int i = 0; i < 20000; ++i) // more than a thread keeps
    blocks.push_back(takeBlock(64));
  std::thread([&] {
    for (void *block : blocks)
      giveBlock(block, 64);
  }).join();
}
