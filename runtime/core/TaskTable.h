// The process's tasks: what registered records say, checked and copied, so that the scheduler follows no pointer into
// a program's data while it runs and statistics outlive a dlclose.
//
// A task is identified by its record's address; its TaskInfo hangs off TaskRecord::state and is never freed.
// Thread-safety: none; callers hold one lock for add(). A TaskInfo is constant once add() has returned.
#ifndef CILK2GPU_RUNTIME_CORE_TASKTABLE_H
#define CILK2GPU_RUNTIME_CORE_TASKTABLE_H

#include "core/Environment.h"
#include "core/FrameShape.h"
#include "core/OwnedChannel.h"
#include "core/Tunables.h"

namespace cilk2gpu::rt {

struct KernelInfo {
  abi::KernelFn run, resume;
  abi::KernelFn each; ///< as `run`, lane after lane
  const char *name;
  abi::Isa isa; ///< what `run` needs: abi::Isa::Any if its lanes run one after the other
  bool isVectorised() const { return isa != abi::Isa::Any; }
  /// For fresh or post-sync lanes: for few of them, vectors do not pay.
  abi::KernelFn entryFor(uint64_t lanes) const { return lanes <= tunables::kFewLanes ? each : run; }
  abi::LaneFn lane;
  const char *symbol;
  mutable void *entries[2]; ///< of a device that loads images: [1] for restarts; null until they are looked for
};

struct TaskInfo {
  uint64_t index; ///< in order of registration
  TaskInfo *next; ///< registered after this one
  const char *name, *location;
  ElementLayout element;
  KernelInfo *kernels;
  TaskInfo **targets;
  uint32_t numKernels, numTargets;
  FrameShape frame;
  uint64_t bytes;       ///< of an element or of a frame, whichever is larger
  const void *function; ///< of TaskRecord; null for plain ones, too
  bool hasElision;      ///< of TaskRecord: kernels[numKernels]
  bool isChain;         ///< neither it nor any task below it ever has more than one child that is not done
  const KernelInfo *elision() const { return hasElision ? &kernels[numKernels] : nullptr; }
  uint32_t numEntries() const { return numKernels + hasElision; } ///< of `kernels`
};

class TaskTable {
public:
  explicit TaskTable(const Environment &environment) : environment(environment), arena(environment) {}

  /// The task's info; registers it, and all that it can reach, if it is new. Fails through the environment if a
  /// record is malformed.
  TaskInfo *add(abi::TaskRecord *record);

  /// Has the task of a Cilk function stand for a plain record of the same function, if there is such a task already.
  void unify(abi::TaskRecord *record);

  TaskInfo *first() const { return head; }
  uint64_t size() const { return numTasks; }

  /// Forgets everything and releases the memory; records keep dangling states.
  void destroy() { arena.destroy(); }

private:
  TaskInfo *create(abi::TaskRecord *record);
  static void findChains(TaskInfo *first);
  void check(const abi::TaskRecord &record);
  const char *copy(const char *text);
  template <typename T> T *allocate(uint64_t count) {
    return static_cast<T *>(arena.allocate(count * sizeof(T), alignof(T)));
  }

  const Environment &environment;
  Arena arena;
  TaskInfo *head = nullptr, *tail = nullptr;
  uint64_t numTasks = 0;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_TASKTABLE_H
