// Tests that the views of strands are reduced in serial order, in whatever order children end and threads merge them.
#include "reducers/Activation.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace cilk2gpu::rt::reducers;

namespace {

void makeEmpty(void *view) { new (view) std::string; }

void append(void *left, void *right) {
  auto *text = static_cast<std::string *>(right);
  *static_cast<std::string *>(left) += *text;
  text->~basic_string();
}

std::string &viewOf(Activation &task, std::string &key) {
  return *static_cast<std::string *>(task.lookup(&key, sizeof key, makeEmpty, append));
}

/// Runs a child that writes `text`.
void runChild(Slot *slot, std::string &key, const std::string &text) {
  Activation child;
  child.begin(slot);
  viewOf(child, key) += text;
  child.end();
}

/// A task with children; every strand writes the next number. Children end in a random order, on `threads` threads.
std::string runTask(unsigned seed, unsigned threads, std::string &expected) {
  std::mt19937 random(seed);
  std::string key;
  Activation task;
  task.begin(rootSlot());
  struct Child {
    Slot *slot;
    std::string text;
  };
  unsigned number = 0;
  auto next = [&] {
    std::string text = std::to_string(number++) + ",";
    expected += text;
    return text;
  };
  for (unsigned round = 0; round < 4; ++round) {
    std::vector<Child> children;
    for (unsigned i = 0, count = random() % 12; i < count; ++i) {
      if (random() % 2)
        viewOf(task, key) += next();
      Slot *slot = task.spawn();
      children.push_back({slot, next()});
      if (random() % 4 == 0) { // some children end at once
        runChild(children.back().slot, key, children.back().text);
        children.pop_back();
      }
    }
    if (random() % 2)
      viewOf(task, key) += next();
    std::shuffle(children.begin(), children.end(), random);
    std::vector<std::thread> pool;
    for (unsigned thread = 0; thread < threads; ++thread)
      pool.emplace_back([&, thread] {
        for (size_t i = thread; i < children.size(); i += threads)
          runChild(children[i].slot, key, children[i].text);
      });
    for (std::thread &thread : pool)
      thread.join();
    task.sync();
    EXPECT_EQ(key, expected) << "the first strand of all writes to the reducer itself";
  }
  task.end();
  return key;
}

} // namespace

TEST(Activation, ReducesInSerialOrder) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::string expected, found = runTask(seed, 1 + seed % 3, expected);
    ASSERT_EQ(found, expected) << "seed " << seed;
  }
}

/// Ordered tasks reserve their slots, and run in a random order inside of other tasks, behind a sync that does not wait
/// for them. Some never start.
TEST(Activation, ReducesOrderedTasksWhereTheirSpawnsStand) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    std::string key, expected;
    Activation task, runner;
    task.begin(rootSlot());
    std::vector<std::pair<Slot *, std::string>> ordered;
    for (unsigned i = 0; i < 12; ++i) {
      const std::string text = std::to_string(i) + ",";
      if (const unsigned kind = random() % 4; kind == 0)
        viewOf(task, key) += text;
      else if (kind == 1)
        runChild(task.spawn(), key, text);
      else
        ordered.push_back({task.reserve(), text});
      if (random() % 4 == 0)
        task.sync();
      expected += text;
    }
    std::shuffle(ordered.begin(), ordered.end(), random);
    runner.begin(task.spawn());
    for (auto &[slot, text] : ordered) {
      Slot *own = runner.adopt(slot);
      const size_t half = text.size() / 2;
      viewOf(runner, key) += text.substr(0, half);
      runChild(runner.spawn(), key, text.substr(half));
      runner.sync();
      runner.release(own);
    }
    runner.end();
    Activation::giveUp(task.reserve());
    viewOf(task, key) += "end";
    task.sync();
    task.end();
    ASSERT_EQ(key, expected + "end") << "seed " << seed;
  }
}

