// Tests the calls of compiled code for ordered tasks that throw exceptions.
#include "cilk2gpu/abi/Exceptions.h"
#include "depend/DependTable.h"

#include <gtest/gtest.h>

namespace cilk2gpu {
namespace {

using rt::DependTable;
using Task = DependTable::Task;

extern "C" {
Task *__cilk2gpu_depend_create(DependTable **table, uint32_t site, uint64_t bytes, uint64_t align);
void __cilk2gpu_depend_item(DependTable **table, const void *base, int64_t count, uint64_t elementSize, int32_t writes,
                            const char *place);
int32_t __cilk2gpu_depend_add(DependTable **table);
void __cilk2gpu_depend_throws(DependTable **table, abi::ExceptionSlot *exceptions, uint64_t number);
Task **__cilk2gpu_depend_level(DependTable **table, uint64_t *count);
int32_t __cilk2gpu_depend_pending(DependTable **table);
void __cilk2gpu_depend_end(DependTable **table);
}

/// A frame whose ordered tasks all write one variable.
class Frame {
public:
  ~Frame() { __cilk2gpu_depend_end(&table); }

  Task *create(uint64_t number) {
    Task *task = __cilk2gpu_depend_create(&table, 0, sizeof(Task), alignof(Task));
    __cilk2gpu_depend_throws(&table, &slot, number);
    __cilk2gpu_depend_item(&table, &cell, 1, sizeof cell, 1, "");
    EXPECT_EQ(__cilk2gpu_depend_add(&table), 0);
    return task;
  }
  bool isPending() { return __cilk2gpu_depend_pending(&table); }
  /// Returns the number of tasks in the next level, or 0 behind the last one.
  uint64_t startLevel() {
    uint64_t count = 1;
    Task **tasks = __cilk2gpu_depend_level(&table, &count);
    EXPECT_EQ(tasks == nullptr, count == 0);
    return count;
  }

private:
  DependTable *table = nullptr;
  abi::ExceptionSlot slot = {};
  int cell = 0;
};

TEST(DependApi, ASyncRunsTheTasksThatWait) {
  Frame frame;
  EXPECT_FALSE(frame.isPending());
  frame.create(1);
  frame.create(2);
  EXPECT_TRUE(frame.isPending());
  EXPECT_EQ(frame.startLevel(), 1u);
  EXPECT_EQ(frame.startLevel(), 1u);
  EXPECT_EQ(frame.startLevel(), 0u);
  EXPECT_FALSE(frame.isPending());
}

TEST(DependApi, NoTaskIsPendingBehindOneThatHasThrown) {
  Frame frame;
  Task *first = frame.create(1);
  EXPECT_EQ(frame.startLevel(), 1u);
  uint64_t number = 0;
  ASSERT_NE(__cilk2gpu_depend_thrown(first, &number), nullptr);
  EXPECT_EQ(number, 1u);
  frame.create(2);
  EXPECT_FALSE(frame.isPending());
  EXPECT_EQ(frame.startLevel(), 0u);
  frame.create(3); // the sync has thrown the exception
  EXPECT_TRUE(frame.isPending());
  EXPECT_EQ(frame.startLevel(), 1u);
}

} // namespace
} // namespace cilk2gpu
