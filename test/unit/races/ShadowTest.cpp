// Tests which accesses the race detector remembers for a location, and which races it finds: with atomic accesses, with
// locks, and with accesses of parts of a location.
#include "races/Shadow.h"

#include <functional>
#include <gtest/gtest.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <vector>

namespace cilk2gpu::races {

// Functions of the detector that its parts call.

void *reserve(size_t bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    abort();
  return memory;
}

void stop(const char *message, ...) {
  va_list arguments;
  va_start(arguments, message);
  vfprintf(stderr, message, arguments);
  abort();
}

void warn(const char *message) { fputs(message, stderr); }

namespace {

using Races = std::vector<uint32_t>; // numbers of accesses

/// A program whose children access one location.
class ShadowTest : public testing::Test {
protected:
  ShadowTest() {
    strands.open();
    locks.open();
    shadow.open();
    strands.enter();
  }

  void access(uint32_t number, LockSet properties, uintptr_t at = kPlace, size_t size = 4) {
    shadow.access(at, size, {strands.current(), number, locks.held() | properties});
  }

  /// Spawns a child with one access, and with what `more` does behind it.
  void spawn(uint32_t number, LockSet properties, const std::function<void()> &more = {}) {
    strands.spawn(&site);
    access(number, properties);
    if (more)
      more();
    strands.endChild();
  }

  /// Spawns a child that writes some bytes while it holds a lock.
  void spawnLocked(uint32_t number, uintptr_t at, size_t size, const void *lock) {
    strands.spawn(&site);
    locks.lock(lock);
    access(number, 0, at, size);
    locks.unlock(lock);
    strands.endChild();
  }

  /// Returns the numbers of the accesses that raced with the last one, and forgets them.
  Races races() { return std::exchange(found, {}); }

  static constexpr uintptr_t kPlace = uintptr_t(1) << 30;
  Cilk2gpuSite site = {};
  TaskBags strands;
  LockSets locks;
  Races found;
  Shadow shadow{strands, locks,
                [](void *context, uintptr_t, const Entry &entry, const Entry &) {
                  static_cast<Races *>(context)->push_back(entry.access);
                },
                &found};
};

TEST_F(ShadowTest, WritesRaceWithReadsAndWrites) {
  spawn(1, kRead);
  spawn(2, kRead);
  EXPECT_EQ(races(), Races{});
  spawn(3, 0);
  EXPECT_EQ(races(), Races{1});
  strands.sync();
  spawn(4, 0);
  EXPECT_EQ(races(), Races{});
}

// A child's write is remembered although the child then accesses the location in a way that does not race with others.
TEST_F(ShadowTest, WritesAreRememberedBehindReadsAndAtomicAccesses) {
  for (LockSet other : {kAtomic, kRead}) {
    spawn(1, other);
    spawn(2, 0, [&] { access(3, other); });
    EXPECT_EQ(races(), Races{1});
    spawn(4, other);
    EXPECT_EQ(races(), Races{2});
    strands.sync();
  }
}

// A write behind a sync stands for the atomic access in front of it.
TEST_F(ShadowTest, PlainAccessesReplaceEarlierAtomicOnes) {
  spawn(1, kAtomic);
  strands.sync();
  spawn(2, 0);
  spawn(3, kAtomic);
  EXPECT_EQ(races(), Races{2});
}

TEST_F(ShadowTest, AtomicAccessesDoNotRaceWithOneAnother) {
  spawn(1, 0);
  strands.sync();
  spawn(2, kAtomic);
  spawn(3, kAtomic);
  EXPECT_EQ(races(), Races{});
  spawn(4, kRead);
  EXPECT_FALSE(races().empty());
}

// The entries of a location that is accessed under locks are a list. An access of one byte gives each byte its own
// list.
TEST_F(ShadowTest, BytesOfALocationKeepItsListOfAccesses) {
  int first = 0, second = 0;
  spawnLocked(1, kPlace, 4, &first);
  EXPECT_EQ(races(), Races{});
  spawnLocked(2, kPlace, 1, &first);
  EXPECT_EQ(races(), Races{}) << "both hold the lock";
  spawnLocked(3, kPlace + 2, 1, &second);
  EXPECT_EQ(races(), Races{1});
  spawnLocked(4, kPlace + 3, 1, &second);
  EXPECT_EQ(races(), Races{1});
}

} // namespace
} // namespace cilk2gpu::races
