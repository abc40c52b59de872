// Tests that a lane that goes on alone behind a sync makes its calls in place.
#include "Programs.h"
#include "core/Scheduler.h"
#include "process/HostEnvironment.h"

#include <gtest/gtest.h>

using namespace cilk2gpu::test;

namespace cilk2gpu {
namespace {

const abi::FieldRecord fields[] = {{4, 4}};
uint64_t now; // nanoseconds

// rounds(n): for (; n; --n) { spawn step; sync; }

struct RoundsFrame {
  int32_t left;
};
uint64_t stepsRun, inPlace;

void roundsNext(abi::Wave *wave, RoundsFrame *frame) {
  now += 10;
  if (frame->left-- == 0)
    return giveFrame(wave, frame);
  ASSERT_TRUE(spawn(wave, 0, frame->left));
  sync(wave, frame, 1);
}

void roundsStart(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    auto *frame = takeFrame<RoundsFrame>(wave);
    frame->left = load<int32_t>(wave, lane, 0);
    roundsNext(wave, frame);
  }
}

void roundsGoOn(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane)
    roundsNext(wave, load<RoundsFrame *>(wave, lane, 0));
}

void stepRun(abi::Wave *wave) {
  now += 10 * wave->lanes;
  stepsRun += wave->lanes;
}

// A lane that goes on alone behind each of many syncs may make its calls in place. Lanes that start may not.
TEST(Elision, LanesBehindASyncMakeCallsInPlace) {
  static abi::TaskRecord step, rounds;
  static abi::TaskRecord *const targets[] = {&step};
  static const abi::KernelRecord stepKernels[] = {{.name = "step.k0", .run = stepRun, .spawnsOne = 1},
                                                  {.name = "step.elided", .run = stepRun, .spawnsOne = 1}};
  static const abi::KernelRecord roundsKernels[] = {{.name = "rounds.k0", .run = roundsStart, .spawnsOne = 1},
                                                    {.name = "rounds.k1", .run = roundsGoOn, .spawnsOne = 1}};
  step = {.name = "step", .fields = fields, .kernels = stepKernels, .numFields = 1, .numKernels = 1, .hasElision = 1};
  rounds = {.name = "rounds",
            .fields = fields,
            .kernels = roundsKernels,
            .targets = targets,
            .frameSize = sizeof(RoundsFrame),
            .frameAlign = alignof(RoundsFrame),
            .numFields = 1,
            .numKernels = 2,
            .numTargets = 1};
  constexpr int32_t kRounds = 1000;
  now = 1, stepsRun = inPlace = 0;
  rt::Environment environment = rt::hostEnvironment();
  environment.clock = environment.ownClock = [](void *) { return now; };
  environment.runInPlace = [](void *, abi::KernelFn run, abi::Wave *wave, rt::InPlaceCalls &) {
    EXPECT_EQ(wave->kernel, 1u);
    ++inPlace;
    run(wave);
    return true;
  };
  rt::TaskTable tasks(environment);
  rt::Limits limits{64, 4096};
  limits.policy = rt::PolicyKind::Adaptive;
  rt::Scheduler scheduler(environment, limits);
  abi::Cursor *root = scheduler.root(tasks.add(&rounds));
  static_cast<int32_t *>(root->columns[0])[root->next++] = kRounds;
  EXPECT_TRUE(scheduler.run(0));
  EXPECT_EQ(stepsRun, uint64_t(kRounds));
  EXPECT_GT(inPlace, 0u);
  scheduler.destroy();
  tasks.destroy();
}

} // namespace
} // namespace cilk2gpu
