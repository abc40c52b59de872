// See StepOrder.h.
#include "core/StepOrder.h"
#include "core/PickElements.h"

namespace cilk2gpu::rt {

void StepOrder::refuseSpawns(const TaskLevel &state) const {
  for (uint32_t t = 0; t < state.task->numTargets; ++t)
    state.active->spawns[t]->limit = state.active->spawns[t]->next;
}

uint64_t StepOrder::grant(abi::Cursor &target, uint64_t level) {
  if (!shared.talloc(target, 1))
    return 0;
  target.limit = target.next + 1;
  TaskLevel &state = SchedulerState::taskLevelOf(target);
  note(level, state);
  if (ahead && ahead == shared.dispatchedTask)
    nameOther(state);
  return 1;
}

StepOrder::List &StepOrder::listOf(uint64_t level) {
  if (level >= numLists) {
    uint64_t grown = level + 1 > 2 * numLists ? level + 1 : 2 * numLists;
    List *fresh = shared.arena.allocateArray<List>(grown);
    for (uint64_t i = 0; i < numLists; ++i)
      fresh[i] = lists[i];
    shared.arena.release(lists, numLists * sizeof(List), alignof(List));
    lists = fresh;
    numLists = grown;
  }
  return lists[level];
}

/// Makes room for one more entry: moves the entries to the start of the array, or into a larger one.
void StepOrder::makeRoom(List &list) {
  uint64_t size = list.end - list.first;
  TaskLevel **from = list.items;
  if (list.first < list.capacity / 2 || !list.capacity) {
    uint64_t grown = list.capacity ? 2 * list.capacity : tunables::kFirstElements;
    list.items = shared.arena.allocateArray<TaskLevel *>(grown);
    for (uint64_t i = 0; i < size; ++i)
      list.items[i] = from[list.first + i];
    shared.arena.release(from, list.capacity * sizeof(TaskLevel *), alignof(TaskLevel *));
    list.capacity = grown;
  } else {
    for (uint64_t i = 0; i < size; ++i)
      from[i] = from[list.first + i];
  }
  list.first = 0;
  list.end = size;
}

void StepOrder::note(uint64_t level, TaskLevel &state) {
  List &list = listOf(level);
  if (list.end == list.capacity)
    makeRoom(list);
  list.items[list.end++] = &state;
}

void StepOrder::take(uint64_t level, uint64_t place) {
  List &list = lists[level];
  TaskLevel **items = list.items + list.first;
  TaskLevel &state = *items[place];
  uint64_t position = 0; // in the channel
  for (uint64_t i = 0; i < place; ++i)
    position += items[i] == &state;
  moveToFront(state, position);
  __builtin_memmove(items + 1, items, place * sizeof *items);
  ++list.first;
  if (list.first == list.end)
    list.first = list.end = 0;
}

void StepOrder::noteRoot(TaskLevel &state) {
  note(0, state);
  if (steps->addRoot())
    name(StepKind::Behind, state);
}

void StepOrder::name(StepKind kind, const TaskLevel &task) {
  steps->name(kind, task.task->name, task.task->location);
  ahead = kind == StepKind::Ahead ? &task : nullptr;
}

void StepOrder::nameOther(const TaskLevel &task) { steps->nameOther(task.task->name, task.task->location); }

} // namespace cilk2gpu::rt
