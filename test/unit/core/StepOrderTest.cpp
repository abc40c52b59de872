// Tests that steps choose the order of tasks. A run without steps has the serial order. Runs with one seed are equal up
// to the smaller number of steps. The last step has a name.
#include "Machine.h"

#include <gtest/gtest.h>

using namespace cilk2gpu::test;

namespace cilk2gpu {
namespace {

// parent(n): for (i = 0; i < n; i++) { spawn even(2 * i); spawn odd(2 * i + 1, its own block); }
// even(i), odd(i): appends i to the log

std::vector<int32_t> order;

/// A field that does not move in one piece.
struct Block {
  int32_t values[40];
};

Block blockOf(int32_t value) {
  Block block;
  std::fill(std::begin(block.values), std::end(block.values), value);
  return block;
}

void parentStart(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane)
    for (int32_t i = 0; i < load<int32_t>(wave, lane, 0); ++i) {
      ASSERT_TRUE(spawn(wave, 0, 2 * i));
      ASSERT_TRUE(spawn(wave, 1, 2 * i + 1, blockOf(2 * i + 1)));
    }
}

void parentElided(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane)
    for (int32_t i = 0; i < 2 * load<int32_t>(wave, lane, 0); ++i)
      order.push_back(i);
}

void evenStart(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane)
    order.push_back(load<int32_t>(wave, lane, 0));
}

void oddStart(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    int32_t value = load<int32_t>(wave, lane, 0);
    Block found = load<Block>(wave, lane, 1), expected = blockOf(value);
    EXPECT_EQ(memcmp(&found, &expected, sizeof found), 0) << "the element " << value;
    order.push_back(value);
  }
}

const abi::FieldRecord numberField[] = {{4, 4}}, blockFields[] = {{4, 4}, {sizeof(Block), alignof(Block)}};
const abi::KernelRecord parentKernels[] = {{.name = "parent.k0", .run = parentStart},
                                           {.name = "parent.elided", .run = parentElided}};
const abi::KernelRecord evenKernels[] = {{.name = "even.k0", .run = evenStart}};
const abi::KernelRecord oddKernels[] = {{.name = "odd.k0", .run = oddStart}};

struct Outcome {
  std::vector<int32_t> order;
  rt::StepRecord record;
};

/// Runs parent(children / 2).
Outcome runSteps(uint64_t limit, uint64_t seed, int32_t children, bool hasElision) {
  static abi::TaskRecord even, odd, parent;
  static abi::TaskRecord *const targets[] = {&even, &odd};
  even = {.name = "even",
          .location = "t.c:1:1",
          .fields = numberField,
          .kernels = evenKernels,
          .numFields = 1,
          .numKernels = 1};
  odd = {.name = "odd",
         .location = "t.c:2:1",
         .fields = blockFields,
         .kernels = oddKernels,
         .numFields = 2,
         .numKernels = 1};
  parent = {.name = "parent",
            .location = "t.c:3:1",
            .fields = numberField,
            .kernels = parentKernels,
            .targets = targets,
            .numFields = 1,
            .numKernels = 1,
            .numTargets = 2,
            .hasElision = hasElision};
  Outcome outcome = {};
  rt::Steps steps(limit, seed, outcome.record);
  rt::Environment environment = rt::hostEnvironment();
  environment.steps = &steps;
  rt::Limits limits{64, 4096};
  limits.order = rt::TaskOrder::Stepped;
  rt::TaskTable tasks(environment);
  rt::Scheduler scheduler(environment, limits);
  order.clear();
  abi::Cursor *root = scheduler.root(tasks.add(&parent));
  static_cast<int32_t *>(root->columns[0])[root->next++] = children / 2;
  EXPECT_TRUE(scheduler.run(0));
  scheduler.destroy();
  tasks.destroy();
  outcome.order = order;
  return outcome;
}

std::vector<int32_t> serialOrder(int32_t children) {
  std::vector<int32_t> result;
  for (int32_t i = 0; i < children; ++i)
    result.push_back(i);
  return result;
}

constexpr uint64_t kAllSteps = ~uint64_t(0);
constexpr int32_t kChildren = 40;

TEST(StepOrder, WithoutStepsIsSerial) {
  for (bool hasElision : {false, true}) {
    Outcome outcome = runSteps(0, 7, kChildren, hasElision);
    EXPECT_EQ(outcome.order, serialOrder(kChildren)) << "elision " << hasElision;
    EXPECT_EQ(outcome.record.made, 0u);
    EXPECT_EQ(outcome.record.kind, rt::StepKind::None);
  }
}

