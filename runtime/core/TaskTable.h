// The process's tasks: the contents of registered records, checked and copied. The scheduler therefore follows no
// pointer into a program's data while it runs, and statistics outlive a dlclose.
//
// The table also closes edges: an edge that starts at a task covers all tasks that the task can reach, in any unit or
// library. A task's targets are known when it is registered, so a library that is opened later changes no closure.
//
// The address of its record identifies a task. TaskRecord::state points to the TaskInfo, which is never freed.
// Thread-safety: none; callers hold one lock for add(). A TaskInfo is constant once add() has returned, but for what
// is measured.
#ifndef CILK2GPU_RUNTIME_CORE_TASKTABLE_H
#define CILK2GPU_RUNTIME_CORE_TASKTABLE_H

#include "core/Contention.h"
#include "core/Environment.h"
#include "core/FormTimes.h"
#include "core/FrameShape.h"
#include "core/OwnedChannel.h"
#include "core/Tunables.h"
#include "core/UpperTrials.h"

namespace cilk2gpu::rt {

struct KernelInfo {
  abi::KernelFn run, resume;
  abi::KernelFn each; ///< like `run`, but lane after lane
  const char *name;
  abi::Isa isa; ///< instruction set that `run` needs; abi::Isa::Any if its lanes run one after the other
  bool isVectorised() const { return isa != abi::Isa::Any; }
  /// Returns whether many lanes run in vectors, as far as trials have shown by now that vectors are faster.
  bool prefersVectors() const { return isVectorised() && !forms.prefersEach(); }
  /// Returns the function for fresh or post-sync lanes. For few lanes, vectors do not pay.
  abi::KernelFn entryFor(uint64_t lanes) const {
    return lanes <= tunables::kFewLanes || forms.prefersEach() ? each : run;
  }
  bool mayBeLong; ///< from KernelRecord
  abi::LaneFn lane;
  const char *symbol;
  const char *sync; ///< from KernelRecord; for debuggers
  mutable FormTimes forms;
  mutable void *entries[2]; ///< addresses on a device that loads images, [1] for restarts; null until they are looked
                            ///< up
};

struct TaskInfo;

/// The tasks that elements wait for: the sources of their edges and all tasks that these can reach. An element at a
/// level is ready when no deeper level holds elements or frames of these tasks.
struct Closure {
  const uint64_t *words; ///< [numWords]: a bit for each task, by TaskInfo::node
  uint64_t numWords;
  bool isEverything; ///< any task: an edge could not be resolved

  bool isNothing() const { return !words && !isEverything; }
  bool contains(const TaskInfo &task) const;
};

/// How long lanes of a task's first kernel took by themselves, as all schedulers have measured it. A hint, so all
/// accesses are relaxed.
class LaneTimes {
public:
  /// Returns the longest of recent times in nanoseconds; 0: no lane was measured yet.
  uint64_t longest() const { return __atomic_load_n(&nanoseconds, __ATOMIC_RELAXED); }
  /// Notes a time. The longest time fades, because tasks change in the course of a run.
  void note(uint64_t time) {
    uint64_t before = longest();
    __atomic_store_n(&nanoseconds, time > before ? time : before - before / 16, __ATOMIC_RELAXED);
  }

  /// Number of blocks that were given away before a lane was measured.
  uint32_t guesses() const { return __atomic_load_n(&guessed, __ATOMIC_RELAXED); }
  void countGuess() { __atomic_fetch_add(&guessed, 1, __ATOMIC_RELAXED); }

private:
  uint64_t nanoseconds = 0;
  uint32_t guessed = 0;
};

/// How long an iteration of a cilk_for takes in its serial loop, as all schedulers have measured it. A hint, so all
/// accesses are relaxed.
class IterationTime {
public:
  bool isKnown() const { return __atomic_load_n(&time, __ATOMIC_RELAXED); }
  /// Returns the nanoseconds that some iterations take.
  uint64_t timeOf(uint64_t iterations) const {
    uint64_t each = __atomic_load_n(&time, __ATOMIC_RELAXED);
    return each && iterations > UINT64_MAX / each ? UINT64_MAX / kUnit : iterations * each / kUnit;
  }
  /// Notes that iterations took so many nanoseconds. A longer time may be due to other programs, so it counts less.
  void note(uint64_t took, uint64_t iterations) {
    uint64_t each = took * kUnit / iterations + 1, before = __atomic_load_n(&time, __ATOMIC_RELAXED);
    __atomic_store_n(&time, before && each > before ? before + (each - before) / 4 : each, __ATOMIC_RELAXED);
  }
  void forget() { __atomic_store_n(&time, 0, __ATOMIC_RELAXED); }

private:
  static constexpr uint64_t kUnit = 1024; ///< parts of a nanosecond
  uint64_t time = 0;                      ///< 0: not known
};

struct TaskInfo {
  uint64_t index; ///< number in the order of registration; on a control processor, the host's number
  TaskInfo *next; ///< registered after this one
  const char *name, *location;
  ElementLayout element;
  KernelInfo *kernels;
  TaskInfo **targets;
  uint32_t numKernels, numTargets;
  FrameShape frame;
  uint64_t bytes;       ///< of an element or of a frame, whichever is larger
  const void *function; ///< TaskRecord::function; null for plain records, too
  bool hasElision;      ///< from TaskRecord; the elision is kernels[numKernels]
  bool isRange;         ///< from TaskRecord; the first three fields are the range's ends and the grain
  bool isChain;         ///< neither the task nor a descendant ever has more than one unfinished child
  abi::NodeKind kind;
  uint64_t capacity;  ///< from TaskRecord; 0: the width of channels at run time
  uint64_t node;      ///< number in the table that the task was made in
  uint32_t rank;      ///< of a queue: the most queues that its elements pass through after this one
  bool countsParents; ///< elements are released by counts of parents: a graph of thread blocks
  mutable LaneTimes times;
  mutable UpperTrials upper;
  mutable IterationTime iteration; ///< of a range
  mutable Contention contention;   ///< of a range's iterations
  const Closure *awaited; ///< [numKernels]: for each post-sync kernel; [0]: of a channel without kernels, else nothing

