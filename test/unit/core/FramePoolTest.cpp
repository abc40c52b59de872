// Tests that frames do not overlap, in one piece and in columns. When all frames are free, they are handed out in the
// order of their addresses again. The bound covers their memory.
#include "core/FramePool.h"
#include "core/MemoryBound.h"
#include "process/HostEnvironment.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace cilk2gpu::rt;

namespace cilk2gpu {
namespace {

class FramePoolTest : public testing::Test {
protected:
  ~FramePoolTest() override { arena.destroy(); }

  std::vector<void *> take(uint64_t wanted) {
    EXPECT_EQ(pool.provide(arena, wanted, ~uint64_t(0), shape), wanted);
    std::vector<void *> frames;
    for (uint64_t i = 0; i < wanted; ++i)
      frames.push_back(pool.store.free[--pool.store.count]);
    return frames;
  }
  void giveBack(void *frame) { pool.store.free[pool.store.count++] = frame; }

  Environment environment = hostEnvironment();
  Arena arena{environment};
  FramePool pool{};
  FrameShape shape{};
};

/// Returns the bytes of a frame.
std::vector<char *> bytesOf(const FrameShape &shape, void *frame) {
  std::vector<char *> bytes;
  for (uint64_t i = 0; i < shape.size; ++i)
    bytes.push_back(
        static_cast<char *>(frame) +
        (shape.inColumns ? i / abi::kFrameColumn * abi::kFrameGroup * abi::kFrameColumn + i % abi::kFrameColumn : i));
  return bytes;
}

TEST_F(FramePoolTest, FramesDoNotOverlap) {
  for (FrameShape each : {FrameShape{20, 4, false}, FrameShape{8, 8, true}, FrameShape{24, 8, true}}) {
    shape = each;
    pool = {};
    std::map<char *, void *> owner;
    for (uint64_t wanted : {1, 2, 5, 8, 9, 40}) {
      for (void *frame : take(wanted)) {
        EXPECT_EQ(reinterpret_cast<uintptr_t>(frame) % shape.align, 0u);
        for (char *byte : bytesOf(shape, frame))
          EXPECT_TRUE(owner.emplace(byte, frame).second);
      }
    }
    // All of it is usable memory.
    for (auto &[byte, frame] : owner)
      *byte = 1;
  }
}

TEST_F(FramePoolTest, ColumnsLieInGroups) {
  shape = {24, 8, true};
  std::vector<void *> frames = take(20);
  for (uint64_t i = 0; i < frames.size(); ++i)
    EXPECT_EQ(static_cast<char *>(frames[i]) - static_cast<char *>(frames[0]),
              int64_t(i / abi::kFrameGroup * abi::kFrameGroup * 24 + i % abi::kFrameGroup * 8));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(frames[0]) % 64, 0u);
}

TEST_F(FramePoolTest, ComeBackInOrder) {
  shape = {24, 8, true};
  std::mt19937 random(1);
  std::vector<void *> first = take(100);
  for (void *frame : first)
    giveBack(frame);
  first = take(100);
  std::vector<void *> held = first;
  int whole = 0;
  for (int round = 0; round < 200; ++round) {
    // Some frames come back in any order, and are taken again, while others stay away.
    std::shuffle(held.begin(), held.end(), random);
    for (int i = random() % 60; i > 0 && !held.empty(); --i) {
      giveBack(held.back());
      held.pop_back();
    }
    if (random() % 2)
      for (void *frame : take(std::min<uint64_t>(pool.store.count, random() % 20)))
        held.push_back(frame);
    while (!held.empty() && random() % 3) {
      giveBack(held.back());
      held.pop_back();
    }
    if (!held.empty())
      continue;
    uint64_t wanted = random() % 100 + 1;
    held = take(wanted);
    EXPECT_TRUE(std::equal(held.begin(), held.end(), first.begin())) << round;
    ++whole;
  }
  EXPECT_GT(whole, 10);
  EXPECT_EQ(std::set<void *>(first.begin(), first.end()).size(), 100u);
}

TEST_F(FramePoolTest, ChunksKeepTheOrder) {
  shape = {16, 8, true};
  std::vector<void *> all = take(3);
  for (void *frame : take(70))
    all.push_back(frame);
  std::shuffle(all.begin(), all.end(), std::mt19937(7));
  for (void *frame : all)
    giveBack(frame);
  // Frames of the last chunk come first, and frames of a chunk come in the order of their addresses.
  std::vector<void *> again = take(pool.total);
  EXPECT_EQ(std::set<void *>(again.begin(), again.end()).size(), again.size());
  int descents = 0;
  for (size_t i = 1; i < again.size(); ++i)
    descents += again[i] < again[i - 1] || static_cast<char *>(again[i]) - static_cast<char *>(again[i - 1]) > 128;
  EXPECT_LE(descents, 7);
}

TEST_F(FramePoolTest, TheBoundCoversThem) {
  for (uint64_t width : {1, 7, 8, 9, 64, 1000})
    for (bool inColumns : {false, true}) {
      Arena own(environment);
      pool = {};
      TaskInfo task{};
      task.frame = shape = {40, 8, inColumns};
      for (uint64_t wanted = 1; wanted <= width; wanted += wanted / 3 + 1)
        pool.provide(own, wanted, width, shape);
      EXPECT_EQ(pool.provide(own, width, width, shape), width);
      EXPECT_LE(own.highWater(), framesBound(task, width)) << width << ' ' << inColumns;
      own.destroy();
    }
}

TEST_F(FramePoolTest, ABudgetBoundsThem) {
  MemoryBudget budget{224 << 10};
  environment.budget = &budget;
  for (bool inColumns : {false, true}) {
    shape = {1024, 8, inColumns};
    pool = {};
    take(60);
    // There is no memory for as many frames again: some lanes wait for frames in use.
    uint64_t provided = pool.provide(arena, 60, 1000, shape);
    EXPECT_GT(provided, 0u);
    EXPECT_LT(provided, 60u);
    EXPECT_LE(budget.used, budget.cap / 2);
    arena.destroy();
    // The reserve has one frame in any case.
    pool = {};
    budget.used = budget.cap / 2;
    EXPECT_EQ(pool.provide(arena, 60, 1000, shape), 1u);
    arena.destroy();
    budget.used = 0;
  }
  environment.budget = nullptr;
}

} // namespace
} // namespace cilk2gpu
