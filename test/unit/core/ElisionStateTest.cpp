// Tests what the choice between the graph and elisions remembers, without tasks: trials, bands of levels, times.
#include "core/Scheduler.h"

#include <gtest/gtest.h>

namespace cilk2gpu {
namespace {

TEST(UpperTrials, SeveralInARowDecide) {
  using Verdict = rt::UpperTrials::Verdict;
  rt::UpperTrials trials;
  constexpr uint64_t won = 40'000, lost = 20'000, close = 32'768;
  for (uint64_t share : {won, won, close, won, won, lost, lost}) {
    trials.note(share);
    EXPECT_EQ(trials.verdict(), Verdict::Unknown);
  }
  trials.note(lost);
  EXPECT_EQ(trials.verdict(), Verdict::Graph);
  for (int i = 0; i < rt::tunables::kClearTrials; ++i) {
    EXPECT_NE(trials.verdict(), Verdict::Elision);
    trials.note(won);
  }
  EXPECT_EQ(trials.verdict(), Verdict::Elision);
}

// Each level has one visit in a run, too few for a decision of its own.
TEST(UpperTrials, AreMadeAnewAfterManyDispatches) {
  using Trials = rt::UpperTrials;
  Trials trials;
  for (int trial = 0; trial < rt::tunables::kClearTrials; ++trial)
    trials.note(40'000);
  for (uint32_t dispatch = 1; dispatch < rt::tunables::kFollowed; ++dispatch)
    trials.follow();
  EXPECT_EQ(trials.verdict(), Trials::Verdict::Elision);
  trials.follow();
  EXPECT_EQ(trials.verdict(), Trials::Verdict::Unknown);
}

TEST(LevelBand, BandsFollowEachOther) {
  for (uint64_t index = 0, first = 0; index < 300'000; ++index) {
    if (rt::LevelBand::firstOf(index) != first) {
      EXPECT_EQ(index, first + rt::LevelBand::levelsAt(first));
      first = index;
    }
    ASSERT_EQ(rt::LevelBand::firstOf(index), first);
    ASSERT_LT(index, first + rt::LevelBand::levelsAt(first));
    ASSERT_LE(rt::LevelBand::levelsAt(index), 1 + index / rt::tunables::kBandPart);
  }
  EXPECT_EQ(rt::LevelBand::levelsAt(rt::tunables::kSingleLevels - 1), 1u);
  EXPECT_GT(rt::LevelBand::levelsAt(rt::tunables::kSingleLevels), 1u);
}

// Outside of trials, only lanes that took longer than known change what is known: the trial may have been too short.
TEST(Elision, LearnsFromUntriedLanesThatTakeLonger) {
  rt::Elision elision = {};
  elision.graph = 16 * 100;
  elision.addUntriedGraph(/*took=*/64 * 50, /*of=*/64);
  EXPECT_EQ(elision.graph, 16 * 100u);
  elision.addUntriedGraph(/*took=*/64 * 200, /*of=*/64);
  EXPECT_EQ(elision.graph, 16 * 200u);
  elision.lanes = 1; // a trial is under way
  elision.addUntriedGraph(/*took=*/64 * 300, /*of=*/64);
  EXPECT_EQ(elision.graph, 16 * 200u);
}

} // namespace
} // namespace cilk2gpu
