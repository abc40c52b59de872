// The modelled device. It runs channel-flow graphs on a machine of compute units, whose wavefronts all run at once,
// with shared lock-free channels and an aggregator. A wavefront that finds a channel full gives up its context. The
// aggregator enters the wavefront in its table of blocked wavefronts, and restarts it, on the same CU, when there is
// room.
//
// Memory is bounded, and progress is guaranteed, as in the native scheduler (core/Scheduler.h). For each level and task
// there are at most `width` elements in any state, and as many frames. Post-sync elements and blocked lanes stand for
// frames. A lane has its frame before it starts, and asks only for room one level deeper. It is restarted when that
// level has room.
//
// The parts of a model are listed in ModelState.h.
//
// Thread-safety: one host thread at a time, unless a function says otherwise. A run depends only on the settings, the
// seed and the program, not on addresses or on the host's clock.
//
//   Model model(environment, settings);
//   abi::Cursor *root = model.root(task);   // fill the element, ++root->next,
//   model.publishRoot();
//   model.run();
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODEL_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODEL_H

#include "core/MemoryBound.h"
#include "executors/model/ModelAggregator.h"
#include "executors/model/WavefrontBody.h"

namespace cilk2gpu::rt {

class Model : private ModelState {
public:
  /// `environment` outlives the model.
  Model(const Environment &environment, const ModelSettings &settings);
  Model(const Model &) = delete;

  /// Returns a cursor with room for one element of `task` at level 0; null if that channel is full.
  abi::Cursor *root(const TaskInfo *task);
  /// Publishes the element that was filled in at that cursor.
  void publishRoot();
  /// Runs the graph until it is empty.
  void run();

  /// Returns the memory for storage of variable size in tasks (TaskLocals.h).
  Arena &memory() { return arena; }
  const ModelSettings &setup() const { return settings; }
  const Trace &trace() const { return events; }

  /// Returns the model's counters. They have bounds of memory if the graph cannot be running. Any thread may call this;
  /// during run() the result may be old.
  Counters counters(const TaskTable &tasks, bool mayRun = false) const;
  /// Returns the counters of the task's kernels; null if the task never ran here.
  const KernelCounters *kernelCounters(const TaskInfo &task) const;
  /// Returns the counters that the caller of run() counts itself.
  Counters &hostCounters() { return totals; }
  ModelCounters modelCounters() const;
  /// Returns the occupancy of the task's channels; null if the task never ran here.
  const ChannelOccupancy *occupancy(const TaskInfo &task) const;
  /// Returns the most memory that the device can have taken, by the buffers that have grown, and the most that it could
  /// have taken with channels of this width. Both are for the levels that were reached and the most contexts that were
  /// in use at one time. docs/model.md derives the formula.
  MemoryBounds memoryBounds() const;

  /// Returns the number of elements spawned and dispatched so far. It does not change while the run makes no progress.
  /// Any thread may call this.
  uint64_t progress() const { return read(totals.spawned) + read(dispatchedLanes); }
  /// Writes which wavefronts wait for which channels. Called in the machine's own thread, or in another one between
  /// hold() and letGo() (WavefrontBody.h).
  void report(void (*line)(void *context, const char *text), void *context) const;
  bool hold() { return body.hold(); }
  void letGo() { body.letGo(); }
  /// Requests of another thread, which the machine answers before its next action, unless a kernel runs for long.
  enum class Request : uint8_t {
    None,
    Report, ///< write the report (Environment::report)
    Halt,   ///< do nothing more
  };
  void request(Request what) { __atomic_store(&wanted, &what, __ATOMIC_RELAXED); }
  bool hasAnswered() const { return pendingRequest() == Request::None; }

  void destroy();

private:
  friend struct ControlAccess; // firmware/Shared.h

  bool nextAction();
  bool aggregate();
  void ended(Wavefront &wavefront, Context &context);
  Request pendingRequest() const {
    Request result;
    __atomic_load(&wanted, &result, __ATOMIC_ACQUIRE); // pairs with answer()
    return result;
  }
  void answer();
  void stalled();

  ChildCounts nodes;
  WavefrontBody body;
  ModelAggregator aggregator;
  const uint64_t fixedBytes; ///< bytes in use when the model was made
  Producer rootProducer = {};
  LevelTask *rootTask = nullptr;
  CasCounts rootCas;
  Request wanted = Request::None; ///< atomic
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODEL_H
