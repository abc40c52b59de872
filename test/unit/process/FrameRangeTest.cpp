// Tests that frames and slots are in one window, in which 32 bits name each address. Programs without 32-bit
// destinations may use ordinary memory.
#include "process/FrameRange.h"
#include "cilk2gpu/abi/Records.h"
#include "process/ResultSlots.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

using namespace cilk2gpu;

/// Returns the address that `offset` names.
static char *placeOf(uint32_t offset) { return __cilk2gpu_frames + offset * cilk2gpu::abi::kFrameUnit; }
static uint32_t offsetOf(void *place) {
  return uint32_t(reinterpret_cast<uint64_t>(place) / cilk2gpu::abi::kFrameUnit);
}

TEST(FrameRange, ThirtyTwoBitsNameAPlace) {
  for (uint64_t bytes : {16ull, 4096ull, 65536ull, 2ull << 20, 100000ull}) {
    auto *memory = static_cast<char *>(rt::allocateInFrameRange(bytes, 64));
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<uint64_t>(memory) % 64, 0u);
    memory[0] = memory[bytes - 1] = 1;
    EXPECT_EQ(placeOf(offsetOf(memory)), memory);
    EXPECT_EQ(placeOf(offsetOf(memory + bytes - 4)), memory + bytes - 4);
    EXPECT_TRUE(rt::releaseInFrameRange(memory, bytes));
  }
}

TEST(FrameRange, MoreThanTheWindowIsRefused) {
  EXPECT_EQ(rt::allocateInFrameRange(cilk2gpu::abi::kFrameWindow + 1, 64), nullptr);
  EXPECT_EQ(rt::allocateInFrameRange(~uint64_t(0), 64), nullptr);
  int local;
  EXPECT_FALSE(rt::releaseInFrameRange(&local, sizeof local));
}

TEST(FrameRange, SlotsAreAmongTheFrames) {
  rt::ResultSlots slots;
  std::set<void *> given;
  for (int i = 0; i < 100; ++i) {
    void *slot = slots.allocate(24);
    EXPECT_TRUE(given.insert(slot).second);
    EXPECT_EQ(placeOf(offsetOf(slot)), slot);
    EXPECT_EQ(uintptr_t(slot) % 64, 0u); // the result may be a vector of 64 bytes
  }
  for (void *slot : given)
    slots.release(slot, 24);
  EXPECT_TRUE(given.count(slots.allocate(24))); // taken again
}

/// The order matters: once the window is required, it stays.
TEST(FrameRange, MayBeLeftUntilItIsRequired) {
  EXPECT_TRUE(rt::requireFrameRange());
  EXPECT_FALSE(rt::mayLeaveFrameRange());
  rt::Environment environment = rt::hostEnvironment();
  EXPECT_EQ(environment.allocateFrames(environment.context, cilk2gpu::abi::kFrameWindow + 4096, 64), nullptr);
}
