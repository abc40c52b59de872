// Tests that storage of variable size for a task is aligned, disjoint and given back, in the frame or in few chunks.
#include "core/TaskLocals.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <string.h>

using namespace cilk2gpu::rt;

namespace {

/// Memory that counts its allocations.
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

struct Locals : cilk2gpu::abi::TaskLocals {
  Locals() { initialiseLocals(*this); }
};

bool isAligned(void *memory, uint64_t align) { return reinterpret_cast<uint64_t>(memory) % align == 0; }

} // namespace

TEST(TaskLocals, FewSmallBlocksAreInTheFrame) {
  CountedMemory memory;
  Locals locals;
  char *previous = nullptr;
  for (int i = 0; i < 12; ++i) {
    auto *block = static_cast<char *>(allocateLocal(memory, locals, 13, 1));
    EXPECT_TRUE(isAligned(block, 16));
    EXPECT_GE(block, previous ? previous + 13 : locals.first);
    previous = block;
  }
  EXPECT_LE(previous + 13, locals.first + sizeof(locals.first));
  EXPECT_EQ(memory.taken, 0u);
  releaseLocals(memory, locals, nullptr);
  EXPECT_EQ(locals.top, locals.first);
}

TEST(TaskLocals, MoreTakesFewChunks) {
  CountedMemory memory;
  Locals locals;
  char *previous = nullptr;
  for (int i = 0; i < 40; ++i) {
    auto *block = static_cast<char *>(allocateLocal(memory, locals, 13, 1));
    EXPECT_TRUE(!previous || block >= previous + 13 || block + 13 <= previous);
    previous = block;
  }
  EXPECT_EQ(memory.taken, 1u);
  releaseLocals(memory, locals, nullptr);
  EXPECT_EQ(locals.newest, nullptr);
  EXPECT_EQ(locals.top, locals.first);
  EXPECT_EQ(locals.end, locals.first + sizeof(locals.first));
  EXPECT_EQ(memory.inUse, 0u);
}

TEST(TaskLocals, BlocksOfEverySizeAndAlignmentFit) {
  CountedMemory memory;
  Locals locals;
  for (uint64_t align : {1, 8, 16, 64, 4096})
    for (uint64_t bytes : {0, 1, 200, 383, 384, 4096, 100000}) {
      auto *block = static_cast<char *>(allocateLocal(memory, locals, bytes, align));
      EXPECT_TRUE(isAligned(block, align < 16 ? 16 : align));
      memset(block, 1, bytes);
      EXPECT_LE(block + bytes, locals.top);
      EXPECT_LE(locals.top, locals.end);
      EXPECT_TRUE(isAligned(locals.top, 16));
    }
  releaseLocals(memory, locals, nullptr);
  EXPECT_EQ(memory.inUse, 0u);
}

TEST(TaskLocals, WhatDoesNotFitIsRefused) {
  Locals locals;
  EXPECT_EQ(takeLocal(locals, sizeof(locals.first), 1), nullptr); // a byte is always left over
  EXPECT_EQ(takeLocal(locals, ~uint64_t(0), 1), nullptr);
  EXPECT_NE(takeLocal(locals, sizeof(locals.first) - 1, 1), nullptr);
  EXPECT_EQ(takeLocal(locals, 0, 1), nullptr);
  EXPECT_EQ(takeLocal(locals, 0, 64), nullptr);
}

TEST(TaskLocals, WhatIsReleasedIsUsedAgain) {
  CountedMemory memory;
  Locals locals;
  allocateLocal(memory, locals, 64, 1);
  void *inFrame = locals.top;
  void *first = allocateLocal(memory, locals, 64, 1);
  EXPECT_TRUE(dropLocals(locals, inFrame));
  EXPECT_EQ(allocateLocal(memory, locals, 64, 1), first);
  allocateLocal(memory, locals, 1000, 1);
  void *inChunk = locals.top;
  for (int i = 0; i < 100; ++i)
    allocateLocal(memory, locals, 1000, 1);
  EXPECT_FALSE(dropLocals(locals, inChunk)); // the local is in an older chunk
  releaseLocals(memory, locals, inChunk);
  EXPECT_EQ(memory.inUse, 1u);
  EXPECT_EQ(locals.top, inChunk);
  releaseLocals(memory, locals, inFrame);
  EXPECT_EQ(memory.inUse, 0u);
  EXPECT_EQ(allocateLocal(memory, locals, 64, 1), first);
}
