// Tests that the owner of a device's memory does not touch it: pages that the host touches would move to the host. The
// device's memory is closed here, so that an access ends the test. Also tests that an arena fills arrays.
#include "core/Arena.h"
#include "core/FramePool.h"
#include "process/HostEnvironment.h"

#include <gtest/gtest.h>
#include <map>
#include <set>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <vector>

using namespace cilk2gpu::rt;

namespace {

/// Memory that only write() and copy() may use.
class ClosedMemory {
public:
  ClosedMemory() { environment.device = &hooks; }
  ~ClosedMemory() { EXPECT_TRUE(blocks.empty()) << "the arena keeps memory"; }
  ClosedMemory(const ClosedMemory &) = delete;

  /// Returns what lanes would read.
  std::vector<void *> read(void *const *list, uint64_t count) {
    open(PROT_READ);
    std::vector<void *> entries(list, list + count);
    open(PROT_NONE);
    return entries;
  }

  Environment environment = hostEnvironment();
  std::map<void *, uint64_t> blocks;
  uint64_t writes = 0;
  DeviceHooks hooks = {this, nullptr, allocate, release, copy, write, nullptr, false};

private:
  static ClosedMemory &of(void *context) { return *static_cast<ClosedMemory *>(context); }

  static void *allocate(void *context, uint64_t bytes, uint64_t) {
    void *memory = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_TRUE(of(context).blocks.emplace(memory, bytes).second);
    return memory;
  }
  static void release(void *context, void *memory, uint64_t bytes, uint64_t) {
    auto block = of(context).blocks.find(memory);
    ASSERT_NE(block, of(context).blocks.end());
    EXPECT_EQ(block->second, bytes);
    munmap(memory, bytes);
    of(context).blocks.erase(block);
  }
  static void copy(void *context, void *to, const void *from, uint64_t bytes) {
    of(context).open(PROT_READ | PROT_WRITE);
    memcpy(to, from, bytes);
    of(context).open(PROT_NONE);
  }
  static void write(void *context, void *to, const void *from, uint64_t bytes) {
    ++of(context).writes;
    copy(context, to, from, bytes);
  }
  void open(int access) {
    for (auto [memory, bytes] : blocks)
      mprotect(memory, bytes, access);
  }
};

TEST(DeviceArena, BlocksOfAllSizesAreUsedAgainWithoutTouchingThem) {
  ClosedMemory memory;
  Arena arena(memory.environment, Arena::Memory::Device);
  constexpr uint64_t kSizes[] = {64, 128, 300, 5000, 70000, 3000000} /* of different classes */;
  for (uint64_t align : {8, 64, 256}) {
    std::map<uint64_t, void *> first;
    for (uint64_t bytes : kSizes) {
      first[bytes] = arena.allocate(bytes, align);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(first[bytes]) % align, 0u);
    }
    for (uint64_t bytes : kSizes)
      arena.release(first[bytes], bytes, align);
    EXPECT_EQ(arena.used(), 0u);
    uint64_t numBlocks = memory.blocks.size();
    for (uint64_t bytes : kSizes) {
      void *again = arena.allocate(bytes, align);
      if (align <= 64 && bytes <= tunables::kArenaLargest) {
        EXPECT_EQ(again, first[bytes]) << bytes;
        EXPECT_EQ(memory.blocks.size(), numBlocks);
      }
      arena.release(again, bytes, align);
    }
  }
  arena.destroy();
}

TEST(DeviceArena, DestroyGivesBackBlocksThatWereNotReleased) {
  ClosedMemory memory;
  Arena arena(memory.environment, Arena::Memory::Device);
  for (uint64_t i = 0; i < 1000; ++i)
    arena.allocate(i % 2 ? 24 : 100000 + i, 8);
  arena.destroy();
  EXPECT_EQ(memory.blocks.size(), 0u);
  EXPECT_NE(arena.allocate(24, 8), nullptr); // it can be used again
  arena.destroy();
}

TEST(DeviceArena, FramesAreListedThroughWrites) {
  ClosedMemory memory;
  Arena arena(memory.environment, Arena::Memory::Device);
  for (bool inColumns : {false, true}) {
    FramePool pool{};
    const FrameShape shape = {24, 8, inColumns};
    for (uint64_t wanted : {1, 7, 1000, 20000}) {
      uint64_t before = memory.writes;
      EXPECT_EQ(pool.provide(arena, wanted, ~uint64_t(0), shape), wanted);
      EXPECT_LE(memory.writes - before, 2u * (wanted / 8192 + 1)) << "lists are written in long parts";
    }
    std::vector<void *> listed = memory.read(pool.store.free, pool.store.count);
    EXPECT_EQ(std::set<void *>(listed.begin(), listed.end()).size(), pool.total) << "a frame is listed twice";
  }
  arena.destroy();
}

TEST(Arena, ArraysBeginWithTheTypesFirstValue) {
  struct Entry {
    uint64_t number = 7;
  };
  Environment environment = hostEnvironment();
  environment.allocate = [](void *, uint64_t bytes, uint64_t align) {
    void *memory = aligned_alloc(align, (bytes + align - 1) / align * align);
    return memset(memory, 0xee, bytes);
  };
  environment.release = [](void *, void *memory, uint64_t, uint64_t) { free(memory); };
  Arena arena(environment);
  for (uint64_t count : {1, 3, 100}) {
    uint32_t *numbers = arena.allocateArray<uint32_t>(count);
    Entry *entries = arena.allocateArray<Entry>(count);
    for (uint64_t i = 0; i < count; ++i) {
      EXPECT_EQ(numbers[i], 0u) << i;
      EXPECT_EQ(entries[i].number, 7u) << i;
    }
  }
  arena.destroy();
}

} // namespace
