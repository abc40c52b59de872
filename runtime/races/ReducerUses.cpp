// See ReducerUses.h.
#include "ReducerUses.h"

namespace cilk2gpu::races {

static constexpr size_t kCellBytes = 8; ///< of a cell, with shadow memory

void ReducerUses::open() {
  numbers.open();
  cells.open(kMostCells);
}

/// Returns null if there are too many reducers.
ReducerUses::Cell *ReducerUses::find(void *key) {
  uint64_t *number = numbers.find(uintptr_t(key), 0);
  if (!number || (!*number && cells.size() == kMostCells))
    return nullptr;
  if (!*number)
    *number = cells.add({key, nullptr, 0}) + 1;
  return &cells[*number - 1];
}

void ReducerUses::use(void *key, void *view, Cilk2gpuViewUse how, uint32_t number) {
  Cell *cell = find(key);
  if (!cell)
    return;
  bool isAssigned = view && cell->assigned == view && cell->task == strands.current();
  if (how == kCilk2gpuViewRead && isAssigned)
    return;
  if (how == kCilk2gpuViewAssigned) {
    cell->assigned = view;
    cell->task = strands.current();
  }
  LockSet properties = how == kCilk2gpuViewRead ? kRead : how == kCilk2gpuViewSet ? 0 : kAtomic;
  shadow.access(uintptr_t(cell), kCellBytes, {strands.current(), number, properties});
}

void ReducerUses::forget(void *key) {
  if (Cell *cell = find(key)) {
    cell->assigned = nullptr;
    shadow.clear(uintptr_t(cell), kCellBytes);
  }
}

uintptr_t ReducerUses::reducerAt(uintptr_t at) {
  auto first = uintptr_t(cells.begin()), last = uintptr_t(cells.end());
  return at >= first && at < last ? uintptr_t(cells[(at - first) / sizeof(Cell)].key) : at;
}

} // namespace cilk2gpu::races
