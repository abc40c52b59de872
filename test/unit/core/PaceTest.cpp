// Tests that long tasks go depth first one at a time, so that few of them exist at once. A task may be long by itself
// or with its descendants. Short tasks do not. The tests have a clock of their own.
#include "Programs.h"
#include "core/Scheduler.h"
#include "process/HostEnvironment.h"

#include <gtest/gtest.h>

using namespace cilk2gpu::test;

namespace cilk2gpu {
namespace {

constexpr int32_t kDepth = 4, kChildren = 5;

uint64_t now, ownTime, childsTime; // nanoseconds
uint64_t alive, mostAlive;

// parent(n): allocate; spawn child(); sync; if (n) spawn parent(n - 1) five times; sync; free

struct ParentFrame {
  int32_t n;
};

void parentStart(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    now += ownTime;
    mostAlive = std::max(mostAlive, ++alive);
    ParentFrame *frame = takeFrame<ParentFrame>(wave);
    frame->n = load<int32_t>(wave, lane, 0);
    ASSERT_TRUE(spawn(wave, 1, int32_t(0), static_cast<int64_t *>(nullptr)));
    sync(wave, frame, 1);
  }
}

void parentMiddle(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    ParentFrame *frame = load<ParentFrame *>(wave, lane, 0);
    for (int32_t child = 0; frame->n && child < kChildren; ++child)
      ASSERT_TRUE(spawn(wave, 0, frame->n - 1, static_cast<int64_t *>(nullptr)));
    sync(wave, frame, 2);
  }
}

void parentEnd(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    giveFrame(wave, load<ParentFrame *>(wave, lane, 0));
    --alive;
  }
}

const abi::FieldRecord fields[] = {{4, 4}, {8, 8}};
const abi::KernelRecord childKernels[] = {
    {.name = "child.k0", .run = [](abi::Wave *wave) { now += wave->lanes * childsTime; }}};
const abi::KernelRecord parentKernels[] = {{.name = "parent.k0", .run = parentStart},
                                           {.name = "parent.k1", .run = parentMiddle},
                                           {.name = "parent.k2", .run = parentEnd}};

uint64_t lastOnesOffered; // shallower than the running level

/// Looks for elements that another worker could have, and keeps the number.
void look(void *, rt::Scheduler &scheduler) {
  rt::Stealing::Surplus surplus = scheduler.stealing().find(/*small=*/false, /*parts=*/2);
  if (!surplus.from)
    return;
  EXPECT_EQ(surplus.count, std::max(surplus.from->pre.size() / 2, uint64_t(1)));
  if (surplus.level >= scheduler.runningLevel())
    EXPECT_GE(surplus.from->pre.size(), 2u) << "nothing would be left for the giver";
  else
    lastOnesOffered += surplus.from->pre.size() == 1;
}

/// Returns the most parents that existed at once. `others` is the number of workers that wait for work.
uint64_t runTree(uint64_t own, uint64_t childs, uint32_t others = 0) {
  static abi::TaskRecord child, parent;
  static abi::TaskRecord *const targets[] = {&parent, &child};
  child = {.name = "child", .fields = fields, .kernels = childKernels, .numFields = 2, .numKernels = 1};
  parent = {.name = "parent",
            .fields = fields,
            .kernels = parentKernels,
            .targets = targets,
            .frameSize = sizeof(ParentFrame),
            .frameAlign = alignof(ParentFrame),
            .numFields = 2,
            .numKernels = 3,
            .numTargets = 2};
  now = 1, ownTime = own, childsTime = childs, alive = mostAlive = lastOnesOffered = 0;
  rt::Environment environment = rt::hostEnvironment();
  environment.clock = environment.ownClock = [](void *) { return now; };
  environment.hungry = others ? &others : nullptr;
  environment.share = look;
  rt::TaskTable tasks(environment);
  rt::Limits limits{64, 4096};
  limits.policy = rt::PolicyKind::Adaptive;
  rt::Scheduler scheduler(environment, limits);
  abi::Cursor *root = scheduler.root(tasks.add(&parent));
  static_cast<int32_t *>(root->columns[0])[root->next++] = kDepth;
  EXPECT_TRUE(scheduler.run(0));
  EXPECT_EQ(alive, 0u);
  EXPECT_EQ(scheduler.counters(tasks).tasks, 2 * 781u); // 1 + 5 + 25 + 125 + 625, and as many children
  scheduler.destroy();
  tasks.destroy();
  return mostAlive;
}

TEST(Pace, TasksThatTakeLongThemselvesGoOneByOne) { EXPECT_EQ(runTree(10'000, 0), kDepth + 1u); }

TEST(Pace, SoDoTasksWhoseChildrenTakeLong) { EXPECT_EQ(runTree(0, 1'000'000), kDepth + 1u); }

TEST(Pace, TheLastTaskOfAShallowLevelIsThereForOthers) {
  EXPECT_EQ(runTree(0, 1'000'000, /*others=*/1), kDepth + 1u);
  EXPECT_GT(lastOnesOffered, 0u);
}

TEST(Pace, ShortTasksGoTogether) { EXPECT_GT(runTree(0, 0), 200u); }

// With their descendants, tasks at the first two levels take 1.6 and 0.3 ms, others at most 62 microseconds.
TEST(Pace, ShortSubtreesGoTogetherWithinLongOnes) {
  uint64_t most = runTree(0, 2'000);
  EXPECT_GT(most, 100u);
  EXPECT_LE(most, 1u + 1 + 5 + 25 + 125);
}

} // namespace
} // namespace cilk2gpu
