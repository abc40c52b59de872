// Ordered tasks of one frame: spawns behind a `#pragma cilk depend`. A spawn creates a task and does not start it. The
// table computes the task's level: 1 + the largest level of the earlier tasks with which it conflicts. The frame then
// runs the levels one after the other, and the tasks of a level in parallel.
//
//   char *task = table.create(site, bytes, 8);     // the caller stores the arguments behind the Task
//   table.item(&c, 1, sizeof c, true);             // depend(out: c)
//   bool isFull = table.add();
//   while (Task **tasks = table.next(count)) ...   // at a sync, and when the table is full
//
// Memory: a table holds at most kMaxTasks tasks. Their records are freed together, when all levels have run. The memory
// is counted in the statistics (DependMemory.h).
//
// Thread-safety: one thread at a time. A frame may go on in another thread; the scheduler orders both threads.
#ifndef CILK2GPU_RUNTIME_DEPEND_DEPENDTABLE_H
#define CILK2GPU_RUNTIME_DEPEND_DEPENDTABLE_H

#include "depend/AccessMap.h"

namespace cilk2gpu::rt {

class DependTable {
public:
  /// Most tasks of a table. When it has as many, the frame runs them.
  static constexpr uint32_t kMaxTasks = 1 << 16;

  /// The place of a task in serial order, for programs with reducers or exceptions (DependApi.cpp).
  struct Place {
    DependTable *table;
    void *views;      ///< the slot of the task's views, or null
    void *exceptions; ///< the parent's slot for exceptions, or null
    uint64_t number;  ///< among the siblings, in that slot
  };

  /// Stands at the beginning of each record. Compiled code reads `site`.
  struct Task {
    uint32_t site, level;
    Place *place; ///< or null
  };

  DependTable() = default;
  ~DependTable();
  DependTable(const DependTable &) = delete;

  /// Returns the record of a new task, with `bytes` bytes in all. `align` is a power of two. If add() does not follow,
  /// the next call makes another task, and this one is forgotten.
  Task *create(uint32_t site, uint64_t bytes, uint64_t align);
  /// Repeats the next item `count` times, at distances of `stride` bytes. Calls nest; the first call is the outermost.
  void repeat(uint64_t count, uint64_t stride);
  /// Returns the place of the new task, which has none at first.
  Place *place();
  /// Adds an item of the new task: `count` elements from `base` on.
  void item(const void *base, uint64_t count, uint64_t elementSize, bool writes);
  /// Ends the creation of the task. Returns true if the table is full.
  bool add();
  /// Ends the creation of a task that runs at once. The table has no other task. The items do not count.
  void addAlone();
  bool isEmpty() const { return tasks.count == 0; }

  /// A task with this number has thrown an exception. Tasks with larger numbers do not start before forgetThrown().
  /// Several tasks may throw at a time.
  void setThrown(uint64_t number);
  void forgetThrown() { firstThrown = kNone; }
  /// A sync of the frame runs the tasks. When they have run, the exception is thrown, and then it is forgotten.
  bool isSyncing = false;
  /// Returns true if an earlier task has thrown.
  bool mayNotStart(const Task &task) const { return task.place && task.place->number > firstThrown; }
  bool hasThrown() const { return firstThrown != kNone; }
  /// Returns the tasks that have been added and have not been returned by next(), and their number in `count`.
  Task *const *waiting(uint64_t &count) const;
  /// Returns the tasks of the next level, and their number in `count`. Returns null, and forgets all tasks, when the
  /// last level was returned.
  Task **next(uint64_t &count);

private:
  struct Chunk {
    Chunk *next;
    uint64_t bytes; ///< behind this header
  };
  struct Repetition {
    uint64_t count, stride;
  };
  template <class T> struct List {
    T *items = nullptr;
    uint32_t count = 0, room = 0;
    void push(const T &value, DependMemory &memory);
    ~List();
  };

  void addRows(uint32_t dimension, uintptr_t begin, uint64_t bytes, bool writes);
  void newChunk(uint64_t bytes);
  void sort();
  void reset();

  void *take(uint64_t bytes);
  uintptr_t takeFromChunk(uint64_t bytes, uint64_t align);

  DependMemory memory; ///< outlives the members behind it
  AccessMap accesses{&memory};
  Task *created = nullptr; ///< by the latest call of create()
  List<Task *> tasks;
  List<Access> items;            ///< of the task that is being created
  List<Repetition> repetitions;  ///< of its next item
  Chunk *chunks = nullptr;       ///< the first one has room
  uintptr_t room = 0, limit = 0; ///< free bytes of the first chunk
  uint32_t numLevels = 0, numSites = 0;
  uint64_t orderBytes = 0;    ///< of `sorted` and `starts`
  Task **sorted = nullptr;    ///< by level, then by site; null before the first level
  uint32_t *starts = nullptr; ///< of the levels in `sorted`
  uint32_t level = 0;         ///< next one to run

  static constexpr uint64_t kNone = UINT64_MAX;
  uint64_t firstThrown = kNone; ///< the smallest number of a task that has thrown
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_DEPEND_DEPENDTABLE_H
