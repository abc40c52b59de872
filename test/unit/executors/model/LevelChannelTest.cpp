// Tests that a channel grows by segments up to its width, hands elements over in any mix of operations, and gives space
// back. Outside of a machine there are no modelled points, so every operation runs to its end.
#include "executors/model/LevelChannel.h"
#include "process/HostEnvironment.h"

#include <deque>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <string.h>

using namespace cilk2gpu::rt;
using cilk2gpu::abi::FieldRecord;

namespace {

const FieldRecord fields[] = {{8, 8}, {4, 4}};

class LevelChannels : public testing::Test {
protected:
  LevelChannels() : environment(hostEnvironment()), arena(environment) {}
  ~LevelChannels() override { arena.destroy(); }

  ChannelBudget budget(uint32_t granularity = 4) { return {arena, granularity}; }
  uint64_t room() { return channel.room(budget(), 8); }
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
      freeOne(range, i);
    }
  }

  /// Takes and frees all ready elements of a channel of runs.
  void consumeRuns() {
    DispatchedRange ranges[64];
    for (uint32_t count; (count = channel.dispatch(64, ranges, 64));)
      for (uint32_t r = 0; r < count; ++r)
        for (uint64_t i = 0; i < ranges[r].range.count; ++i)
          freeOne(ranges[r], i);
  }

  void freeOne(const DispatchedRange &from, uint64_t index) {
    HostWave one(1);
    HostWave::PerLane<uint64_t> slots;
    slots[0] = from.segment->channel.deq(from.range.first + index);
    from.segment->channel.tfree(one, slots);
    --from.segment->outstanding;
  }

  MemoryBudget memory = {4096}; ///< budget of a test that sets it
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
    EXPECT_EQ(room(), 0u);
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
  EXPECT_EQ(room(), 0u) << "those that wait for room are not to be restarted";
}

TEST_F(LevelChannels, WhatIsLeftGoesToOthers) {
  open(16);
  Reservation all = fill(16);
  while (uint64_t more = fill(16).count)
    all.count += more;
  Reservation some = {all.segment, all.position, 3};
  channel.leave(budget(), some);
  EXPECT_EQ(room(), 3u);
  Reservation again = fill(2);
  EXPECT_EQ(again.position, some.position);
  EXPECT_EQ(again.count, 2u);
  EXPECT_EQ(fill(2).count, 1u);
  EXPECT_EQ(fill(1).count, 0u);
}

TEST_F(LevelChannels, NeighboursThatAreLeftAreOneRun) {
  open(8);
  Reservation all = fill(8);
  ASSERT_EQ(all.count, 8u);
  channel.leave(budget(), {all.segment, all.position, 3});
  channel.leave(budget(), {all.segment, all.position + 3, 2});
  Reservation again = fill(8);
  EXPECT_EQ(again.position, all.position);
  EXPECT_EQ(again.count, 5u);
}

TEST_F(LevelChannels, NeighboursAtTheEndOfTheDataArrayAreTwoRuns) {
  open(8);
  Reservation six = fill(6, 1), last = fill(2, 1);
  ASSERT_EQ(six.count + last.count, 8u);
  channel.publish(six, cas);
  consumeRuns();
  channel.reclaim(budget(1));
  Reservation first = fill(2, 1);
  ASSERT_EQ(first.segment->channel.slotOf(first.position), 0u);
  ASSERT_EQ(first.position, last.position + 2);
  channel.leave(budget(1), last);
  channel.leave(budget(1), first);
  EXPECT_EQ(fill(4, 1).count, 2u); // which also checks that the elements are in the array
  EXPECT_EQ(fill(2, 1).count, 2u);
}

TEST_F(LevelChannels, SparesAreGivenBackWhenNobodyProduces) {
  open(8);
  channel.leave(budget(), fill(8));
  channel.dropSpares(budget());
  EXPECT_EQ(channel.outstanding(), 0u);
  EXPECT_EQ(channel.reclaim(budget()), 8u);
  EXPECT_EQ(room(), 8u);
}

const FieldRecord element = {12, 4};

TEST_F(LevelChannels, AnEmptyOneHoldsARunAsLongAsItIsWide) {
  for (uint64_t first : {1, 4, 64}) // of a segment
    for (uint64_t width : {1, 2, 5, 8, 9, 64})
      for (uint64_t count = 1; count <= width; ++count)
        for (uint64_t before = 1; before <= width; ++before) {
          channel.initialiseRuns({&element, 1}, width);
          auto take = [&](uint64_t least) {
            Reservation run = channel.reserveRun(budget(), least, least, first, cas);
            ASSERT_EQ(run.count, least) << width << " " << before << " " << count;
            channel.leave(budget(), run);
            channel.dropSpares(budget());
            channel.reclaim(budget());
          };
          take(before);
          take(count);
          take(width);
          channel.dropSpares(budget());
        }
}

TEST_F(LevelChannels, ARunGetsWhateverIsFreeOfARing) {
  // A segment as wide as the channel: elements of five, then of two at the end and one at the start.
  channel.initialiseRuns({&element, 1}, 8);
  Reservation five = channel.reserveRun(budget(1), 5, 5, 8, cas), one = channel.reserveRun(budget(1), 1, 1, 8, cas);
  EXPECT_EQ(channel.reserveRun(budget(1), 3, 3, 8, cas).count, 0u);
  EXPECT_FALSE(channel.mayGrantRun(3));
  channel.leave(budget(1), five);
  EXPECT_TRUE(channel.dropSpares(budget(1)));
  channel.reclaim(budget(1));
  EXPECT_TRUE(channel.mayGrantRun(7));
  EXPECT_FALSE(channel.mayGrantRun(8));
  Reservation seven = channel.reserveRun(budget(1), 7, 7, 8, cas);
  ASSERT_EQ(seven.count, 7u);
  char *run = static_cast<char *>(channel.makeRun(seven)), *other = static_cast<char *>(channel.makeRun(one));
  EXPECT_EQ(run - other, 12);
  for (uint64_t i = 0; i < 7; ++i)
    EXPECT_EQ(channel.elementOfRun(*seven.segment, seven.segment->channel.slotOf(seven.position + i)), run + 12 * i);
}

