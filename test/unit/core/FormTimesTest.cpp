// Tests how the form of a kernel is chosen: in vectors, or lane after lane.
#include "core/FormTimes.h"

#include <gtest/gtest.h>

namespace cilk2gpu {
namespace {

using rt::FormTimes;

/// Dispatches whose lanes take a known time in each form.
struct Kernel {
  FormTimes times = {};
  uint64_t inVectors, each; ///< nanoseconds of a lane
  uint64_t eachLanes = 0, lanes = 0;
  uint64_t factor = 1; ///< by which other programs make the next trial longer

  void run(int dispatches, uint64_t of) {
    for (int i = 0; i < dispatches; ++i) {
      FormTimes::Trial trial = times.nextTrial(of);
      ASSERT_GE(trial.lanes, 1u);
      ASSERT_LE(trial.lanes, of);
      uint64_t time = trial.lanes * (trial.isEach ? each : inVectors) * factor;
      factor = 1;
      lanes += trial.lanes;
      eachLanes += trial.isEach ? trial.lanes : 0;
      times.note(trial, time);
    }
  }
};

TEST(FormTimes, SlowVectorsAreLeft) {
  Kernel kernel{.inVectors = 3000, .each = 2000};
  EXPECT_FALSE(kernel.times.prefersEach());
  kernel.run(12, 8);
  EXPECT_TRUE(kernel.times.prefersEach());
}

TEST(FormTimes, FastVectorsStay) {
  Kernel kernel{.inVectors = 300, .each = 2000};
  kernel.run(2000, 64);
  EXPECT_FALSE(kernel.times.prefersEach());
  EXPECT_GT(kernel.eachLanes, 0u);
  // One in sixteen dispatches is a trial of either form, so these are 16 times as many lanes.
  EXPECT_LE(kernel.eachLanes * kernel.each, 16 * kernel.lanes * kernel.inVectors / 50);
}

TEST(FormTimes, VectorsThatAreALittleSlowerStay) {
  Kernel kernel{.inVectors = 2100, .each = 2000};
  kernel.run(1000, 8);
  EXPECT_FALSE(kernel.times.prefersEach());
}

TEST(FormTimes, ShortLanesHaveNoTrials) {
  Kernel kernel{.inVectors = 100, .each = 10};
  kernel.run(1000, 64);
  EXPECT_EQ(kernel.eachLanes, 0u);
}

TEST(FormTimes, TheChoiceFollowsTheProgram) {
  Kernel kernel{.inVectors = 3000, .each = 2000};
  kernel.run(100, 8);
  EXPECT_TRUE(kernel.times.prefersEach());
  kernel.inVectors = 500;
  kernel.run(2000, 8);
  EXPECT_FALSE(kernel.times.prefersEach());
  kernel.inVectors = 4000;
  kernel.run(2000, 8);
  EXPECT_TRUE(kernel.times.prefersEach());
}

TEST(FormTimes, TheChoiceFollowsTheProgramInWideDispatches) {
  // A trial of one lane after the other is much smaller than a dispatch.
  Kernel kernel{.inVectors = 1000, .each = 2000};
  kernel.run(100, 4096);
  EXPECT_FALSE(kernel.times.prefersEach());
  kernel.inVectors = 6000;
  kernel.run(100, 4096);
  EXPECT_TRUE(kernel.times.prefersEach());
}

TEST(FormTimes, ATrialThatWasInterruptedDoesNotCount) {
  Kernel kernel{.inVectors = 1000, .each = 2000};
  kernel.run(50, 8);
  kernel.factor = 10'000;
  kernel.run(50, 8);
  EXPECT_FALSE(kernel.times.prefersEach());
}

TEST(FormTimes, TrialsOfOneLaneAfterTheOtherAreShort) {
  Kernel kernel{.inVectors = 1000, .each = 8000};
  for (int i = 0; i < 200; ++i) {
    FormTimes::Trial trial = kernel.times.nextTrial(4096);
    EXPECT_LE(trial.lanes, trial.isEach ? rt::tunables::kFormTrialLanes : 4096);
    kernel.times.note(trial, trial.lanes * (trial.isEach ? kernel.each : kernel.inVectors));
  }
}

} // namespace
} // namespace cilk2gpu
