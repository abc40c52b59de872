// Tests the count of instructions that a thread block issues.
#include "blocks/BlockInstructions.h"
#include "cilk2gpu/abi/Counts.h"

#include <cilk2gpu/Wireframe.h>
#include <gtest/gtest.h>
#include <initializer_list>

using namespace cilk2gpu;
using namespace cilk2gpu::rt;

namespace {

/// A function of one block of code with three instructions, as counted code describes itself.
const cilk2gpu::abi::LoopRecord kLoop = {.parent = 0, .firstBlock = 0, .numBlocks = 1, .reserved = 0};
const cilk2gpu::abi::BlockRecord kCode = {.loop = 0, .isHeader = 0, .counts = {2, 1}, .reserved = 0};
const cilk2gpu::abi::CountedFunction kThree = {.loops = &kLoop, .blocks = &kCode};

/// The thread executes 3 * `calls` instructions of counted code.
void execute(unsigned thread, unsigned calls) {
  threadIdx = dim3(thread % blockDim.x, thread / blockDim.x, 0);
  for (unsigned i = 0; i < calls; ++i) {
    void *entered = __cilk2gpu_count_enter(&kThree);
    __cilk2gpu_count_block(entered, &kThree, 0);
    __cilk2gpu_count_leave(entered);
  }
}

/// The threads of a block execute one part of it, one after another.
void executePart(std::initializer_list<unsigned> calls) {
  unsigned thread = 0;
  for (unsigned each : calls)
    execute(thread++, each);
}

class BlockInstructionsTest : public testing::Test {
protected:
  void SetUp() override { blockDim = dim3(64, 1, 1); }
  void TearDown() override { blockDim = threadIdx = dim3(0, 0, 0); }
};

TEST_F(BlockInstructionsTest, TheLongestThreadOfAWavefrontCounts) {
  BlockInstructions counted;
  EXPECT_EQ(counted.issued(), 0u);
  executePart({1, 4, 2});
  EXPECT_EQ(counted.issued(), 12u);
}

TEST_F(BlockInstructionsTest, PartsBetweenBarriersAdd) {
  BlockInstructions counted;
  executePart({1, 4, 2});
  executePart({5, 1, 1});
  EXPECT_EQ(counted.issued(), 27u);
}

TEST_F(BlockInstructionsTest, WavefrontsAdd) {
  BlockInstructions counted;
  for (unsigned thread = 0; thread < 64; ++thread)
    execute(thread, thread % 32 == 5 ? 2 : 1);
  EXPECT_EQ(counted.issued(), 12u);
}

TEST_F(BlockInstructionsTest, ThreadsAreNumberedByAllDimensions) {
  blockDim = dim3(2, 2, 1);
  BlockInstructions counted;
  executePart({1, 1, 1, 3}); // the coordinate x falls from thread 1 to thread 2, and no part begins
  EXPECT_EQ(counted.issued(), 9u);
}

TEST_F(BlockInstructionsTest, ABlockBeginsWithThread0) {
  threadIdx = dim3(40, 0, 0); // of the block before
  BlockInstructions counted;
  execute(0, 2);
  EXPECT_EQ(counted.issued(), 6u);
}

TEST_F(BlockInstructionsTest, NothingIsCountedOutsideOfBlocks) {
  EXPECT_EQ(__cilk2gpu_count_enter(&kThree), nullptr);
  BlockInstructions outer;
  execute(0, 1);
  {
    BlockInstructions inner; // a block that launches blocks
    execute(0, 5);
    EXPECT_EQ(inner.issued(), 15u);
  }
  execute(0, 1);
  EXPECT_EQ(outer.issued(), 6u);
}

} // namespace
