// The state that the parts of a model share: settings, memory, machine, levels, the aggregator's clock and counters.
//
//   Model                    runs the loop, and answers questions
//     WavefrontBody          what a wavefront does in its fiber
//     ChildCounts            dependency-counted readiness
//     ModelAggregator        one action after the other
//       BlockedWavefronts    the table of wavefronts that found a channel full
//       ModelReclaim         frees elements that are done
//       ModelDispatch        dispatches wavefronts
//       LevelMoves           the current level, and which post-sync elements are ready
//       WavefrontLaunch      prepares wavefronts, and starts them
//
// A part refers to the state that its model derives from. Data that only one part reads belong to the part. The
// aggregator, ChildCounts and the levels are also compiled for a control processor, over the same data.
//
// Thread-safety: one host thread, but for counters that any thread may read.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELSTATE_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELSTATE_H

#include "executors/model/Predicate.h"
#include "executors/model/RestartChannel.h"
#include "executors/model/Trace.h"
#include "executors/model/Wavefront.h"

namespace cilk2gpu::rt {

class Model;

/// A control processor that runs the aggregator instead of the host: firmware. It works on the model's own data.
struct ControlHooks {
  void *context;
  /// ModelAggregator::aggregate() and retire() on the control processor.
  bool (*aggregate)(void *context, Model &model);
  void (*retire)(void *context, Model &model, Wavefront &wavefront);
};

struct ModelSettings {
  Limits limits;
  MachineSettings machine;
  uint32_t doneCount = kDoneGranularity;
  bool reservePerLane = false; ///< each lane reserves and publishes for itself: the baseline to compare with
  uint64_t traceEvents = 0;    ///< at most; 0: no trace
  /// Cycles after which ready elements of a channel are dispatched though they fill no wavefront; 0: no time-out.
  uint64_t timeout = 0;
  Predicate predicate = {nullptr, nullptr};
  const ControlHooks *control = nullptr; ///< null: the host runs the aggregator itself
};

struct ModelCounters {
#define CILK2GPU_MODEL_COUNTER(name, unit, description) uint64_t name = 0;
#include "executors/model/ModelCounters.def"
#undef CILK2GPU_MODEL_COUNTER
};

class ModelState {
public:
  /// `body` runs a wavefront in its fiber, and `pressure` says how full the channel is that it produces into.
  ModelState(const Environment &environment, const ModelSettings &settings, Machine::Body body,
             Machine::Pressure pressure);
  ModelState(const ModelState &) = delete;

  /// State of a task at all levels.
  struct TaskState {
    KernelCounters *kernels; ///< null: the task was never seen
    ChannelOccupancy occupancy;
    ElementLayout layout; ///< of its channels: the task's own, and the WaveNode if readiness is counted
    uint64_t bytes;       ///< of the arrays that this state points to
    LevelTask *levels;    ///< of a queue: at one level (LevelTask::otherLevel)
  };

  /// The level with that index; made if it is new.
  ModelLevel &level(uint64_t index);
  /// Tasks present at level `index`, in a list; null if there are none.
  LevelTask *tasksAt(uint64_t index) const { return index < numLevels ? levels[index].tasks : nullptr; }
  /// The state of `task` at that level; made if it is new.
  LevelTask &levelTask(uint64_t index, const TaskInfo *task);
  /// Makes the state that a task's kernels need at a level, if they have none.
  ActiveTask &activate(LevelTask &task);
  /// The state of a task at all levels; made if it is new.
  TaskState &stateOf(const TaskInfo &task);
  /// Returns the state of a task at all levels, null if the task was never seen.
  const TaskState *findState(const TaskInfo &task) const {
    return task.index < numTaskStates && taskStates[task.index].kernels ? &taskStates[task.index] : nullptr;
  }

  /// Counts the elements that are left at a level (ModelLevel::live).
  void addLive(uint64_t index, uint64_t count);
  void removeLive(uint64_t index, uint64_t count);
  /// Counts `change` elements more, or less, in the channels of a task.
  void occupy(LevelTask &task, int64_t change);
  /// Returns whether another level has elements of a queue: all levels together hold no more of a queue's elements than
  /// one level does.
  bool isHeldElsewhere(const LevelTask &task);

  /// Gives a context its wavefront, which starts at `time`. A control processor asks its machine to do so.
  void start(Wavefront &wavefront, Context &context, uint64_t time);
  /// Counts an action of the aggregator, and lets its time pass.
  void spend(uint64_t &counter, uint32_t cycles);

  ChannelBudget budget() { return {.arena = arena, .granularity = settings.doneCount}; }
  const Policy &policy() const { return policyOf(settings.limits.policy); }
  bool countsChildren() const { return policy().readiness == abi::ReadinessKind::ChildCount; }
  [[noreturn]] void internalError(const char *what, uint64_t index);

  const Environment &environment;
  const ModelSettings settings;
  Arena arena;
  Arena frameArena;
  Trace events;
  Machine machine;
  ModelLevel *levels = nullptr;
  uint64_t numLevels = 0;
  LevelSet alive;      ///< levels where something is left
  LevelSet candidates; ///< levels where something might be dispatched
  TaskState *taskStates = nullptr;
  uint64_t numTaskStates = 0;
  bool hasQueues = false;
  RestartChannel restarts;

  // The aggregator's clock.
  uint64_t freeAt = 0;               ///< when its last action is over
  uint64_t wakeAt = Machine::kNever; ///< when a time-out is over
  bool isAwake = true;               ///< something happened since it had nothing to do

  uint64_t dispatchedLanes = 0; ///< fresh and post-sync
  Counters totals;
  ModelCounters modelTotals;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELSTATE_H
