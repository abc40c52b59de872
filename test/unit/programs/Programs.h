// Programs for the runtime's tests, translated to kernels by hand as the compiler does it, and their simple recursive
// counterparts. Each has its TaskRecords, a result, and the number of tasks and frames that it takes.
#ifndef CILK2GPU_TEST_UNIT_PROGRAMS_PROGRAMS_H
#define CILK2GPU_TEST_UNIT_PROGRAMS_PROGRAMS_H

#include "cilk2gpu/abi/Device.h"
#include "cilk2gpu/abi/Records.h"

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

/// Hook for accesses of a device's lanes to memory; null if nobody looks.
extern void (*deviceAccess)(const void *memory, uint64_t bytes, bool writes);

template <typename T> const T &deviceRead(const T *memory) {
  if (deviceAccess)
    deviceAccess(memory, sizeof(T), false);
  return *memory;
}

template <typename T> void deviceWrite(T *memory, T value) {
  if (deviceAccess)
    deviceAccess(memory, sizeof(T), true);
  *memory = value;
}

/// Versions of load() and spawn() for a device's lane.
template <typename T> T deviceLoad(const abi::Wave *wave, uint64_t lane, uint32_t field) {
  const void *column = deviceRead(&deviceRead(&wave->columns)[field]);
  return deviceRead(static_cast<const T *>(column) + deviceRead(&wave->first) + lane);
}

template <typename... Fields> bool deviceSpawn(abi::Wave *wave, uint32_t target, Fields... fields) {
  uint64_t index = __cilk2gpu_device_talloc(wave, target);
  if (index == abi::kRefused)
    return false;
  const abi::Cursor &cursor = deviceRead(deviceRead(&deviceRead(&wave->spawns)[target]));
  uint32_t f = 0;
  (deviceWrite(static_cast<Fields *>(deviceRead(&cursor.columns[f++])) + index, fields), ...);
  return true;
}

struct Expected {
  int64_t result;
  uint64_t tasks;   ///< calls of any of the program's Cilk functions
  uint64_t resumed; ///< post-sync elements
};

struct Program {
  const char *name;
  abi::TaskRecord *root; ///< its element: int32_t argument, int64_t *result
  Expected (*plain)(int32_t argument);
};

extern abi::TaskRecord fibTask, loopTask; ///< constant data, which constructors may use

// The device forms of fib's and loop's kernels, whose symbols are fib_0, fib_1, loop_0, loop_1 and child_0.
void fibLane0(abi::Wave *wave, uint64_t lane, uint32_t site);
void fibLane1(abi::Wave *wave, uint64_t lane, uint32_t site);
void loopLane0(abi::Wave *wave, uint64_t lane, uint32_t site);
void loopLane1(abi::Wave *wave, uint64_t lane, uint32_t site);
void childLane0(abi::Wave *wave, uint64_t lane, uint32_t site);

extern const Program fib;        ///< two children and a sync; base n <= 2
extern const Program loop;       ///< one task that spawns n children
extern const Program chain;      ///< n levels of one task each
extern const Program mutual;     ///< two tasks that spawn each other
extern const Program syncInLoop; ///< spawns and syncs several times from a loop around both
extern const Program twoSyncs;   ///< three segments

inline const Program *const allPrograms[] = {&fib, &loop, &chain, &mutual, &syncInLoop, &twoSyncs};

} // namespace cilk2gpu::test

#endif // CILK2GPU_TEST_UNIT_PROGRAMS_PROGRAMS_H