TEST_F(LevelChannels, WhatIsGivenBackBehindAnElementDoesNotCount) {
  channel.initialiseRuns({&element, 1}, 8);
  Reservation one = channel.reserveRun(budget(1), 1, 1, 8, cas);
  channel.leave(budget(1), channel.reserveRun(budget(1), 2, 2, 8, cas));
  EXPECT_EQ(channel.reserveRun(budget(1), 7, 7, 8, cas).count, 0u);
  EXPECT_TRUE(channel.dropSpares(budget(1)));
  EXPECT_EQ(channel.reclaim(budget(1)), 0u);
  EXPECT_FALSE(channel.mayGrantRun(8));
  EXPECT_TRUE(channel.mayGrantRun(7));
  EXPECT_EQ(channel.reserveRun(budget(1), 8, 8, 8, cas).count, 0u);
  Reservation seven = channel.reserveRun(budget(1), 7, 7, 8, cas);
  EXPECT_EQ(seven.count, 7u);
  EXPECT_EQ(channel.reserveRun(budget(1), 1, 1, 8, cas).count, 0u);
  EXPECT_EQ(channel.outstanding(), 8u);
  // Nothing of it is left when all elements are done.
  channel.leave(budget(1), one);
  channel.leave(budget(1), seven);
  channel.dropSpares(budget(1));
  channel.reclaim(budget(1));
  EXPECT_EQ(room(), 8u);
  EXPECT_EQ(channel.reserveRun(budget(1), 8, 8, 8, cas).count, 8u);
}

TEST_F(LevelChannels, TheLastGroupIsFreedThoughSomebodyWasInside) {
  channel.initialiseRuns({&element, 1}, 8);
  Reservation two = channel.reserveRun(budget(4), 2, 2, 8, cas);
  ChannelBuffer &segment = *two.segment;
  auto *run = static_cast<uint64_t *>(channel.makeRun(two));
  memset(run, 0, 2 * element.size);
  channel.publish(two, cas);
  consumeRuns();
  ++segment.users; // another wavefront is about to reserve
  EXPECT_EQ(channel.reclaim(budget(4)), 0u);
  --segment.users;
  EXPECT_FALSE(channel.mayReclaim);
  EXPECT_EQ(channel.reserveRun(budget(4), 8, 8, 8, cas).count, 0u);
  EXPECT_TRUE(channel.mayReclaim) << "else nobody would";
  channel.reclaim(budget(4));
  EXPECT_EQ(channel.reserveRun(budget(4), 8, 8, 8, cas).count, 8u);
}

TEST_F(LevelChannels, RunsKeepWithinTheWidthInAnyMix) {
  for (uint64_t first : {1, 64})
    for (uint64_t width : {1, 3, 8, 17, 64}) {
      std::mt19937 random(uint32_t(width + first));
      channel.initialiseRuns({&element, 1}, width);
      uint32_t number = 0, consumed = 0;
      std::deque<std::pair<Reservation, uint32_t>> unpublished;
      std::deque<DispatchedRange> running;
      std::vector<bool> seenNumbers;
      for (int step = 0; step < 6000; ++step) {
        bool ends = step > 5000;
        switch (random() % 5) {
        case 0: {
          uint64_t least = random() % width + 1;
          Reservation run =
              ends ? Reservation() : channel.reserveRun(budget(), least + random() % 3, least, first, cas);
          if (!run.count)
            break;
          ASSERT_GE(run.count, least);
          channel.leave(budget(), {run.segment, run.position + least, run.count - least});
          run.count = least;
          auto *elements = static_cast<uint32_t *>(channel.makeRun(run));
          unpublished.push_back({run, number});
          for (uint64_t i = 0; i < least; ++i, ++number)
            elements[3 * i] = elements[3 * i + 2] = number;
          break;
        }
        case 1:
          if (!unpublished.empty()) {
            uint64_t at = random() % unpublished.size();
            channel.publish(unpublished[at].first, cas);
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
            DispatchedRange range = running[random() % running.size()];
            std::erase_if(running, [&](const DispatchedRange &other) {
              return other.segment == range.segment && other.range.first == range.range.first;
            });
            for (uint64_t i = 0; i < range.range.count; ++i) {
              uint64_t slot = range.segment->channel.deq(range.range.first + i);
              auto *found = static_cast<uint32_t *>(channel.elementOfRun(*range.segment, slot));
              ASSERT_EQ(found[0], found[2]);
              seenNumbers.resize(number);
              ASSERT_FALSE(seenNumbers[found[0]]);
              seenNumbers[found[0]] = true;
              ++consumed;
              freeOne(range, i);
            }
          }
          break;
        case 4:
          channel.reclaim(budget());
        }
        ASSERT_LE(channel.outstanding(), width);
      }
      EXPECT_EQ(consumed, number);
      channel.dropSpares(budget());
      channel.reclaim(budget());
      EXPECT_EQ(channel.outstanding(), 0u);
      EXPECT_EQ(room(), width);
      EXPECT_EQ(channel.reserveRun(budget(), width, width, first, cas).count, width);
      channel.dropSpares(budget());
    }
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
      EXPECT_EQ(room(), width);
    }
}

} // namespace
