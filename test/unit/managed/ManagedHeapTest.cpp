// Tests that each allocation function asks for managed memory if the block is large, and takes ordinary memory if it is
// small or if there is no managed memory. A fixed piece of memory stands for the GPU's.
#include "cilk2gpu/abi/ManagedHeap.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace {

constexpr uint64_t kPage = 4096, kLarge = uint64_t(1) << 20;
alignas(kPage) char managedMemory[kLarge];
bool isOffered = false, isTaken = false;

bool isManaged(const void *block) { return block == managedMemory; }

} // namespace

extern "C" void *__cilk2gpu_managed_allocate(uint64_t bytes, const void *) {
  if (!isOffered || isTaken || bytes > kLarge)
    return nullptr;
  isTaken = true;
  return managedMemory;
}
extern "C" void *__cilk2gpu_managed_allocate_for_lane(uint64_t, uint64_t, const void *, int *) { return nullptr; }
extern "C" uint64_t __cilk2gpu_managed_size(const void *block) { return isManaged(block) ? kLarge : 0; }
extern "C" void __cilk2gpu_managed_release(void *) { isTaken = false; }

namespace {

using Allocate = void *(*)(size_t bytes);

constexpr Allocate kFunctions[] = {
    [](size_t bytes) { return malloc(bytes); },
    [](size_t bytes) { return calloc(1, bytes); },
    [](size_t bytes) { return memalign(64, bytes); },
    [](size_t bytes) { return aligned_alloc(64, bytes); },
    [](size_t bytes) { return valloc(bytes); },
    [](size_t bytes) { return pvalloc(bytes); },
    [](size_t bytes) { return realloc(nullptr, bytes); },
    [](size_t bytes) {
      void *block = nullptr;
      return posix_memalign(&block, 64, bytes) ? nullptr : block;
    },
};

class ManagedHeapTest : public testing::TestWithParam<size_t> {
protected:
  ~ManagedHeapTest() override { isOffered = false; }

  /// Allocates a block with the function under test, writes all of it, and returns whether it was managed.
  static bool allocatesManaged(uint64_t bytes) {
    isOffered = true;
    void *block = kFunctions[GetParam()](bytes);
    isOffered = false;
    EXPECT_NE(block, nullptr);
    if (!block)
      return false;
    memset(block, 1, bytes);
    EXPECT_GE(malloc_usable_size(block), bytes);
    bool result = isManaged(block);
    free(block);
    EXPECT_FALSE(isTaken);
    return result;
  }
};

TEST_P(ManagedHeapTest, TakesManagedMemoryForLargeBlocksOnly) {
  EXPECT_FALSE(allocatesManaged(100));
  EXPECT_TRUE(allocatesManaged(kLarge));
}

TEST_P(ManagedHeapTest, TakesOrdinaryMemoryIfThereIsNoOther) {
  isTaken = true;
  isOffered = true;
  void *block = kFunctions[GetParam()](kLarge);
  isOffered = isTaken = false;
  ASSERT_NE(block, nullptr);
  EXPECT_FALSE(isManaged(block));
  memset(block, 1, kLarge);
  free(block);
}

INSTANTIATE_TEST_SUITE_P(All, ManagedHeapTest, testing::Range(size_t(0), std::size(kFunctions)));

TEST(PageAlignment, OfVallocAndPvalloc) {
  for (Allocate allocate : {kFunctions[4], kFunctions[5]})
    for (size_t bytes : {size_t(1), size_t(100), size_t(5000)}) {
      void *block = allocate(bytes);
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % kPage, 0u);
      free(block);
    }
}

} // namespace
