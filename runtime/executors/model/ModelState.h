// The state that the parts of a model share: settings, memory, machine, levels, the aggregator's clock and counters.
//
//   Model                    runs the loop, and reports counters and progress
//     WavefrontBody          the code of a wavefront in its fiber
//     ChildCounts            readiness by counted children
//     ModelAggregator        does one action after the other
//       BlockedWavefronts    the table of wavefronts that found a channel full
//       ModelReclaim         frees done elements
//       ModelDispatch        dispatches wavefronts
//       LevelMoves           chooses the current level, and finds ready post-sync elements
//       WavefrontLaunch      prepares wavefronts, and starts them
//
// A part refers to the state that its model derives from. Data that only one part reads belong to the part. The
// aggregator, ChildCounts and the levels are also compiled for a control processor, over the same data.
//
// Thread-safety: one host thread; any thread may read counters.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELSTATE_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELSTATE_H

#include "executors/model/Predicate.h"
#include "executors/model/RestartChannel.h"
#include "executors/model/Trace.h"
#include "executors/model/Wavefront.h"

namespace cilk2gpu::rt {

class Model;

/// Functions of a control processor that runs the aggregator, as firmware, instead of the host. It works on the model's
/// own data.
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
  bool reservePerLane = false; ///< each lane reserves and publishes for itself, as a baseline for comparisons
  uint64_t traceEvents = 0;    ///< the most events of the trace; 0: no trace
  /// Cycles after which ready elements of a channel are dispatched even if they do not fill a wavefront; 0: no limit.
  uint64_t timeout = 0;
  Predicate predicate = {nullptr, nullptr};
  const ControlHooks *control = nullptr; ///< null: the host runs the aggregator itself
};

struct ModelCounters {
#define CILK2GPU_MODEL_COUNTER(name, unit, description) uint64_t name = 0;
#include "executors/model/ModelCounters.def"
#undef CILK2GPU_MODEL_COUNTER
};

/// Counts the bytes of blocks of one kind, as the arena counts them, and the most at one time.
class PeakBytes {
public:
  void add(uint64_t bytes, uint64_t align) {
    now += Arena::blockBytes(bytes, align);
    peak = now > peak ? now : peak;
  }
  void remove(uint64_t bytes, uint64_t align) { now -= Arena::blockBytes(bytes, align); }
  uint64_t most() const { return peak; }

private:
  uint64_t now = 0, peak = 0;
};

class ModelState {
public:
  /// `body` runs a wavefront in its fiber. `pressure` returns how full the channel is that a wavefront produces into.
  ModelState(const Environment &environment, const ModelSettings &settings, Machine::Body body,
             Machine::Pressure pressure);
  ModelState(const ModelState &) = delete;

  /// State of a task at all levels.
  struct TaskState {
    KernelCounters *kernels; ///< null: the task was never seen
    ChannelOccupancy occupancy;
    ElementLayout layout; ///< layout of its channels: the task's fields, and the WaveNode if children are counted
    uint64_t bytes;       ///< bytes of the arrays that this state points to
    LevelTask *levels;    ///< for a queue: its state at one level (LevelTask::otherLevel)
  };

  /// Returns the level with this index. Makes it if it is new.
  ModelLevel &level(uint64_t index);
  /// Returns the list of tasks present at level `index`; null if there are none.
  LevelTask *tasksAt(uint64_t index) const { return index < numLevels ? levels[index].tasks : nullptr; }
  /// Returns the state of a task at a level. Makes it if it is new.
  LevelTask &levelTask(uint64_t index, const TaskInfo *task);
  /// Returns the state that a task's kernels need at a level. Makes it if it is new.
  ActiveTask &activate(LevelTask &task);
  /// Returns the state of a task for all levels. Makes it if it is new.
  TaskState &stateOf(const TaskInfo &task);
  /// Returns the state of a task for all levels; null if the task was never seen.
  const TaskState *findState(const TaskInfo &task) const {
    return task.index < numTaskStates && taskStates[task.index].kernels ? &taskStates[task.index] : nullptr;
  }

  /// Adds elements to the count of a level (ModelLevel::live).
  void addLive(uint64_t index, uint64_t count);
  void removeLive(uint64_t index, uint64_t count);
  /// Changes the count of elements in the channels of a task by `change`.
  void occupy(LevelTask &task, int64_t change);
  /// Returns whether another level has elements of a queue. A queue's capacity bounds its elements at all levels
  /// together, so only one level at a time holds some.
  bool isHeldElsewhere(const LevelTask &task);

  /// Gives a context its wavefront, which starts at `time`. On a control processor, this is a request to the machine.
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
  LevelSet alive;      ///< levels with elements left
  LevelSet candidates; ///< levels with elements that might be dispatched
  TaskState *taskStates = nullptr;
  uint64_t numTaskStates = 0;
  bool hasQueues = false;
  RestartChannel restarts;

  // The aggregator's clock.
  uint64_t freeAt = 0;               ///< time at which its last action ends
  uint64_t wakeAt = Machine::kNever; ///< time at which a time-out ends
  bool isAwake = true;               ///< an event has happened since it last had no action to do

  uint64_t dispatchedLanes = 0; ///< fresh and post-sync lanes that were dispatched
  Counters totals;
  ModelCounters modelTotals;
  PeakBytes savedWaves, waveNodes; ///< blocks of SavedWave and of WaveNode
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELSTATE_H
