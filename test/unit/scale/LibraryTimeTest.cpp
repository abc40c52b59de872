// Tests that the time of a library's call is added once, and only for a call that has begun.
#include "scale/LibraryTime.h"

#include <gtest/gtest.h>

using namespace cilk2gpu::rt::scale;

namespace {

/// Frames as on a stack that grows down: a later frame has a lower address.
struct Frames {
  char bytes[3];
  const void *outer = &bytes[2], *middle = &bytes[1], *inner = &bytes[0];
};

TEST(LibraryTime, ACallThatDidNotBeginAddsNothing) {
  LibraryTime time;
  Frames frames;
  EXPECT_EQ(time.leave(0, frames.outer), 0u);
  time.enter(0, frames.outer);
  EXPECT_EQ(time.leave(0, frames.inner), 0u);
  time.leave(0, frames.outer);
  EXPECT_EQ(time.leave(0, frames.outer), 0u);
}

TEST(LibraryTime, CallsThatWereLeftByJumpsAreForgotten) {
  LibraryTime time;
  Frames frames;
  time.enter(0, frames.outer);
  time.enter(0, frames.inner);
  EXPECT_EQ(time.leave(0, frames.middle), 0u);
  EXPECT_EQ(time.leave(0, frames.inner), 0u);
  uint64_t added = time.leave(0, frames.outer);
  EXPECT_EQ(time.instructions(), added);
}

TEST(LibraryTime, ACallThatRanHooksAddsNothing) {
  LibraryTime time;
  Frames frames;
  time.enter(0, frames.outer);
  time.noteHook();
  EXPECT_EQ(time.leave(0, frames.outer), 0u);
  EXPECT_EQ(time.instructions(), 0u);
}

} // namespace
