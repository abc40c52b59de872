// The choices of a scheduler whose tasks run one at a time (TaskOrder::Stepped). A choice is a step. The first steps
// are decided by a seed, and all later ones are those of the serial elision. So two runs with the same seed are equal
// up to the smaller of their numbers of steps, and the first step after which the results differ names the tasks whose
// order matters.
//
//   Steps steps(limit, seed, record);
//   uint64_t picked = steps.choose(waiting);   // 0: the serial choice
//   if (steps.isLast(picked))
//     steps.name(StepKind::Early, task), steps.nameOther(passed);
//
// The seed 1 takes the last of the possible choices each time: of two neighbours, the later one runs first.
//
// Thread-safety: one thread at a time. Another process may read the record. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_STEPS_H
#define CILK2GPU_RUNTIME_CORE_STEPS_H

#include "core/Generator.h"
#include "core/Tunables.h"

namespace cilk2gpu::rt {

/// Schedulers on GPUs have no steps, and their images no code for them.
#if defined(__AMDGCN__) || defined(__NVPTX__)
inline constexpr bool kHasSteps = false;
#else
inline constexpr bool kHasSteps = true;
#endif

/// How a step departs from the serial order.
enum class StepKind : uint32_t {
  None,   ///< not named
  Behind, ///< ordinary code behind the spawn of the task ran before the task
  Early,  ///< the task ran before other tasks that come first in the serial order
  Ahead,  ///< the task ran up to its syncs before its children
};

/// A task, as texts that another process can read. Longer texts are cut.
struct StepTask {
  char name[96];
  char location[160]; ///< "file:line:column"; empty: not known

  void set(const char *taskName, const char *place) {
    copy(name, sizeof name, taskName);
    copy(location, sizeof location, place);
  }
  bool is(const char *taskName, const char *place) const { return equals(name, taskName) && equals(location, place); }

private:
  static void copy(char *to, uint64_t size, const char *from) {
    for (; from && *from && size > 1; --size)
      *to++ = *from++;
    *to = 0;
  }
  static bool equals(const char *a, const char *b) {
    for (; b && *a && *a == *b; ++a)
      ++b;
    return !*a && (!b || !*b);
  }
};

/// The state of the steps, which another process may read when the run is over, and `made` at any time.
struct StepRecord {
  static constexpr uint32_t kMostOthers = 4;

  uint64_t made; ///< atomic
  uint8_t fill;  ///< pattern for memory that tasks have not written (FillStack.h); 0: none. Constant during a run.
  StepKind kind; ///< of the last step
  StepTask task;
  uint32_t numOthers;
  bool hasMoreOthers;
  StepTask others[kMostOthers]; ///< tasks that it ran before
};

class Steps {
public:
  /// The seed whose choices are the last ones.
  static constexpr uint64_t kLastFirst = 1;

  /// `record` outlives the object.
  Steps(uint64_t limit, uint64_t seed, StepRecord &record)
      : limit(limit), random(seed), takesLast(seed == kLastFirst), record(record) {}

  /// Makes a choice among `among` possibilities, at least one. Returns 0, the serial one, when all steps are made. A
  /// choice among one is no step.
  uint64_t choose(uint64_t among) {
    if (among < 2 || made == limit)
      return 0;
    // Relaxed: the other process only looks whether the number grows.
    __atomic_store_n(&record.made, ++made, __ATOMIC_RELAXED);
    uint64_t drawn = random.below(among);
    return takesLast ? among - 1 : drawn;
  }

  /// Returns whether `picked`, which choose() has just returned, is the last departure from the serial order.
  bool isLast(uint64_t picked) const { return picked && made == limit; }

  /// Chooses whether ordinary code goes on before the next root runs. The step is named when the root is known. Behind
  /// a root that waits, the next ones wait, too, so that roots stay in order when the steps are over.
  bool leavesRoot() {
    if (made == limit && rootsWait)
      return true;
    uint64_t picked = choose(tunables::kStepRoots);
    rootIsLast = isLast(picked);
    return picked;
  }
  /// Called when a root waits. Returns whether the choice to leave it was the last departure.
  bool addRoot() {
    bool result = rootIsLast;
    rootIsLast = false;
    rootsWait = true;
    return result;
  }
  /// Called when all roots run.
  void runRoots() { rootsWait = false; }

  /// Returns StepRecord::fill.
  uint8_t fill() const { return record.fill; }

  /// Names the last step.
  void name(StepKind kind, const char *task, const char *location) {
    record.kind = kind;
    record.task.set(task, location);
  }
  /// Adds a task that the named task ran before.
  void nameOther(const char *task, const char *location) {
    for (uint32_t i = 0; i < record.numOthers; ++i)
      if (record.others[i].is(task, location))
        return;
    if (record.numOthers == StepRecord::kMostOthers)
      record.hasMoreOthers = true;
    else
      record.others[record.numOthers++].set(task, location);
  }

private:
  const uint64_t limit;
  uint64_t made = 0;
  bool rootIsLast = false, rootsWait = false;
  Generator random;
  const bool takesLast;
  StepRecord &record;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_STEPS_H