  bool isQueue() const { return kind == abi::NodeKind::Queue; }
  /// Returns whether a kernel runs its lanes in vectors now.
  bool prefersVectors() const {
    for (uint32_t k = 0; k < numKernels; ++k)
      if (kernels[k].prefersVectors())
        return true;
    return false;
  }
  /// Returns whether pre-sync lanes run one after the other and may each take long.
  bool mayBeLong() const { return numKernels && kernels[0].mayBeLong && !kernels[0].isVectorised(); }
  /// Returns the most elements of the task at one level. The capacity of a stack is only a hint; the capacity of a
  /// queue is binding.
  uint64_t widthUnder(const Limits &limits) const {
    if (capacity && (isQueue() || !limits.isWidthGiven))
      return capacity < tunables::kMaxWidth ? capacity : tunables::kMaxWidth;
    return limits.widthFor(bytes);
  }
  const KernelInfo *elision() const { return hasElision ? &kernels[numKernels] : nullptr; }
  uint32_t numEntries() const { return numKernels + hasElision; } ///< of `kernels`
};

inline bool Closure::contains(const TaskInfo &task) const {
  return isEverything || (task.node / 64 < numWords && words[task.node / 64] >> task.node % 64 & 1);
}

class TaskTable {
public:
  explicit TaskTable(const Environment &environment) : environment(environment), arena(environment) {}

  /// Returns the info of a task. If the task is new, registers it and all tasks that it can reach. A malformed record
  /// is a failure that is reported through the environment.
  TaskInfo *add(abi::TaskRecord *record);

  /// Registers a channel of a graph that was written by hand. Its consumer is a function of the host, so the record has
  /// no kernels. Its edges lead to its elements, as kernel 0. A channel of thread blocks has an edge from itself to
  /// itself of the kind ParentCount, and no other edge: its own machine counts. A malformed record is a failure that is
  /// reported through the environment.
  TaskInfo *addChannel(abi::TaskRecord *record);
  /// Reads the edges of a channel's record again, after they have changed.
  void closeAgain(TaskInfo *channel);

  /// Makes a plain record that is not registered refer to the task of the same Cilk function, if that task is
  /// registered.
  void unify(abi::TaskRecord *record);
  /// Likewise for registered plain records. No task may have run, and the records of all tasks must still exist.
  void unifyEarlier();

  TaskInfo *first() const { return head; }
  uint64_t size() const { return numTasks; }

  /// Forgets all tasks and releases the memory. The state pointers of records then dangle.
  void destroy() { arena.destroy(); }

private:
  /// A task and its record, which is read until add() returns, and in unifyEarlier().
  struct Entry : TaskInfo {
    abi::TaskRecord *record;
    Entry *twin;     ///< another task of the same record, or null
    Entry *original; ///< the first of the twins
  };
  static Entry *entry(TaskInfo *info) { return static_cast<Entry *>(info); }

  Entry *create(abi::TaskRecord *record, bool hasKernels);
  TaskInfo *infoOf(abi::TaskRecord *record);
  TaskInfo *targetOf(const Entry &task, uint32_t t);
  TaskInfo *taskOf(const abi::TaskRecord &record) const;
  void enterReachable(TaskInfo *first);
  static void findChains(TaskInfo *first);
  void findRanks(TaskInfo *first);
  void closeEdges(TaskInfo *first, const TaskInfo *end);
  Closure close(const Entry &task, uint32_t kernel, TaskInfo **worklist);
  static void reach(uint64_t *words, TaskInfo *from, TaskInfo **worklist);
  void check(const abi::TaskRecord &record, bool hasKernels);
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
