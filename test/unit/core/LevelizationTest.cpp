// Tests levelization by itself, with levels that are made by hand, without kernels.
#include "core/Levelization.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <vector>

namespace cilk2gpu {
namespace {

using rt::LevelMove;
using rt::PolicyKind;

struct FakePosts {
  rt::FrameChannel one;
  rt::FrameChannel &post(uint64_t) { return one; }
};

/// A task at a level. It has one post-sync kernel.
struct FakeTask {
  FakeTask *next;
  const rt::TaskInfo *task;
  FakePosts *active;
  uint64_t waiting; ///< pre-sync elements

  bool holds() const { return waiting || active->one.channel.size(); }
};

struct FakeLevels {
  explicit FakeLevels(uint64_t count) : levels(count) {}

  uint64_t current() const { return at; }
  uint64_t lowest() const { return 0; }
  uint64_t deepest() const {
    for (uint64_t index = levels.size(); index-- > 0;)
      if (holds(index) || shared.count(index))
        return index;
    return rt::LevelSet::kNone;
  }
  bool holds(uint64_t index) const {
    for (const FakeTask *task = tasksAt(index); task; task = task->next)
      if (task->holds())
        return true;
    return false;
  }
  FakeTask *tasksAt(uint64_t index) const { return index < levels.size() ? levels[index] : nullptr; }
  bool isShared(uint64_t index) const { return shared.count(index); }
  bool mayGoOnAt(uint64_t index) const { return !closed.count(index); }
  void goDeeper() { ++at; }
  void goBackTo(uint64_t index) { at = index; }
  void becameReady(uint64_t index) { ready.push_back(index); }

  /// Adds elements of a task to a level: pre-sync elements, and post-sync elements.
  FakeTask &add(uint64_t index, const rt::TaskInfo &task, uint64_t waiting, uint64_t posts) {
    made.push_back(std::make_unique<FakeTask>());
    active.push_back(std::make_unique<FakePosts>());
    active.back()->one.channel.cursor.next = posts;
    *made.back() = {levels[index], &task, active.back().get(), waiting};
    return *(levels[index] = made.back().get());
  }

  std::vector<FakeTask *> levels;
  std::vector<std::unique_ptr<FakeTask>> made;
  std::vector<std::unique_ptr<FakePosts>> active;
  std::set<uint64_t> shared, closed;
  std::vector<uint64_t> ready;
  uint64_t at = 0;
};

/// Two tasks with two kernels: post-sync elements of `first` wait for nothing but `first`, and the others for all.
struct Tasks {
  uint64_t words = 1; ///< the task with the number 0
  rt::Closure ofFirst[2] = {{}, {&words, 1, false}}, ofSecond[2] = {{}, {nullptr, 0, true}};
  rt::TaskInfo first = {}, second = {};

