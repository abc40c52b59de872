// Tests that storage of variable size for a task is aligned, disjoint and given back, in few chunks.
#include "aggregator/TaskLocals.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <string.h>

using namespace cilk2gpu::rt;

namespace {

/// Memory that counts what is taken from it.
struct CountedMemory {
  uint64_t taken = 0, inUse = 0;

  void *allocate(uint64_t bytes, uint64_t align) {
    ++taken, ++inUse;
    void *memory = aligned_alloc(align, alignLocal(bytes, align));
    memset(memory, 0xa5, bytes);
    return memory;
  }
  void release(void *memory, uint64_t, uint64_t) {
    --inUse;
    free(memory);
  }
};

bool isAligned(void *memory, uint64_t align) { return reinterpret_cast<uint64_t>(memory) % align == 0; }

} // namespace

TEST(TaskLocals, FewSmallBlocksTakeOneChunk) {
  CountedMemory memory;
  void *list = nullptr;
  char *previous = nullptr;
  for (int i = 0; i < 12; ++i) {
    auto *block = static_cast<char *>(allocateLocal(memory, list, 13, 1));
    EXPECT_TRUE(isAligned(block, 16));
    if (previous)
      EXPECT_GE(block, previous + 13);
    previous = block;
  }
  EXPECT_EQ(memory.taken, 1u);
  releaseLocals(memory, list, nullptr);
  EXPECT_EQ(list, nullptr);
  EXPECT_EQ(memory.inUse, 0u);
}

TEST(TaskLocals, BlocksOfEverySizeAndAlignmentFit) {
  CountedMemory memory;
  void *list = nullptr;
  for (uint64_t align : {1, 8, 16, 64, 4096})
    for (uint64_t bytes : {0, 1, 200, 256, 4096, 100000}) {
      void *block = allocateLocal(memory, list, bytes, align);
      EXPECT_TRUE(isAligned(block, align < 16 ? 16 : align));
      memset(block, 1, bytes);
      EXPECT_LE(static_cast<char *>(block) + bytes, static_cast<LocalChunk *>(list)->end);
    }
  releaseLocals(memory, list, nullptr);
  EXPECT_EQ(memory.inUse, 0u);
}

TEST(TaskLocals, WhatIsReleasedIsUsedAgain) {
  CountedMemory memory;
  void *list = nullptr;
  allocateLocal(memory, list, 64, 1);
  void *mark = markLocals(list);
  void *first = allocateLocal(memory, list, 64, 1);
  EXPECT_TRUE(dropLocals(list, mark));
  EXPECT_EQ(allocateLocal(memory, list, 64, 1), first);
  for (int i = 0; i < 100; ++i)
    allocateLocal(memory, list, 1000, 1);
  EXPECT_FALSE(dropLocals(list, mark)); // it is in an older chunk
  releaseLocals(memory, list, mark);
  EXPECT_EQ(memory.inUse, 1u);
  EXPECT_EQ(allocateLocal(memory, list, 64, 1), first);
  releaseLocals(memory, list, nullptr);
  EXPECT_EQ(memory.inUse, 0u);
}

TEST(TaskLocals, AnEmptyListHasNothingToRelease) {
  CountedMemory memory;
  void *list = nullptr;
  EXPECT_EQ(markLocals(list), nullptr);
  EXPECT_TRUE(dropLocals(list, nullptr));
  EXPECT_EQ(takeLocal(list, 1, 1), nullptr);
  EXPECT_EQ(memory.taken, 0u);
}