TEST(Activation, ReducesWhileTheParentGoesOn) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::string key, expected;
    Activation task;
    task.begin(rootSlot());
    std::vector<std::thread> children;
    for (unsigned i = 0; i < 8; ++i) {
      Slot *slot = task.spawn();
      std::string text = std::to_string(i);
      children.emplace_back([&key, slot, text] { runChild(slot, key, text); });
      viewOf(task, key) += "p";
      expected += text + "p";
    }
    for (std::thread &child : children)
      child.join();
    task.sync();
    task.end();
    ASSERT_EQ(key, expected);
  }
}

TEST(Activation, KeepsAReducerOfAChildExactAtItsSync) {
  std::string global;
  Activation task, child;
  task.begin(rootSlot());
  viewOf(task, global) += "a";
  child.begin(task.spawn());
  std::string local = "start,";
  child.add(&local, append);
  viewOf(child, local) += "x";
  runChild(child.spawn(), local, "y");
  viewOf(child, local) += "z";
  child.sync();
  EXPECT_EQ(&viewOf(child, local), &local);
  EXPECT_EQ(local, "start,xyz");
  child.remove(&local);
  viewOf(child, global) += "b";
  child.end();
  viewOf(task, global) += "c";
  task.sync();
  task.end();
  EXPECT_EQ(global, "abc");
}

TEST(Activation, ReducesToAReducerThatEndsBeforeTheSync) {
  Activation task, child;
  task.begin(rootSlot());
  child.begin(task.spawn());
  std::string local = "s";
  child.add(&local, append);
  Slot *running = child.spawn();
  viewOf(child, local) += "1";
  runChild(child.spawn(), local, "2");
  viewOf(child, local) += "3";
  child.remove(&local);
  EXPECT_EQ(local, "s123");
  runChild(running, local, ""); // the other child uses another reducer at the same address
  child.sync();
  child.end();
  task.sync();
  task.end();
}

TEST(Activation, GivesOrdinaryCodeTheStrandOfItsCaller) {
  std::string key;
  Activation task;
  task.begin(rootSlot());
  task.enter();
  EXPECT_EQ(Activation::current(), &task);
  viewOf(task, key) += "1";
  Activation called;
  called.begin(rootSlot()); // ordinary code calls a Cilk function
  viewOf(called, key) += "2";
  called.end();
  viewOf(task, key) += "3";
  task.leave();
  task.leave();
  EXPECT_EQ(Activation::current(), nullptr);
  task.sync();
  task.end();
  EXPECT_EQ(key, "123");
}

/// Writes an entry as compiled code does, and returns true if the entry is empty after `change`.
template <typename Change> bool forgets(Change change) {
  static char key, view;
  __cilk2gpu_kept_lookups.keys[3] = &key;
  __cilk2gpu_kept_lookups.views[3] = &view;
  __cilk2gpu_kept_lookups.isUsed = 1;
  change();
  return !__cilk2gpu_kept_lookups.keys[3] && !__cilk2gpu_kept_lookups.isUsed;
}

TEST(Activation, ForgetsKeptLookupsWhereTheStrandOfTheThreadChanges) {
  std::string key, local;
  Activation task;
  task.begin(rootSlot());
  EXPECT_TRUE(forgets([&] { task.enter(); }));
  EXPECT_FALSE(forgets([&] { viewOf(task, key) += "1"; }));
  EXPECT_TRUE(forgets([&] { task.add(&local, append); }));
  EXPECT_TRUE(forgets([&] { task.remove(&local); }));
  Slot *slot = nullptr;
  EXPECT_TRUE(forgets([&] { slot = task.spawn(); }));
  EXPECT_FALSE(forgets([&] { runChild(slot, key, "2"); })) << "the child is no strand of the thread";
  EXPECT_TRUE(forgets([&] { task.sync(); }));
  EXPECT_TRUE(forgets([&] { task.leave(); }));
  EXPECT_FALSE(forgets([&] { slot = task.spawn(); })) << "the task is not entered";
  runChild(slot, key, "3");
  task.sync();
  task.end();
  cilk2gpu::rt::forgetLookups();
  EXPECT_EQ(key, "123");
}
