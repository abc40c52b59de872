// Tests of parts that a control processor needs: the shared memory, and the constants of its emulator. Firmware itself
// runs in test/runtime/firmware and in the end-to-end tests.
#include "cilk2gpu/abi/Firmware.h"
#include "firmware/SharedMemory.h"
#include "firmware/Unicorn.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string.h>

#if __has_include(<unicorn/unicorn.h>)
#include <unicorn/unicorn.h>
#endif

using namespace cilk2gpu::rt;

namespace {

constexpr uint64_t kMegabyte = uint64_t(1) << 20;

// Tests that blocks are aligned, lie in the range and do not overlap, in any order of allocations and releases. When
// everything is released, all of the memory is free in one piece again.
TEST(SharedMemory, GivesOutEveryPageOnce) {
  SharedMemory memory(64 * kMegabyte, kMegabyte);
  ASSERT_NE(memory.base(), nullptr);
  auto base = reinterpret_cast<uint64_t>(memory.base());
  std::mt19937_64 random(1);
  std::map<uint64_t, uint64_t> blocks; // by address
  for (int step = 0; step < 4000; ++step) {
    if (!blocks.empty() && random() % 2) {
      auto block = std::next(blocks.begin(), long(random() % blocks.size()));
      auto *bytes = reinterpret_cast<unsigned char *>(block->first);
      EXPECT_EQ(bytes[0], bytes[block->second - 1]);
      ASSERT_TRUE(memory.release(bytes, block->second));
      blocks.erase(block);
      continue;
    }
    uint64_t bytes = 1 + random() % (random() % 8 ? 10000 : 3 * kMegabyte), align = uint64_t(1) << random() % 15;
    auto address = reinterpret_cast<uint64_t>(memory.allocate(bytes, align));
    if (!address)
      continue;
    ASSERT_EQ(address % align, 0u);
    ASSERT_TRUE(address >= base && address + bytes <= base + memory.bytes());
    auto next = blocks.lower_bound(address);
    ASSERT_TRUE(next == blocks.end() || address + bytes <= next->first);
    ASSERT_TRUE(next == blocks.begin() || std::prev(next)->first + std::prev(next)->second <= address);
    memset(reinterpret_cast<void *>(address), int(step), bytes);
    blocks[address] = bytes;
  }
  for (auto [address, bytes] : blocks)
    ASSERT_TRUE(memory.release(reinterpret_cast<void *>(address), bytes));
  void *all = memory.allocate(memory.bytes(), 1);
  EXPECT_EQ(all, memory.base());
  EXPECT_EQ(memory.allocate(1, 1), nullptr);
  memory.release(all, memory.bytes());
}

// Tests that requests for too much memory, and for alignments that do not fit, are refused.
TEST(SharedMemory, RefusesWhatItDoesNotHave) {
  SharedMemory memory(kMegabyte, kMegabyte);
  EXPECT_EQ(memory.allocate(kMegabyte + 1, 1), nullptr);
  EXPECT_EQ(memory.allocate(~uint64_t(0), 1), nullptr);
  EXPECT_EQ(memory.allocate(1, uint64_t(1) << 62), nullptr);
  EXPECT_NE(memory.allocate(kMegabyte, 1), nullptr);
}

// Tests that only blocks that were given out are released, each one once, as a whole.
TEST(SharedMemory, ReleasesOnlyItsBlocks) {
  SharedMemory memory(kMegabyte, kMegabyte);
  auto *block = static_cast<char *>(memory.allocate(3 * SharedMemory::kPage, 1));
  int other = 0;
  EXPECT_FALSE(memory.release(&other, 4));
  EXPECT_FALSE(memory.release(nullptr, SharedMemory::kPage));
  EXPECT_FALSE(memory.release(block + SharedMemory::kPage, 2 * SharedMemory::kPage));
  EXPECT_FALSE(memory.release(block, SharedMemory::kPage));
  EXPECT_FALSE(memory.release(block + 3 * SharedMemory::kPage, SharedMemory::kPage)) << "free memory";
  EXPECT_TRUE(memory.release(block, 3 * SharedMemory::kPage));
  EXPECT_FALSE(memory.release(block, 3 * SharedMemory::kPage)) << "a second time";
  EXPECT_EQ(memory.allocate(kMegabyte, 3), nullptr) << "no power of two";
  EXPECT_EQ(memory.allocate(kMegabyte, 1), memory.base());
}

// Tests that the memory asks for less if the system does not reserve as much as it wants.
TEST(SharedMemory, TakesLess) {
  SharedMemory memory(uint64_t(1) << 62, kMegabyte);
  ASSERT_NE(memory.base(), nullptr);
  EXPECT_LT(memory.bytes(), uint64_t(1) << 48);
  SharedMemory none(uint64_t(1) << 62, uint64_t(1) << 61);
  EXPECT_EQ(none.base(), nullptr);
}

#ifdef UNICORN_ENGINE_H
// Tests that the constants are those of the library's header.
TEST(Unicorn, HasTheHeadersConstants) {
  EXPECT_EQ(unicorn::kArchRiscv, UC_ARCH_RISCV);
  EXPECT_EQ(unicorn::kModeRiscv64, UC_MODE_RISCV64);
  EXPECT_EQ(unicorn::kHookInterrupt, UC_HOOK_INTR);
  EXPECT_EQ(unicorn::kHookBlock, UC_HOOK_BLOCK);
  EXPECT_EQ(unicorn::kRead, uint32_t(UC_PROT_READ));
  EXPECT_EQ(unicorn::kReadWrite, uint32_t(UC_PROT_READ | UC_PROT_WRITE));
  EXPECT_EQ(unicorn::kReadExecute, uint32_t(UC_PROT_READ | UC_PROT_EXEC));
  EXPECT_EQ(unicorn::kA0, UC_RISCV_REG_A0);
  EXPECT_EQ(unicorn::kA1, UC_RISCV_REG_A1);
  EXPECT_EQ(unicorn::kA2, UC_RISCV_REG_A2);
  EXPECT_EQ(unicorn::kA7, UC_RISCV_REG_A7);
  EXPECT_EQ(unicorn::kProgramCounter, UC_RISCV_REG_PC);
}
#endif

} // namespace
