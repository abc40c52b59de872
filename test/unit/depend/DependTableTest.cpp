// Tests the levels of ordered tasks, the order of the tasks of a level, sections of several dimensions, and the reuse
// of a table.
#include "depend/DependTable.h"

#include <gtest/gtest.h>
#include <string.h>
#include <vector>

namespace cilk2gpu {
namespace {

using rt::DependTable;
using Task = DependTable::Task;

struct Record {
  Task task;
  uint32_t number;
};

void create(DependTable &table, uint32_t site, uint32_t number) {
  reinterpret_cast<Record *>(table.create(site, sizeof(Record), alignof(Record)))->number = number;
}

std::vector<std::vector<uint32_t>> levels(DependTable &table) {
  std::vector<std::vector<uint32_t>> result;
  uint64_t count = 0;
  while (Task **tasks = table.next(count)) {
    result.emplace_back();
    for (uint64_t i = 0; i != count; ++i)
      result.back().push_back(reinterpret_cast<Record *>(tasks[i])->number);
  }
  return result;
}

using Levels = std::vector<std::vector<uint32_t>>;

TEST(DependTable, TasksOfALevelAreSortedBySite) {
  DependTable table;
  int cells[4] = {};
  for (uint32_t i = 0; i != 8; ++i) {
    create(table, i % 2, i);
    table.item(&cells[i % 4], 1, sizeof(int), true);
    EXPECT_FALSE(table.add());
  }
  EXPECT_EQ(levels(table), (Levels{{0, 2, 1, 3}, {4, 6, 5, 7}}));
  EXPECT_EQ(levels(table), Levels{});
}

TEST(DependTable, ATaskOfAnElisionIsALevelOfItsOwn) {
  DependTable table;
  int cell = 0;
  for (uint32_t i = 0; i != 3; ++i) {
    create(table, i, i);
    table.item(&cell, 1, sizeof cell, true);
    table.addAlone();
    EXPECT_EQ(levels(table), Levels{{i}});
    EXPECT_TRUE(table.isEmpty());
  }
}

TEST(DependTable, ATaskMayReadAndWriteTheSameBytes) {
  DependTable table;
  char bytes[8];
  for (uint32_t i = 0; i != 3; ++i) {
    create(table, 0, i);
    table.item(bytes, 4, 1, false);
    table.item(bytes + 2, 4, 1, true);
    table.add();
  }
  EXPECT_EQ(levels(table), (Levels{{0}, {1}, {2}}));
}

TEST(DependTable, RowsOfASectionLeaveTheBytesBetweenThemFree) {
  DependTable table;
  char matrix[4][8];
  auto columns = [&](uint32_t number, int first, int count) {
    create(table, 0, number);
    table.repeat(4, sizeof matrix[0]);
    table.item(&matrix[0][first], uint64_t(count), 1, true);
    table.add();
  };
  columns(0, 0, 4);
  columns(1, 4, 4);
  columns(2, 3, 2);
  columns(3, 0, 8);
  columns(4, 7, 1);
  EXPECT_EQ(levels(table), (Levels{{0, 1}, {2}, {3}, {4}}));
}

TEST(DependTable, AnEmptySectionOrdersNothing) {
  DependTable table;
  char bytes[8];
  for (uint32_t i = 0; i != 2; ++i) {
    create(table, 0, i);
    table.item(bytes, 0, 8, true);
    table.add();
  }
  EXPECT_EQ(levels(table), (Levels{{0, 1}}));
}

TEST(DependTable, IsFullWithSixtyFourThousandTasksAndCanBeUsedAgain) {
  DependTable table;
  std::vector<int> cells(1000);
  for (int round = 0; round != 3; ++round) {
    for (uint32_t i = 0; i != DependTable::kMaxTasks; ++i) {
      create(table, i % 3, i);
      table.item(&cells[i % cells.size()], 1, sizeof(int), i % 5 == 0);
      ASSERT_EQ(table.add(), i + 1 == DependTable::kMaxTasks);
    }
    size_t count = 0;
    for (const std::vector<uint32_t> &level : levels(table))
      count += level.size();
    EXPECT_EQ(count, DependTable::kMaxTasks);
  }
}

/// Creates a task with the number `number` among its siblings, which writes `cell`.
void createNumbered(DependTable &table, uint32_t number, int &cell) {
  create(table, 0, number);
  table.place()->number = number;
  table.item(&cell, 1, sizeof cell, true);
  table.add();
}

TEST(DependTable, TasksBehindOneThatHasThrownMayNotStart) {
  DependTable table;
  int cells[4] = {};
  for (uint32_t i = 0; i != 8; ++i)
    createNumbered(table, i, cells[i % 4]);
  uint64_t count = 0;
  Task **first = table.next(count);
  EXPECT_FALSE(table.mayNotStart(*first[3]));
  table.setThrown(6);
  table.setThrown(5);
  table.setThrown(7);
  Task **second = table.next(count);
  ASSERT_EQ(count, 4u);
  for (uint32_t i = 0; i != 4; ++i)
    EXPECT_EQ(table.mayNotStart(*second[i]), i > 1) << i;
  table.forgetThrown();
  EXPECT_FALSE(table.hasThrown() || table.mayNotStart(*second[3]));
}

TEST(DependTable, WaitingTasksAreThoseOfLaterLevels) {
  DependTable table;
  int cells[3] = {};
  uint64_t count = 7;
  table.waiting(count);
  EXPECT_EQ(count, 0u);
  for (uint32_t i = 0; i != 6; ++i)
    createNumbered(table, i, cells[i % 3]);
  table.waiting(count);
  EXPECT_EQ(count, 6u);
  uint64_t level = 0;
  table.next(level);
  Task *const *waiting = table.waiting(count);
  ASSERT_EQ(count, 3u);
  EXPECT_EQ(waiting[0]->place->number, 3u);
  table.next(level);
  table.waiting(count);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(table.next(level), nullptr);
  table.waiting(count);
  EXPECT_EQ(count, 0u);
}

TEST(DependTable, RecordsAreAligned) {
  DependTable table;
  for (uint64_t align = 1; align != 1 << 13; align *= 2) {
    for (int i = 0; i != 3; ++i) {
      Task *task = table.create(0, 24 + align, align);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(task) % align, 0u);
      memset(task + 1, 0xff, 16 + align);
      table.add();
    }
  }
}

TEST(DependTable, ALargeRecordFitsIntoMemoryOfItsOwn) {
  for (uint64_t align : {8, 1 << 12, 1 << 16}) {
    const uint64_t bytes = 1 << 16;
    DependTable table;
    Task *task = table.create(0, bytes, align);
    memset(static_cast<void *>(task + 1), 0xff, bytes - sizeof(Task));
    EXPECT_GE(rt::dependCounters().ordered_memory, bytes + align);
    table.add();
  }
}

TEST(DependTable, MemoryIsCountedAndWithinTheBound) {
  const rt::DependCounters before = rt::dependCounters();
  {
    DependTable first, second;
    std::vector<char> bytes(5000);
    for (int round = 0; round != 3; ++round) {
      for (uint32_t i = 0; i != 4000; ++i) {
        DependTable &table = i % 4 ? first : second;
        create(table, i % 3, i);
        table.item(&bytes[i], 1, 1 + i % 7, i % 2);
        table.add();
      }
      levels(first);
      levels(second);
    }
  }
  const rt::DependCounters after = rt::dependCounters();
  EXPECT_EQ(after.ordered_tasks - before.ordered_tasks, 12000u);
  EXPECT_GE(after.ordered_waiting, 3000u);
  EXPECT_GE(after.ordered_frames, 2u);
  EXPECT_GE(after.ordered_memory, 4000 * (sizeof(Record) + sizeof(Task *)));
  EXPECT_LE(after.ordered_memory, after.ordered_memory_bound);
  EXPECT_GT(after.ordered_levels, before.ordered_levels);
}

} // namespace
} // namespace cilk2gpu
