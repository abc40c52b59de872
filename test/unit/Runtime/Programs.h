// Programs translated to kernels by hand, the way the compiler does it, and their plain recursive counterparts: what
// the runtime's tests run. Each has its TaskRecords, a result, and the tasks and frames it takes.
#ifndef CILK2GPU_TEST_UNIT_RUNTIME_PROGRAMS_H
#define CILK2GPU_TEST_UNIT_RUNTIME_PROGRAMS_H

#include "abi/Records.h"

namespace cilk2gpu::test {

/// Column `field` of the element that lane `lane` consumes.
template <typename T> T load(const abi::Wave *wave, uint32_t lane, uint32_t field) {
  return static_cast<const T *>(wave->columns[field])[wave->first + lane];
}

/// Spawns into wave->spawns[target]; false if the lane has to yield.
template <typename... Fields> bool spawn(abi::Wave *wave, uint32_t target, Fields... fields) {
  abi::Cursor *cursor = wave->spawns[target];
  if (cursor->next == cursor->limit && !__cilk2gpu_talloc(wave, target))
    return false;
  uint32_t f = 0;
  ((static_cast<Fields *>(cursor->columns[f++])[cursor->next] = fields), ...);
  ++cursor->next;
  return true;
}

/// Saves a lane that could not spawn.
inline void yield(abi::Wave *wave, void *frame, uint32_t site) {
  abi::Cursor *restarts = wave->restarts;
  static_cast<void **>(restarts->columns[0])[restarts->next] = frame;
  static_cast<uint32_t *>(restarts->columns[1])[restarts->next] = site;
  ++restarts->next;
}

/// Publishes a lane's post-sync element.
inline void sync(abi::Wave *wave, void *frame, uint32_t kernel) {
  abi::Cursor *cursor = wave->syncs[kernel];
  static_cast<void **>(cursor->columns[0])[cursor->next++] = frame;
}

template <typename Frame> Frame *takeFrame(abi::Wave *wave) {
  return static_cast<Frame *>(wave->frames->free[--wave->frames->count]);
}

inline void giveFrame(abi::Wave *wave, void *frame) { wave->frames->free[wave->frames->count++] = frame; }

struct Expected {
  int64_t result;
  uint64_t tasks;  ///< calls of any of the program's Cilk functions
  uint64_t resumed; ///< post-sync elements
};

struct Program {
  const char *name;
  abi::TaskRecord *root; ///< its element: int32_t argument, int64_t *result
  Expected (*plain)(int32_t argument);
};

extern abi::TaskRecord fibTask, loopTask; ///< constants that constructors may use

extern const Program fib;        ///< two children and a sync; base n <= 2
extern const Program loop;       ///< one task that spawns n children
extern const Program chain;      ///< n levels of one task each
extern const Program mutual;     ///< two tasks that spawn each other
extern const Program syncInLoop; ///< spawns and syncs several times from a loop around both
extern const Program twoSyncs;   ///< three segments

inline const Program *const allPrograms[] = {&fib, &loop, &chain, &mutual, &syncInLoop, &twoSyncs};

} // namespace cilk2gpu::test

#endif // CILK2GPU_TEST_UNIT_RUNTIME_PROGRAMS_H
