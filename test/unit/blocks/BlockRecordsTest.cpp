// Tests which form of a body a launch of a block graph takes.
#include "cilk2gpu/abi/BlockRecords.h"
#include "process/HostEnvironment.h"

#include <gtest/gtest.h>
#include <vector>

namespace cilk2gpu {
namespace {

using abi::BlockPlace;
using abi::Isa;

template <uint32_t lanes> void run(const BlockPlace *place, void *arguments) {
  static_cast<std::vector<uint32_t> *>(arguments)->push_back(lanes);
}

/// Returns the lanes of the form that runs each part of a block's only row of threads.
std::vector<uint32_t> lanesOf(uint32_t threads, const std::vector<abi::RowFormRecord> &forms) {
  const abi::BlocksRecord record = {.name = "forms",
                                    .run = run<1>,
                                    .threadsX = threads,
                                    .syncs = 1,
                                    .numForms = uint32_t(forms.size()),
                                    .forms = forms.data()};
  const uint32_t extents[] = {1, 1, 1, threads, 1, 1};
  std::vector<uint32_t> lanes;
  __cilk2gpu_launch_blocks(&record, extents, &lanes);
  return lanes;
}

TEST(BlockRecordsTest, TheSmallestFormWithALaneForEachThreadRuns) {
  const uint32_t isas = rt::hostEnvironment().isas >> 1;
  ASSERT_NE(isas, 0u) << "each x86-64 has SSE2, and each AArch64 has NEON";
  const Isa best = Isa(__builtin_ctz(isas) + 1);
  const std::vector<abi::RowFormRecord> forms = {{.run = run<4>, .isa = best, .lanes = 4},
                                                 {.run = run<8>, .isa = best, .lanes = 8},
                                                 {.run = run<16>, .isa = best, .lanes = 16},
                                                 {.run = run<32>, .isa = Isa::Any, .lanes = 32}};
  EXPECT_EQ(lanesOf(1, forms), std::vector<uint32_t>(1, 1));
  EXPECT_EQ(lanesOf(4, forms), std::vector<uint32_t>(1, 4));
  EXPECT_EQ(lanesOf(5, forms), std::vector<uint32_t>(1, 8));
  EXPECT_EQ(lanesOf(16, forms), std::vector<uint32_t>(1, 16));
  EXPECT_EQ(lanesOf(40, forms), std::vector<uint32_t>(3, 16)) << "no form of another instruction set";
}

} // namespace
} // namespace cilk2gpu
