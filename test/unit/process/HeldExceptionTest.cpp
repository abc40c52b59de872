// Tests that slots keep the exception that is first in serial order, and that a task takes its caught exceptions along.
#include "cilk2gpu/abi/Exceptions.h"
#include "cilk2gpu/abi/Records.h"

#include <atomic>
#include <exception>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using cilk2gpu::abi::CaughtExceptions;
using cilk2gpu::abi::ExceptionSlot;

namespace {

std::atomic<int> alive{0};

struct Numbered {
  int number;
  explicit Numbered(int number) : number(number) { ++alive; }
  Numbered(const Numbered &other) : number(other.number) { ++alive; }
  ~Numbered() { --alive; }
};

/// Throws and puts the exception into `slot`.
void throwInto(ExceptionSlot &slot, int number) {
  try {
    throw Numbered(number);
  } catch (...) {
    __cilk2gpu_defer_caught(&slot, number);
  }
}

/// Returns the number of the held exception.
int thrown(void *held) {
  try {
    __cilk2gpu_throw_held(held);
  } catch (const Numbered &error) {
    return error.number;
  }
  return -1;
}

void *hold(int number) {
  ExceptionSlot slot{};
  throwInto(slot, number);
  return slot.held;
}

} // namespace

TEST(HeldException, SlotKeepsTheSmallestNumber) {
  ExceptionSlot slot{};
  for (int number : {5, 3, 7, 4})
    throwInto(slot, number);
  EXPECT_EQ(alive, 1);
  EXPECT_EQ(thrown(slot.held), 3);
  EXPECT_EQ(alive, 0);
}

TEST(HeldException, ChildrenOfSeveralThreads) {
  for (int round = 0; round < 100; ++round) {
    ExceptionSlot slot{};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread)
      threads.emplace_back([&slot, thread] {
        for (int i = 0; i < 8; ++i)
          throwInto(slot, 10 + (i * 4 + thread) % 32);
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(thrown(slot.held), 10);
    EXPECT_EQ(alive, 0);
  }
}

TEST(HeldException, ChildComesBeforeItsParent) {
  ExceptionSlot slot{};
  throwInto(slot, 2);
  EXPECT_EQ(thrown(__cilk2gpu_first_exception(hold(9), &slot)), 2);
  EXPECT_EQ(slot.held, nullptr);
  EXPECT_EQ(thrown(__cilk2gpu_first_exception(hold(9), &slot)), 9);
  EXPECT_EQ(alive, 0);
}

TEST(HeldException, HandlersMoveToAnotherThread) {
  CaughtExceptions kept;
  std::exception_ptr inside;
  try {
    throw Numbered(1);
  } catch (const Numbered &) {
    __cilk2gpu_leave_handlers(&kept);
    EXPECT_EQ(std::current_exception(), nullptr);
    std::thread([&] {
      __cilk2gpu_enter_handlers(&kept);
      inside = std::current_exception();
      __cilk2gpu_leave_handlers(&kept);
      EXPECT_EQ(std::current_exception(), nullptr);
    }).join();
    __cilk2gpu_enter_handlers(&kept);
    EXPECT_EQ(std::current_exception(), inside);
    EXPECT_NE(inside, nullptr);
  }
  inside = nullptr;
  EXPECT_EQ(alive, 0);
}

TEST(HeldExceptionDeathTest, NeedsASlot) {
  try {
    throw 1;
  } catch (...) {
    EXPECT_EXIT(__cilk2gpu_defer_caught(nullptr, 0), testing::ExitedWithCode(1), "cannot wait for the sync");
  }
}