  Tasks() {
    first.numKernels = second.numKernels = 2;
    first.awaited = ofFirst;
    second.awaited = ofSecond;
    second.node = 1;
  }
};

using Order = rt::Levelization<FakeLevels>;

TEST(LevelizationTest, GoesDeeperWhileDeeperLevelsHoldElements) {
  Tasks tasks;
  FakeLevels levels(4);
  FakeTask &deep = levels.add(2, tasks.second, 1, 0);
  FakeTask &top = levels.add(0, tasks.second, 0, 3);
  Order order(levels, rt::policyOf(PolicyKind::Levelized));
  EXPECT_EQ(order.next(false), LevelMove::Moved);
  EXPECT_EQ(levels.current(), 1u);
  EXPECT_EQ(order.next(false), LevelMove::Moved);
  EXPECT_EQ(levels.current(), 2u);
  EXPECT_EQ(top.active->one.ready, 0u);
  EXPECT_EQ(order.next(false), LevelMove::Stuck); // nobody dispatched the element
  deep.waiting = 0;
  EXPECT_EQ(order.next(false), LevelMove::Drained);
  order.riseTo(0);
  EXPECT_EQ(order.next(false), LevelMove::Moved);
  EXPECT_EQ(levels.current(), 0u);
  EXPECT_EQ(top.active->one.ready, 3u);
  EXPECT_EQ(levels.ready, std::vector<uint64_t>{0});
}

TEST(LevelizationTest, APolicyMayMakeElementsReadyAsItComesBack) {
  Tasks tasks;
  for (PolicyKind kind : {PolicyKind::Levelized, PolicyKind::Adaptive}) {
    FakeLevels levels(2);
    FakeTask &top = levels.add(0, tasks.second, 5, 3);
    Order order(levels, rt::policyOf(kind));
    order.riseTo(0);
    EXPECT_EQ(top.active->one.ready, kind == PolicyKind::Adaptive ? 3u : 0u);
  }
}

TEST(LevelizationTest, LanesThatYieldedSendTheOrderDown) {
  Tasks tasks;
  FakeLevels levels(3);
  levels.add(1, tasks.second, 1, 0);
  FakeTask &top = levels.add(0, tasks.first, 0, 2); // its dependencies are drained
  Order order(levels, rt::policyOf(PolicyKind::Dataflow));
  EXPECT_EQ(order.next(true), LevelMove::Moved);
  EXPECT_EQ(levels.current(), 1u);
  EXPECT_EQ(top.active->one.ready, 0u);
}

TEST(LevelizationTest, ElementsWhoseOwnDependenciesAreDrainedGoFirst) {
  Tasks tasks;
  for (PolicyKind kind : {PolicyKind::Levelized, PolicyKind::Dataflow}) {
    FakeLevels levels(4);
    FakeTask &top = levels.add(0, tasks.first, 0, 2);
    levels.add(2, tasks.second, 1, 0);
    levels.goBackTo(1);
    Order order(levels, rt::policyOf(kind));
    EXPECT_EQ(order.next(false), LevelMove::Moved);
    bool rises = kind == PolicyKind::Dataflow;
    EXPECT_EQ(levels.current(), rises ? 0u : 2u);
    EXPECT_EQ(top.active->one.ready, rises ? 2u : 0u);
  }
}

/// An element that waits for all tasks, a block that others run, and a level whose channels are full keep elements from
/// going first.
TEST(LevelizationTest, ElementsWaitForAllThatMayBeTheirs) {
  Tasks tasks;
  auto dataflow = rt::policyOf(PolicyKind::Dataflow);
  auto goesDeeper = [&](auto prepare) {
    FakeLevels levels(4);
    levels.add(2, tasks.second, 1, 0);
    levels.goBackTo(1);
    prepare(levels);
    Order order(levels, dataflow);
    return order.next(false) == LevelMove::Moved && levels.current() == 2;
  };
  EXPECT_TRUE(goesDeeper([&](FakeLevels &levels) { levels.add(0, tasks.second, 0, 2); }));
  EXPECT_TRUE(goesDeeper([&](FakeLevels &levels) {
    levels.add(0, tasks.first, 0, 2);
    levels.shared = {1};
  }));
  EXPECT_TRUE(goesDeeper([&](FakeLevels &levels) {
    levels.add(0, tasks.first, 0, 2);
    levels.closed = {0};
  }));
  EXPECT_FALSE(goesDeeper([&](FakeLevels &levels) { levels.add(0, tasks.first, 0, 2); }));
}

TEST(LevelizationTest, QueuesAreDrainedAfterTheQueuesThatTheyLeadTo) {
  Tasks tasks;
  tasks.first.kind = tasks.second.kind = abi::NodeKind::Queue;
  tasks.second.rank = 1;
  FakeLevels levels(1);
  FakeTask &last = levels.add(0, tasks.first, 1, 0), &before = levels.add(0, tasks.second, 1, 0);
  auto waits = [](const FakeTask &task) { return task.waiting != 0; };
  EXPECT_EQ(rt::nextQueue(levels.tasksAt(0), waits), &last);
  last.waiting = 0;
  EXPECT_EQ(rt::nextQueue(levels.tasksAt(0), waits), &before);
  before.waiting = 0;
  EXPECT_EQ(rt::nextQueue(levels.tasksAt(0), waits), nullptr);
}

TEST(LevelizationTest, StagesOfALevelStopAtAnOutcome) {
  enum class Outcome { Nothing, Some, Stop };
  Tasks tasks;
  FakeLevels levels(1);
  levels.add(0, tasks.second, 1, 0);
  levels.add(0, tasks.first, 1, 0);
  std::string seen;
  auto stage = [&](char name, Outcome outcome) {
    return [&seen, name, outcome](FakeTask &) {
      seen += name;
      return outcome;
    };
  };
  auto run = [&](bool endsFirst, Outcome restart) {
    seen.clear();
    return rt::dispatchStages(levels.tasksAt(0), Outcome::Stop, endsFirst, stage('p', Outcome::Some),
                              stage('r', restart), stage('f', Outcome::Nothing));
  };
  EXPECT_EQ(run(true, Outcome::Nothing), Outcome::Some);
  EXPECT_EQ(seen, "pprrff");
  EXPECT_EQ(run(false, Outcome::Nothing), Outcome::Some);
  EXPECT_EQ(seen, "rrffpp");
  EXPECT_EQ(run(false, Outcome::Stop), Outcome::Stop);
  EXPECT_EQ(seen, "r");
}

} // namespace
} // namespace cilk2gpu
