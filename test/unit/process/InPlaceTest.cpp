// Tests the question that kernels ask before plain calls.
#include "process/InPlace.h"

#include "cilk2gpu/abi/PlainCalls.h"
#include "core/ElisionTunables.h"

#include <gtest/gtest.h>

using namespace cilk2gpu::rt;

namespace {
constexpr uint64_t kNeverLong = ~uint64_t(0) / 64;
} // namespace

TEST(InPlace, NothingOutsideOfAScope) {
  EXPECT_EQ(__cilk2gpu_call_in_place(), 0u);
  {
    InPlaceScope scope(kNeverLong);
  }
  EXPECT_EQ(__cilk2gpu_call_in_place(), 0u);
}

TEST(InPlace, ShortCallsUpToTheBound) {
  InPlaceScope scope(kNeverLong);
  uint64_t made = 0;
  while (__cilk2gpu_call_in_place())
    ++made;
  EXPECT_EQ(made, tunables::kCallsInPlace);
  EXPECT_EQ(scope.calls().made, made);
  EXPECT_FALSE(scope.calls().wasLong);
}

TEST(InPlace, ALongCallEndsThem) {
  InPlaceScope scope(/*longTicks=*/0);
  uint64_t made = 0;
  while (__cilk2gpu_call_in_place())
    ++made;
  EXPECT_EQ(made, tunables::kTimedCallsInPlace - 1);
  EXPECT_EQ(scope.calls().made, made);
  EXPECT_TRUE(scope.calls().wasLong);
  EXPECT_EQ(__cilk2gpu_call_in_place(), 0u);
}
