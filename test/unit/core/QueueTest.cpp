// Tests that queues of a graph never hold more elements than their capacity, all levels together, and that all of their
// elements are consumed.
#include "Machine.h"
#include "QueueProgram.h"

#include <gtest/gtest.h>

using namespace cilk2gpu::test;

namespace cilk2gpu {
namespace {

struct Outcome {
  int64_t total;
  uint64_t mostWorks, mostSums, yields;
};

Outcome runTree(uint64_t capacity, rt::Limits limits) {
  QueueProgram program(capacity);
  rt::Environment environment = rt::hostEnvironment();
  rt::TaskTable tasks(environment);
  rt::Scheduler scheduler(environment, limits);
  abi::Cursor *root = scheduler.root(tasks.add(&program.tree));
  static_cast<int32_t *>(root->columns[0])[root->next++] = 9;
  scheduler.run(0);
  Outcome result = {queueTotal, works.most, sums.most, scheduler.counters(tasks).yields};
  EXPECT_EQ(works.now + sums.now, 0u);
  EXPECT_EQ(works.total, sums.total);
  scheduler.destroy();
  tasks.destroy();
  return result;
}

TEST(QueueTest, AllLevelsTogetherHoldNoMoreThanTheCapacity) {
  for (unsigned policy = 0; policy < rt::kNumPolicies; ++policy)
    for (uint32_t wave : {1u, 4u, 64u})
      for (uint64_t width : {1u, 3u, 4096u})
        for (uint64_t capacity : {1u, 2u, 7u, 100u}) {
          if (!rt::PolicySupport{true, false}.suffices(rt::kPolicies[policy]))
            continue;
          rt::Limits limits{wave, width};
          limits.policy = rt::PolicyKind(policy);
          Outcome outcome = runTree(capacity, limits);
          EXPECT_EQ(outcome.total, QueueProgram::expected(9));
          EXPECT_LE(outcome.mostWorks, capacity) << rt::kPolicies[policy].name << ", wave " << wave;
          EXPECT_LE(outcome.mostSums, capacity) << rt::kPolicies[policy].name << ", wave " << wave;
        }
}

TEST(QueueTest, ACapacityThatSufficesLetsNobodyWait) {
  rt::Limits limits{64, 4096};
  limits.policy = rt::PolicyKind::Levelized;
  EXPECT_EQ(runTree(1000, limits).yields, 0u);
  EXPECT_GT(runTree(2, limits).yields, 0u);
}

TEST(QueueDeathTest, ACycleOfQueuesIsRefused) {
  auto add = [](bool isTask) {
    QueueProgram program(4);
    program.sum.targets = program.treeTargets + 1; // back to `work`
    program.sum.numTargets = 1;
    program.sum.kind = isTask ? abi::NodeKind::Task : abi::NodeKind::Queue;
    rt::Environment environment = rt::hostEnvironment();
    rt::TaskTable(environment).add(&program.work);
  };
  EXPECT_EXIT(add(false), testing::ExitedWithCode(1), "elements of a queue do not lead back to it");
  EXPECT_EXIT(add(true), testing::ExitedWithCode(1), "the consumer of a queue enqueues to queues only");
}

} // namespace
} // namespace cilk2gpu
