// Tests that queues of a graph never hold more elements than their capacity, all levels together, and that all of their
// elements are consumed.
#include "Machine.h"

#include <gtest/gtest.h>

using namespace cilk2gpu::test;

namespace cilk2gpu {
namespace {

/// Elements of one queue that are enqueued and not consumed.
struct Held {
  uint64_t now, most, total;
  void add() {
    ++total;
    most = ++now > most ? now : most;
  }
} works, sums;

struct Frame {
  int32_t n;
};

/// tree(n): enqueue n to `work`, spawn tree(n - 1) twice; the number of a site is how much of that is done.
void treeFrom(abi::Wave *wave, Frame *frame, uint32_t site) {
  for (; frame->n > 0 && site < 3; ++site) {
    bool done = site == 1 ? spawn(wave, 1, frame->n) : spawn(wave, 0, frame->n - 1);
    if (!done)
      return yield(wave, frame, site);
    if (site == 1)
      works.add();
  }
  giveFrame(wave, frame);
}

void treeStart(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    auto *frame = takeFrame<Frame>(wave);
    frame->n = load<int32_t>(wave, lane, 0);
    treeFrom(wave, frame, 0);
  }
}

void treeAgain(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane)
    treeFrom(wave, static_cast<Frame *>(load<void *>(wave, lane, 0)), load<uint32_t>(wave, lane, 1));
}

/// work(n): enqueue n to `sum`.
void workFrom(abi::Wave *wave, Frame *frame) {
  if (!spawn(wave, 0, frame->n))
    return yield(wave, frame, 1);
  sums.add();
  giveFrame(wave, frame);
}

void workStart(abi::Wave *wave) {
  works.now -= wave->lanes;
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    auto *frame = takeFrame<Frame>(wave);
    frame->n = load<int32_t>(wave, lane, 0);
    workFrom(wave, frame);
  }
}

void workAgain(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane)
    workFrom(wave, static_cast<Frame *>(load<void *>(wave, lane, 0)));
}

int64_t total;

void sumStart(abi::Wave *wave) {
  sums.now -= wave->lanes;
  for (uint32_t lane = 0; lane < wave->lanes; ++lane)
    total += load<int32_t>(wave, lane, 0);
}

const abi::FieldRecord fields[] = {{4, 4}};
const abi::KernelRecord treeKernels[] = {{.name = "tree:0", .run = treeStart, .resume = treeAgain}};
const abi::KernelRecord workKernels[] = {{.name = "work:0", .run = workStart, .resume = workAgain}};
const abi::KernelRecord sumKernels[] = {{.name = "sum:0", .run = sumStart}};

struct Outcome {
  int64_t total;
  uint64_t mostWorks, mostSums, yields;
};

Outcome runTree(uint64_t capacity, rt::Limits limits) {
  static abi::TaskRecord tree, work, sum;
  static abi::TaskRecord *const treeTargets[] = {&tree, &work}, *const workTargets[] = {&sum};
  tree = {.name = "tree",
          .fields = fields,
          .kernels = treeKernels,
          .targets = treeTargets,
          .frameSize = sizeof(Frame),
          .frameAlign = alignof(Frame),
          .numFields = 1,
          .numKernels = 1,
          .numTargets = 2};
  work = {.name = "work",
          .fields = fields,
          .kernels = workKernels,
          .targets = workTargets,
          .frameSize = sizeof(Frame),
          .frameAlign = alignof(Frame),
          .numFields = 1,
          .numKernels = 1,
          .numTargets = 1,
          .kind = abi::NodeKind::Queue,
          .capacity = capacity};
  sum = {.name = "sum",
         .fields = fields,
         .kernels = sumKernels,
         .numFields = 1,
         .numKernels = 1,
         .kind = abi::NodeKind::Queue,
         .capacity = capacity};
  works = sums = {};
  total = 0;
  rt::Environment environment = rt::hostEnvironment();
  rt::TaskTable tasks(environment);
  rt::Scheduler scheduler(environment, limits);
  abi::Cursor *root = scheduler.root(tasks.add(&tree));
  static_cast<int32_t *>(root->columns[0])[root->next++] = 9;
  scheduler.run(0);
  Outcome result = {total, works.most, sums.most, scheduler.counters(tasks).yields};
  EXPECT_EQ(works.now + sums.now, 0u);
  EXPECT_EQ(works.total, sums.total);
  scheduler.destroy();
  tasks.destroy();
  return result;
}

TEST(QueueTest, AllLevelsTogetherHoldNoMoreThanTheCapacity) {
  int64_t expected = 0;
  for (int32_t n = 9; n > 0; --n)
    expected += int64_t(n) << (9 - n);
  for (unsigned policy = 0; policy < rt::kNumPolicies; ++policy)
    for (uint32_t wave : {1u, 4u, 64u})
      for (uint64_t width : {1u, 3u, 4096u})
        for (uint64_t capacity : {1u, 2u, 7u, 100u}) {
          if (!rt::PolicySupport{true, false}.suffices(rt::kPolicies[policy]))
            continue;
          rt::Limits limits{wave, width};
          limits.policy = rt::PolicyKind(policy);
          Outcome outcome = runTree(capacity, limits);
          EXPECT_EQ(outcome.total, expected);
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
  static abi::TaskRecord first, second;
  static abi::TaskRecord *const toFirst[] = {&first}, *const toSecond[] = {&second};
  first = {.name = "first",
           .fields = fields,
           .kernels = sumKernels,
           .targets = toSecond,
           .numFields = 1,
           .numKernels = 1,
           .numTargets = 1,
           .kind = abi::NodeKind::Queue,
           .capacity = 4};
  second = first;
  second.targets = toFirst;
  auto add = [] {
    rt::Environment environment = rt::hostEnvironment();
    rt::TaskTable(environment).add(&first);
  };
  EXPECT_EXIT(add(), testing::ExitedWithCode(1), "elements of a queue do not lead back to it");
  second.kind = abi::NodeKind::Task;
  EXPECT_EXIT(add(), testing::ExitedWithCode(1), "the consumer of a queue enqueues to queues only");
}

} // namespace
} // namespace cilk2gpu
