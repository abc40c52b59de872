// Tests that fibers stop in the middle of calls, continue there, and are used again.
#include "process/Fiber.h"
#include "core/Tunables.h"
#include "process/Threads.h"

#include <exception>
#include <fenv.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <vector>

using namespace cilk2gpu::rt;

namespace {

struct Job {
  Fiber *fiber;
  int first;
  std::vector<int> *log;
};

/// Recurses, and stops at the bottom and on the way back.
int deep(Job &job, int depth) {
  volatile char used[1000];
  used[0] = char(depth);
  if (depth == 0) {
    job.fiber->suspend();
    return job.first;
  }
  int below = deep(job, depth - 1);
  if (depth % 100 == 0) {
    job.log->push_back(below + depth);
    job.fiber->suspend();
  }
  return below + (used[0] == char(depth) ? 0 : 1000);
}

void body(void *argument) {
  Job &job = *static_cast<Job *>(argument);
  job.log->push_back(-deep(job, 300));
}

TEST(Fiber, StopsAnywhereAndGoesOn) {
  std::vector<int> log;
  Job a = {Fiber::create(1 << 20), 1, &log}, b = {Fiber::create(1 << 20), 2, &log};
  ASSERT_TRUE(a.fiber && b.fiber);
  EXPECT_FALSE(a.fiber->run(body, &a));
  EXPECT_FALSE(b.fiber->run(body, &b));
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(a.fiber->resume());
    EXPECT_FALSE(b.fiber->resume());
  }
  EXPECT_TRUE(b.fiber->resume());
  EXPECT_TRUE(a.fiber->resume());
  EXPECT_EQ(log, (std::vector<int>{101, 102, 201, 202, 301, 302, -2, -1}));
  a.fiber->destroy();
  b.fiber->destroy();
}

TEST(Fiber, RunsManyBodies) {
  Fiber *fiber = Fiber::create(64 << 10);
  int runs = 0;
  for (int i = 0; i < 10000; ++i)
    EXPECT_TRUE(fiber->run([](void *count) { ++*static_cast<int *>(count); }, &runs));
  EXPECT_EQ(runs, 10000);
  fiber->destroy();
}

TEST(Fiber, BodiesRoundAsTheirCallers) {
  Fiber *fiber = Fiber::create(64 << 10);
  int inBody = -1;
  auto ask = [](void *mode) {
    *static_cast<int *>(mode) = fegetround();
    fesetround(FE_DOWNWARD); // of this fiber only
  };
  for (int mode : {FE_TONEAREST, FE_UPWARD, FE_TONEAREST}) {
    fesetround(mode);
    EXPECT_TRUE(fiber->run(ask, &inBody));
    int after = fegetround();
    fesetround(FE_TONEAREST);
    EXPECT_EQ(inBody, mode);
    EXPECT_EQ(after, mode);
  }
  fiber->destroy();
}

TEST(Fiber, ExceptionsStayOnTheirs) {
  struct Thrower {
    Fiber *fiber;
    int thrown, caughtAgain = 0;
  };
  auto throwAndStop = [](void *argument) {
    auto &self = *static_cast<Thrower *>(argument);
    try {
      throw self.thrown;
    } catch (int) {
      self.fiber->suspend();
      try {
        throw; // the handler must catch it
      } catch (int again) {
        self.caughtAgain = again;
      }
    }
  };
  Thrower a = {Fiber::create(1 << 20), 1}, b = {Fiber::create(1 << 20), 2};
  EXPECT_FALSE(a.fiber->run(throwAndStop, &a));
  EXPECT_FALSE(std::current_exception());
  EXPECT_FALSE(b.fiber->run(throwAndStop, &b));
  EXPECT_TRUE(a.fiber->resume());
  EXPECT_TRUE(b.fiber->resume());
  EXPECT_EQ(a.caughtAgain, 1);
  EXPECT_EQ(b.caughtAgain, 2);
  a.fiber->destroy();
  b.fiber->destroy();
}

#ifndef CILK2GPU_SANITIZED
TEST(Fiber, AFrameThatIsLargerThanThePagesBelowDoesNotReachAnotherStack) {
  std::vector<Fiber *> fibers;
  for (int i = 0; i < 8; ++i)
    fibers.push_back(Fiber::create(64 << 10));
  auto touch = [](void *) {
    char frame[200 << 10];
    frame[0] = 1;
    __asm__ volatile("" ::"r"(frame) : "memory"); // it has all of its size
  };
  for (Fiber *fiber : fibers)
    EXPECT_EXIT(fiber->run(touch, nullptr), testing::KilledBySignal(SIGSEGV), "");
  for (Fiber *fiber : fibers)
    fiber->destroy();
}
#endif

TEST(Fiber, AStackThatCannotBeMappedIsNull) { EXPECT_EQ(Fiber::create(uint64_t(1) << 60), nullptr); }

TEST(Fiber, StacksAreAsLargeAsTheFirstThreadsWithinLimits) {
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_STACK, &before), 0);
  auto bytesAt = [&](rlim_t bytes) {
    rlimit limit = {bytes, before.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_STACK, &limit), 0);
    uint64_t result = fiberStackBytes();
    setrlimit(RLIMIT_STACK, &before);
    return result;
  };
  EXPECT_EQ(bytesAt(4096), uint64_t(1) << 20);
  EXPECT_EQ(bytesAt(3 << 20), uint64_t(3) << 20);
  if (before.rlim_max > 2 * tunables::kMaxFiberStack)
    EXPECT_EQ(bytesAt(2 * tunables::kMaxFiberStack), tunables::kMaxFiberStack);
}

} // namespace