TEST(StepOrder, RunsEveryTaskOnce) {
  for (uint64_t seed = 1; seed < 20; ++seed) {
    Outcome outcome = runSteps(kAllSteps, seed, kChildren, false);
    std::vector<int32_t> sorted = outcome.order;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, serialOrder(kChildren)) << "seed " << seed;
    EXPECT_NE(outcome.order, sorted) << "seed " << seed;
    EXPECT_EQ(outcome.record.made, uint64_t(kChildren - 1)) << "a choice among one is no step, seed " << seed;
  }
}

TEST(StepOrder, IsThatOfMoreStepsAtFirstAndSerialThen) {
  for (uint64_t seed : {1, 2, 3}) {
    Outcome whole = runSteps(kAllSteps, seed, kChildren, false);
    for (uint64_t limit = 0; limit < kChildren; ++limit) {
      Outcome part = runSteps(limit, seed, kChildren, false);
      ASSERT_EQ(part.order.size(), size_t(kChildren));
      EXPECT_TRUE(std::equal(part.order.begin(), part.order.begin() + limit, whole.order.begin())) << limit;
      EXPECT_TRUE(std::is_sorted(part.order.begin() + limit, part.order.end())) << "steps " << limit;
      EXPECT_EQ(part.record.made, std::min<uint64_t>(limit, kChildren - 1));
    }
  }
}

TEST(StepOrder, OfTheFirstSeedTakesTheLastTaskEachTime) {
  std::vector<int32_t> expected = serialOrder(kChildren);
  std::reverse(expected.begin(), expected.end());
  EXPECT_EQ(runSteps(kAllSteps, rt::Steps::kLastFirst, kChildren, false).order, expected);
}

TEST(StepOrder, OtherSeedsHaveOtherOrders) {
  EXPECT_NE(runSteps(kAllSteps, 2, kChildren, false).order, runSteps(kAllSteps, 3, kChildren, false).order);
}

TEST(StepOrder, NamesATaskThatRanEarly) {
  Outcome outcome = runSteps(1, rt::Steps::kLastFirst, kChildren, false);
  EXPECT_EQ(outcome.record.kind, rt::StepKind::Early);
  EXPECT_STREQ(outcome.record.task.name, "odd");
  EXPECT_STREQ(outcome.record.task.location, "t.c:2:1");
  ASSERT_EQ(outcome.record.numOthers, 2u);
  EXPECT_STREQ(outcome.record.others[0].name, "even");
  EXPECT_STREQ(outcome.record.others[1].name, "odd");
  EXPECT_FALSE(outcome.record.hasMoreOthers);
}

TEST(StepOrder, NamesATaskThatRanAheadOfItsChildren) {
  Outcome outcome = runSteps(1, rt::Steps::kLastFirst, kChildren, true);
  EXPECT_EQ(outcome.order, serialOrder(kChildren));
  EXPECT_EQ(outcome.record.kind, rt::StepKind::Ahead);
  EXPECT_STREQ(outcome.record.task.name, "parent");
  ASSERT_EQ(outcome.record.numOthers, 2u);
  EXPECT_STREQ(outcome.record.others[0].name, "even");
  EXPECT_STREQ(outcome.record.others[1].name, "odd");
}

TEST(StepOrder, NamesNoStepBeforeTheLast) {
  EXPECT_EQ(runSteps(kAllSteps, rt::Steps::kLastFirst, kChildren, true).record.kind, rt::StepKind::None);
}

TEST(Steps, LeaveRootsInOrderWhenTheyAreOver) {
  rt::StepRecord record = {};
  rt::Steps steps(1, rt::Steps::kLastFirst, record);
  EXPECT_TRUE(steps.leavesRoot());
  EXPECT_TRUE(steps.addRoot()) << "the last step";
  EXPECT_TRUE(steps.leavesRoot()) << "behind a root that waits";
  EXPECT_FALSE(steps.addRoot());
  EXPECT_EQ(record.made, 1u);
  steps.runRoots();
  EXPECT_FALSE(steps.leavesRoot());
}

TEST(Steps, KeepAFewOtherTasks) {
  rt::StepRecord record = {};
  rt::Steps steps(1, 2, record);
  for (const char *name : {"a", "b", "a", "c", "d", "b"})
    steps.nameOther(name, nullptr);
  EXPECT_EQ(record.numOthers, 4u);
  EXPECT_FALSE(record.hasMoreOthers);
  steps.nameOther("a", "t.c:1:1"); // another function of that name
  EXPECT_EQ(record.numOthers, 4u);
  EXPECT_TRUE(record.hasMoreOthers);
}

TEST(Steps, CutLongNames) {
  rt::StepTask task;
  task.set(std::string(300, 'x').c_str(), nullptr);
  EXPECT_EQ(std::string(task.name), std::string(sizeof task.name - 1, 'x'));
  EXPECT_STREQ(task.location, "");
}

} // namespace
} // namespace cilk2gpu
