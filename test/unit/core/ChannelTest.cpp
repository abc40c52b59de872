// Tests that channels keep order, bound and alignment while they grow and are compacted, and that their arena never
// hands out memory twice.
#include "core/OwnedChannel.h"
#include "process/HostEnvironment.h"

#include <deque>
#include <gtest/gtest.h>
#include <random>

using namespace cilk2gpu::rt;

namespace cilk2gpu {
namespace {

class ChannelTest : public testing::Test {
protected:
  ~ChannelTest() override { arena.destroy(); }
  Environment environment = hostEnvironment();
  Arena arena{environment};
};

TEST_F(ChannelTest, BehavesLikeABoundedQueue) {
  const abi::FieldRecord fields[] = {{1, 1}, {8, 8}, {0, 1}, {4, 4}};
  const ElementLayout layout = {fields, 4};
  for (uint64_t bound : {1, 2, 5, 64, 1000}) {
    void *columns[4] = {};
    OwnedChannel channel;
    channel.initialise(columns);
    std::deque<uint64_t> model;
    std::mt19937_64 random(bound);
    uint64_t nextValue = 0;
    for (int step = 0; step < 5000; ++step) {
      uint64_t amount = random() % (bound / 2 + 1) + 1;
      if (random() % 2) {
        bool room = channel.makeRoom(arena, layout, amount, bound, 1);
        EXPECT_EQ(room, model.size() + amount <= bound);
        for (uint64_t i = 0; room && i < amount; ++i, ++channel.cursor.next, ++nextValue) {
          ASSERT_LT(channel.cursor.next, channel.cursor.limit);
          static_cast<uint8_t *>(columns[0])[channel.cursor.next] = uint8_t(nextValue);
          static_cast<uint64_t *>(columns[1])[channel.cursor.next] = nextValue;
          static_cast<uint32_t *>(columns[3])[channel.cursor.next] = uint32_t(nextValue * 3);
          model.push_back(nextValue);
        }
      } else if (amount <= model.size()) {
        if (random() % 4 == 0) {
          channel.takeBack(amount);
          model.resize(model.size() - amount);
        } else {
          channel.consume(amount);
          model.erase(model.begin(), model.begin() + int64_t(amount));
        }
      }
      ASSERT_EQ(channel.size(), model.size());
      ASSERT_LE(channel.capacity, bound);
      for (uint64_t i = 0; i < model.size(); ++i) {
        ASSERT_EQ(static_cast<uint8_t *>(columns[0])[channel.head + i], uint8_t(model[i]));
        ASSERT_EQ(static_cast<uint64_t *>(columns[1])[channel.head + i], model[i]);
        ASSERT_EQ(static_cast<uint32_t *>(columns[3])[channel.head + i], uint32_t(model[i] * 3));
      }
    }
  }
}

TEST_F(ChannelTest, ColumnsAreAligned) {
  const abi::FieldRecord fields[] = {{3, 1}, {8, 8}, {64, 64}, {256, 128}, {5, 1}};
  const ElementLayout layout = {fields, 5};
  void *columns[5] = {};
  OwnedChannel channel;
  channel.initialise(columns);
  for (uint64_t elements : {1, 4, 7, 100, 5000}) {
    ASSERT_TRUE(channel.makeRoom(arena, layout, elements - channel.size(), elements, 1));
    for (uint32_t f = 0; f < 5; ++f) {
      uint64_t bytes = fields[f].size * channel.capacity;
      uint64_t align = bytes >= tunables::kLargeColumn ? 64 : 16;
      EXPECT_EQ(reinterpret_cast<uintptr_t>(columns[f]) % (fields[f].align > align ? fields[f].align : align), 0u);
      memset(columns[f], int(f), bytes);
    }
    channel.cursor.next = channel.capacity;
    for (uint32_t f = 0; f < 5; ++f)
      for (uint64_t i = 0; i < fields[f].size * channel.capacity; ++i)
        ASSERT_EQ(static_cast<char *>(columns[f])[i], char(f)) << "column " << f << " overlaps another";
  }
}

TEST_F(ChannelTest, ElementWithoutFieldsHasABoundToo) {
  const ElementLayout layout = {nullptr, 0};
  OwnedChannel channel;
  channel.initialise(nullptr);
  EXPECT_TRUE(channel.makeRoom(arena, layout, 3, 3, 1));
  channel.cursor.next = 3;
  EXPECT_FALSE(channel.makeRoom(arena, layout, 1, 3, 1));
}

TEST_F(ChannelTest, ArenaBlocksAreDistinctAlignedAndReused) {
  struct Block {
    unsigned char *memory;
    uint64_t bytes, align;
    unsigned char mark;
  };
  std::vector<Block> blocks;
  std::mt19937_64 random(7);
  for (int step = 0; step < 20000; ++step) {
    if (blocks.size() < 200 && random() % 5 < 3) {
      uint64_t bytes = random() % 3 ? random() % 300 : random() % 70000, align = uint64_t(1) << random() % 9;
      Block block = {static_cast<unsigned char *>(arena.allocate(bytes, align)), bytes, align, uint8_t(step)};
      ASSERT_EQ(reinterpret_cast<uintptr_t>(block.memory) % align, 0u);
      memset(block.memory, block.mark, bytes);
      blocks.push_back(block);
    } else if (!blocks.empty()) {
      std::swap(blocks[random() % blocks.size()], blocks.back());
      Block block = blocks.back();
      for (uint64_t i = 0; i < block.bytes; ++i)
        ASSERT_EQ(block.memory[i], block.mark);
      arena.release(block.memory, block.bytes, block.align);
      blocks.pop_back();
    }
  }
  uint64_t before = arena.highWater();
  void *first = arena.allocate(100, 8);
  arena.release(first, 100, 8);
  EXPECT_EQ(arena.allocate(97, 8), first);
  EXPECT_GE(arena.highWater(), before);
}

} // namespace
} // namespace cilk2gpu
