// The modelled device: runs channel-flow graphs on a machine of compute units whose wavefronts all run at once, over
// shared lock-free channels, under an aggregator. A wavefront that finds a channel full gives up its context. The
// aggregator enters it in its table of blocked wavefronts, and restarts it, on the same CU, when there is room.
//
// Bounds and progress are the native scheduler's (core/Scheduler.h), for each level and task: at most `width`
// elements in any state and as many frames; post-sync elements and blocked lanes stand for frames. A lane has its frame
// before it starts, and asks for nothing else but room one level deeper. It is restarted when that level has room.
//
// The parts of a model are listed in ModelState.h.
//
// Thread-safety: one host thread at a time, unless a function says otherwise. The settings, the seed and the program
// alone decide what happens; addresses and the host's clock decide nothing.
//
//   Model model(environment, settings);
//   abi::Cursor *root = model.root(task);   // fill the element, ++root->next,
//   model.publishRoot();
//   model.run();
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODEL_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODEL_H

#include "executors/model/ModelAggregator.h"
#include "executors/model/WavefrontBody.h"

namespace cilk2gpu::rt {

class Model : private ModelState {
public:
  /// `environment` outlives the model.
  Model(const Environment &environment, const ModelSettings &settings);
  Model(const Model &) = delete;

  /// A cursor with room for one element of `task` at level 0, or null if that channel is full.
  abi::Cursor *root(const TaskInfo *task);
  /// Publishes the element that was filled in at that cursor.
  void publishRoot();
  /// Runs until nothing is left.
  void run();

  /// Memory for storage of variable size of the tasks that run here (TaskLocals.h).
  Arena &memory() { return arena; }
  const ModelSettings &setup() const { return settings; }
  const Trace &trace() const { return events; }

  /// Adds up the model's counters. May be called by any thread; while run() is in progress they lag.
  Counters counters(const TaskTable &tasks) const;
  /// Counters of `task`'s kernels; null if it never ran here.
  const KernelCounters *kernelCounters(const TaskInfo &task) const;
  /// Counters that the caller of run() keeps.
  Counters &hostCounters() { return totals; }
  ModelCounters modelCounters() const;
  /// Occupancy of `task`'s channels; null if it never ran here.
  const ChannelOccupancy *occupancy(const TaskInfo &task) const;
  /// The most memory that the device could have taken for the levels that were reached and the contexts that were in
  /// use at one time, by the formula that docs/model.md derives.
  uint64_t memoryBound() const;

  /// Elements spawned and dispatched so far: does not change while nothing gets on. May be read by any thread.
  uint64_t progress() const { return read(totals.spawned) + read(dispatchedLanes); }
  /// Writes who waits for what. In the machine's own thread; in another thread only while a kernel's code runs, which
  /// changes nothing that this reads.
  void report(void (*line)(void *context, const char *text), void *context) const;
  /// From another thread: has the machine write the report (Environment::report) before its next action, unless a
  /// kernel keeps it from that.
  void requestReport() { __atomic_store_n(&reportWanted, true, __ATOMIC_RELAXED); }
  bool hasReported() const { return !__atomic_load_n(&reportWanted, __ATOMIC_ACQUIRE); } // pairs with answer()

  void destroy();

private:
  friend struct ControlAccess; // firmware/Shared.h

  bool nextAction();
  bool aggregate();
  void ended(Wavefront &wavefront, Context &context);
  void answer();
  void stalled();

  ChildCounts nodes;
  WavefrontBody body;
  ModelAggregator aggregator;
  const uint64_t fixedBytes; ///< in use when the model was made
  Producer rootProducer = {};
  LevelTask *rootTask = nullptr;
  CasCounts rootCas;
  bool reportWanted = false; ///< atomic
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODEL_H
