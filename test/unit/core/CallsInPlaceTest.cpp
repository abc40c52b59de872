// Tests when a kernel may make plain calls in place.
#include "core/CallsInPlace.h"

#include <gtest/gtest.h>

using namespace cilk2gpu::rt;
using namespace cilk2gpu::rt::tunables;

namespace {

/// A lane that goes on behind syncs. Between them, tasks are dispatched.
struct Loop {
  CallsInPlace calls;
  int task = 0;
  uint64_t dispatched = 0, elided = 0;

  bool goesOn(uint64_t elisions = 1, uint64_t others = 0, uint32_t kernel = 1) {
    dispatched += 1 + elisions + others;
    elided += elisions;
    return calls.follows(&task, kernel, dispatched, elided);
  }
  void ran(uint64_t made, bool wasLong) {
    elided += made;
    calls.ran({.made = made, .wasLong = wasLong});
  }
  /// Returns how often the lane goes on before it makes calls in place.
  uint64_t watched() {
    uint64_t times = 1;
    while (!goesOn())
      ++times;
    return times;
  }
};

} // namespace

TEST(CallsInPlace, FollowSeveralSingleElisions) {
  Loop loop;
  EXPECT_EQ(loop.watched(), kCallsBeforeInPlace + 1); // before the first time, the lane had not gone on
  EXPECT_TRUE(loop.goesOn());
}

TEST(CallsInPlace, DoNotFollowOtherWork) {
  Loop loop;
  loop.watched();
  EXPECT_FALSE(loop.goesOn(/*elisions=*/2));
  loop.watched();
  EXPECT_FALSE(loop.goesOn(/*elisions=*/1, /*others=*/1)); // the child ran in the graph, too
  loop.watched();
  EXPECT_FALSE(loop.goesOn(1, 0, /*kernel=*/2)); // another sync
}

TEST(CallsInPlace, CountAsElisions) {
  Loop loop;
  loop.watched();
  loop.ran(100, /*wasLong=*/false);
  EXPECT_TRUE(loop.goesOn());
}

TEST(CallsInPlace, EndWithALongOneAndAreTriedMoreRarely) {
  Loop loop;
  loop.watched();
  loop.ran(1, true);
  EXPECT_EQ(loop.watched(), 2 * kCallsBeforeInPlace);
  loop.ran(1, true);
  EXPECT_EQ(loop.watched(), 4 * kCallsBeforeInPlace);
  for (int i = 0; i < 20; ++i) {
    loop.ran(0, false); // a form of the kernel that makes no calls in place
    loop.watched();
  }
  loop.ran(1, true);
  EXPECT_EQ(loop.watched(), kMostCallsBeforeInPlace);
  loop.ran(kCallsInPlace, false);
  loop.ran(1, true);
  EXPECT_EQ(loop.watched(), 2 * kCallsBeforeInPlace);
}
