// Tests that a channel grows by segments up to its width, hands elements over in any mix of operations, and gives space
// back. Outside of a machine there are no modelled points: every operation runs to its end.
#include "emulator/LevelChannel.h"
#include "host/HostEnvironment.h"

#include <deque>
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace cilk2gpu::rt;
using cilk2gpu::abi::FieldRecord;

namespace {

const FieldRecord fields[] = {{8, 8}, {4, 4}};

class LevelChannels : public testing::Test {
protected:
  LevelChannels() : environment(hostEnvironment()), arena(environment) {}
  ~LevelChannels() override { arena.destroy(); }

  ChannelBudget budget(uint32_t granularity = 4) { return {arena, granularity}; }
  void open(uint64_t width) { channel.initialise({fields, 2}, width); }

  /// Reserves up to `count` and fills in numbers.
  Reservation fill(uint64_t count, uint32_t granularity = 4) {
    Reservation granted = channel.reserve(budget(granularity), count, 8, cas);
    for (uint64_t i = 0; i < granted.count; ++i) {
      uint64_t slot = granted.segment->channel.slotOf(granted.position) + i;
      EXPECT_LT(slot, granted.segment->channel.width());
      static_cast<uint64_t *>(granted.segment->columns[0])[slot] = written;
      static_cast<uint32_t *>(granted.segment->columns[1])[slot] = uint32_t(~written);
      ++written;
    }
    return granted;
  }

  void consume(const DispatchedRange &range) {
    for (uint64_t i = 0; i < range.range.count; ++i) {
      uint64_t slot = range.segment->channel.deq(range.range.first + i);
      uint64_t value = static_cast<uint64_t *>(range.segment->columns[0])[slot];
      EXPECT_EQ(static_cast<uint32_t *>(range.segment->columns[1])[slot], uint32_t(~value));
      EXPECT_TRUE(seen.insert(value).second);
      HostWave one(1);
      HostWave::PerLane<uint64_t> slots;
      slots[0] = slot;
      range.segment->channel.tfree(one, slots);
      --range.segment->outstanding;
    }
  }

  MemoryBudget memory = {4096}; ///< of a test that sets it
  Environment environment;
  Arena arena;
  LevelChannel channel;
  CasCounts cas;
  uint64_t written = 0;
  std::set<uint64_t> seen;
};

TEST_F(LevelChannels, GrowToTheWidthAndRefuseThen) {
  for (uint64_t width : {1, 2, 7, 8, 9, 100}) {
    open(width);
    uint64_t total = 0;
    while (uint64_t count = fill(5).count) {
      total += count;
      EXPECT_LE(channel.capacity(), width);
    }
    EXPECT_EQ(total, width);
    EXPECT_EQ(channel.room(), 0u);
    EXPECT_EQ(channel.outstanding(), width);
  }
}

TEST_F(LevelChannels, ABudgetStopsGrowthButNotTheFirstSegment) {
  open(1000);
  environment.budget = &memory;
  uint64_t total = 0;
  while (uint64_t count = channel.reserve(budget(), 100, 8, cas).count)
    total += count;
  EXPECT_GE(total, 8u);
  EXPECT_LT(total, 200u);
  EXPECT_LE(memory.used, 4096u);
}

TEST_F(LevelChannels, WhatIsLeftGoesToOthers) {
  open(16);
  Reservation all = fill(16);
  while (uint64_t more = fill(16).count)
    all.count += more;
  Reservation some = {all.segment, all.position, 3};
  channel.leave(budget(), some);
  EXPECT_EQ(channel.room(), 3u);
  Reservation again = fill(2);
  EXPECT_EQ(again.position, some.position);
  EXPECT_EQ(again.count, 2u);
  EXPECT_EQ(fill(2).count, 1u);
  EXPECT_EQ(fill(1).count, 0u);
}

TEST_F(LevelChannels, SparesAreGivenBackWhenNobodyProduces) {
  open(8);
  channel.leave(budget(), fill(8));
  channel.dropSpares(budget());
  EXPECT_EQ(channel.outstanding(), 0u);
  EXPECT_EQ(channel.reclaim(budget()), 8u);
  EXPECT_EQ(channel.room(), 8u);
}

TEST_F(LevelChannels, NothingIsLostInAnyMix) {
  for (uint32_t granularity : {1, 3, 64})
    for (uint64_t width : {1, 3, 17, 64}) {
      std::mt19937 random(uint32_t(width * granularity));
      open(width);
      written = 0;
      seen.clear();
      std::deque<Reservation> unpublished;
      std::deque<DispatchedRange> running;
      for (int step = 0; step < 4000; ++step) {
        switch (random() % 5) {
        case 0:
          if (Reservation granted = fill(random() % 9 + 1, granularity); granted.count)
            unpublished.push_back(granted);
          break;
        case 1:
          if (!unpublished.empty()) {
            uint64_t at = random() % unpublished.size();
            channel.publish(unpublished[at], cas);
            unpublished.erase(unpublished.begin() + long(at));
          }
          break;
        case 2: {
          DispatchedRange ranges[64];
          uint32_t count = channel.dispatch(random() % 6 + 1, ranges, 64);
          running.insert(running.end(), ranges, ranges + count);
          break;
        }
        case 3:
          if (!running.empty()) {
            uint64_t at = random() % running.size();
            consume(running[at]);
            running.erase(running.begin() + long(at));
          }
          break;
        case 4:
          channel.reclaim(budget(granularity));
        }
        ASSERT_LE(channel.outstanding(), width);
        ASSERT_LE(channel.capacity(), width);
      }
      for (Reservation &filled : unpublished)
        channel.publish(filled, cas);
      DispatchedRange ranges[64];
      while (uint32_t count = channel.dispatch(64, ranges, 64))
        running.insert(running.end(), ranges, ranges + count);
      for (DispatchedRange &range : running)
        consume(range);
      EXPECT_EQ(seen.size(), written);
      channel.reclaim(budget(granularity));
      EXPECT_EQ(channel.outstanding(), 0u);
      EXPECT_EQ(channel.room(), width);
    }
}

} // namespace
