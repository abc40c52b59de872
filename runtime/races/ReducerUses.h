// Uses of reducers, for races of views. Each reducer has a cell in memory of the detector. A use counts as an access of
// the cell, so the shadow memory finds uses that may run in parallel:
//
//   update, assignment   an atomic write: two of them are no race
//   read                 a read: races with updates and assignments
//   new value            a write: races with all other uses
//
// Locks of the program make no difference, because they do not order the reductions.
#ifndef CILK2GPU_RUNTIME_RACES_REDUCERUSES_H
#define CILK2GPU_RUNTIME_RACES_REDUCERUSES_H

#include "CountTable.h"
#include "Shadow.h"
#include "cilk2gpu/abi/RaceHooks.h"

namespace cilk2gpu::races {

class ReducerUses {
public:
  constexpr ReducerUses(const TaskBags &strands, Shadow &shadow) : strands(strands), shadow(shadow) {}
  void open();

  /// The running task uses the reducer at `key`. `view` may be null. `number` is that of the access.
  void use(void *key, void *view, Cilk2gpuViewUse how, uint32_t number);
  /// A reducer begins or ends its life: earlier uses were of another one.
  void forget(void *key);
  /// Returns the reducer's address for that of its cell, and other addresses as they are.
  uintptr_t reducerAt(uintptr_t at);

private:
  struct Cell {
    void *key;
    void *assigned; ///< the view to which a task assigned a value, or null
    TaskId task;    ///< that task
  };
  static constexpr size_t kMostCells = size_t(1) << 20;

  Cell *find(void *key);

  const TaskBags &strands;
  Shadow &shadow;
  CountTable numbers; ///< of cells, plus 1
  ReservedArray<Cell> cells;
};

} // namespace cilk2gpu::races

#endif // CILK2GPU_RUNTIME_RACES_REDUCERUSES_H
