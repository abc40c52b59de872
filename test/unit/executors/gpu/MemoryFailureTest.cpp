// Tests that the GPU's lists refuse a block, and keep the others, when the host has no memory for them. The linker puts
// the functions of this file in front of those of the C library (--wrap).
#include "executors/gpu/BlockList.h"
#include "executors/gpu/SmallParts.h"

#include <gtest/gtest.h>

namespace {

bool isMallocFailing = false, isReallocFailing = false;
int64_t numBlocks = 0; // that were allocated, and have not been freed

} // namespace

extern "C" {

void *__real_malloc(size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void __real_free(void *block);

void *__wrap_malloc(size_t bytes) {
  if (isMallocFailing)
    return nullptr;
  ++numBlocks;
  return __real_malloc(bytes);
}

void *__wrap_realloc(void *old, size_t bytes) {
  if (isReallocFailing)
    return nullptr;
  numBlocks += old == nullptr;
  return __real_realloc(old, bytes);
}

void __wrap_free(void *block) {
  numBlocks -= block != nullptr;
  __real_free(block);
}

} // extern "C"

namespace cilk2gpu::device {
namespace {

void *at(uintptr_t address) { return reinterpret_cast<void *>(address); }

class MemoryFailure : public testing::Test {
protected:
  ~MemoryFailure() override { isMallocFailing = isReallocFailing = false; }
};

TEST_F(MemoryFailure, ABlockListRefusesABlockAndKeepsTheOthers) {
  BlockList list;
  isMallocFailing = isReallocFailing = true; // a compiler may use malloc() where there is no old block
  bool isAdded = list.add(at(4096), 10);
  isMallocFailing = isReallocFailing = false;
  EXPECT_FALSE(isAdded);
  EXPECT_EQ(list.size(), 0u);
  ASSERT_TRUE(list.add(at(4096), 10));
  isReallocFailing = true;
  uint64_t added = 1;
  while (added < 10000 && list.add(at(4096 * (added + 1)), 10))
    ++added;
  EXPECT_LT(added, 10000u);
  ASSERT_EQ(list.size(), added);
  EXPECT_EQ(list.begin()->address, at(4096));
  EXPECT_EQ((list.end() - 1)->address, at(4096 * added));
}

TEST_F(MemoryFailure, SmallPartsRefuseAChunkAndLoseNoMemory) {
  constexpr uint64_t kBytes = 100;
  int64_t before = numBlocks;
  {
    SmallParts parts;
    ASSERT_TRUE(parts.addChunk(at(SmallParts::kChunk), kBytes, 1));
    void *block = parts.take(kBytes, 1);
    ASSERT_NE(block, nullptr);
    isReallocFailing = true;
    uint64_t added = 1;
    while (added < 10000 && parts.addChunk(at((added + 1) * SmallParts::kChunk), kBytes, 1))
      ++added;
    EXPECT_LT(added, 10000u);
    EXPECT_EQ(parts.sizeOf(block), 128u);
    EXPECT_EQ(parts.sizeOf(at((added + 1) * SmallParts::kChunk)), 0u);
  }
  EXPECT_EQ(numBlocks, before);
}

} // namespace
} // namespace cilk2gpu::device
