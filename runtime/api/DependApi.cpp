// Functions that compiled code calls for a frame's ordered tasks (`#pragma cilk depend`). The frame holds a pointer to
// its table. The pointer is null until the frame creates its first ordered task.
//
// In units with reducers, a new task reserves its place among the views of the frame. So views are reduced in the order
// of the spawns, in whatever order the tasks run. The strands of a task write into its place between `enter` and
// `leave`.
//
// In programs with exceptions, a new task also gets the parent's slot for exceptions and its number there. Levels
// behind a task that has thrown have only tasks with smaller numbers: those that the serial elision runs before it
// throws. So the sync throws the exception of the elision, and a task that waits for one that has thrown does not
// start.
#include "cilk2gpu/abi/Exceptions.h"
#include "depend/DependTable.h"
#include "process/Message.h"
#include "process/RequestServer.h"
#include "reducers/Activation.h"

#include <new>
#include <stdlib.h>
#include <utility>

using cilk2gpu::abi::ExceptionSlot;
using cilk2gpu::rt::DependTable;
using cilk2gpu::rt::fatal;
using cilk2gpu::rt::servesLaneWithoutReach;
using cilk2gpu::rt::reducers::Activation;
using cilk2gpu::rt::reducers::Slot;

/// Returns the record of a new task. The first `sizeof(DependTable::Task)` bytes of the record belong to the runtime.
extern "C" void *__cilk2gpu_depend_create(DependTable **table, uint32_t site, uint64_t bytes, uint64_t align) {
  if (!*table) {
    if (servesLaneWithoutReach())
      fatal(
          "a task on the GPU spawns ordered tasks (depend), but the device does not reach pageable memory, where their "
          "records would have to be; link with -foffload-managed, or use CILK2GPU_DEVICE=native");
    void *block = malloc(sizeof(DependTable));
    if (!block)
      fatal("out of memory: a table of ordered tasks could not be allocated");
    *table = new (block) DependTable;
  }
  return (*table)->create(site, bytes, align);
}

static uint64_t lengthOf(int64_t count, const char *place) {
  if (count < 0)
    fatal("the length of an array section in a depend clause must not be negative, but it is %lld at %s; write the "
          "number of elements behind the ':'",
          static_cast<long long>(count), place);
  return uint64_t(count);
}

/// Repeats the next item `count` times. `place` is the item's place in the source, for messages.
extern "C" void __cilk2gpu_depend_repeat(DependTable **table, int64_t count, uint64_t stride, const char *place) {
  (*table)->repeat(lengthOf(count, place), stride);
}

/// Adds an item of the task that was created last: `count` elements from `base` on.
extern "C" void __cilk2gpu_depend_item(DependTable **table, const void *base, int64_t count, uint64_t elementSize,
                                       int32_t writes, const char *place) {
  (*table)->item(base, lengthOf(count, place), elementSize, writes != 0);
}

/// Ends the creation of the task. Returns 1 if the frame must run its ordered tasks now, else 0.
extern "C" int32_t __cilk2gpu_depend_add(DependTable **table) { return (*table)->add(); }

/// As above, in a serial elision. The frame runs each task as soon as it is created, in the order of the program.
extern "C" int32_t __cilk2gpu_depend_add_in_elision(DependTable **table) {
  if ((*table)->hasThrown())
    return 0;
  (*table)->addAlone();
  return 1;
}

/// Ends the place of a task that never starts.
static void giveUp(const DependTable::Task &task) {
  if (task.place && task.place->views)
    Activation::giveUp(static_cast<Slot *>(std::exchange(task.place->views, nullptr)));
}

/// Returns the tasks of the next level, and their number in `count`. Returns null, with a `count` of 0, when all levels
/// have run. Tasks behind one that has thrown are left out.
extern "C" DependTable::Task **__cilk2gpu_depend_level(DependTable **table, uint64_t *count) {
  *count = 0;
  if (!*table)
    return nullptr;
  uint64_t found = 0;
  DependTable::Task **tasks = (*table)->next(found);
  for (uint64_t i = 0; i != found; ++i)
    (*table)->mayNotStart(*tasks[i]) ? giveUp(*tasks[i]) : void(tasks[(*count)++] = tasks[i]);
  if (!tasks && std::exchange((*table)->isSyncing, false))
    (*table)->forgetThrown();
  return tasks;
}

/// Begins a sync of the frame. Returns 1 if the frame has ordered tasks that have not run, else 0. After a task has
/// thrown, all of these come behind it, and none starts: the sync throws the exception.
extern "C" int32_t __cilk2gpu_depend_pending(DependTable **table) {
  if (!*table)
    return 0;
  (*table)->isSyncing = true;
  if (!(*table)->hasThrown())
    return !(*table)->isEmpty();
  for (uint64_t count = 1; __cilk2gpu_depend_level(table, &count);) {
  }
  return 0;
}

/// Reserves a place for the views of the task that is being created. `activation` is that of the frame. In a program
/// without reducers, tasks have no views.
extern "C" void __cilk2gpu_depend_reserve(DependTable **table, void *activation) {
  if (__cilk2gpu_reducers_used)
    (*table)->place()->views = static_cast<Activation *>(activation)->reserve();
}

/// Between these calls, the strands of `activation` are those of an ordered task. Tasks of an elision have no place of
/// their own: they belong to the strand that creates them.
extern "C" void __cilk2gpu_views_adopt(void *activation, DependTable::Task *task) {
  if (DependTable::Place *place = task->place; place && place->views)
    place->views = static_cast<Activation *>(activation)->adopt(static_cast<Slot *>(place->views));
}

extern "C" void __cilk2gpu_views_release(void *activation, DependTable::Task *task) {
  if (DependTable::Place *place = task->place; place && place->views)
    static_cast<Activation *>(activation)->release(static_cast<Slot *>(std::exchange(place->views, nullptr)));
}

/// As above, for the activation of the thread.
extern "C" void __cilk2gpu_depend_enter(DependTable::Task *task) {
  if (Activation *current = Activation::current())
    __cilk2gpu_views_adopt(current, task);
}

extern "C" void __cilk2gpu_depend_leave(DependTable::Task *task) {
  if (Activation *current = Activation::current())
    __cilk2gpu_views_release(current, task);
}

/// An exception of the task that is being created goes to the slot `exceptions` of its parent, with this number.
extern "C" void __cilk2gpu_depend_throws(DependTable **table, ExceptionSlot *exceptions, uint64_t number) {
  DependTable::Place *place = (*table)->place();
  place->exceptions = exceptions;
  place->number = number;
}

/// Notes that a task has thrown an exception, whose number goes to `number`. Returns the slot for the exception.
extern "C" ExceptionSlot *__cilk2gpu_depend_thrown(void *task, uint64_t *number) {
  const DependTable::Place *place = static_cast<DependTable::Task *>(task)->place;
  if (!place || !place->exceptions)
    return nullptr;
  place->table->setThrown(*number = place->number);
  return static_cast<ExceptionSlot *>(place->exceptions);
}

static void giveUpWaiting(const DependTable &table) {
  uint64_t count = 0;
  DependTable::Task *const *tasks = table.waiting(count);
  for (uint64_t i = 0; i != count; ++i)
    giveUp(*tasks[i]);
}

/// Ends a frame's table. Tasks that have not started do not start.
extern "C" void __cilk2gpu_depend_end(DependTable **table) {
  if (!*table)
    return;
  giveUpWaiting(**table);
  (*table)->~DependTable();
  free(*table);
  *table = nullptr;
}
