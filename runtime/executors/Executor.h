// The interface of all executors. An executor takes root elements and runs the graph until it is empty. The table in
// api/Executors.h lists the executors by name.
//
//   native       worker threads on this CPU         executors/native/NativeExecutor.h
//   model        a modelled GPU                     executors/model/ModelExecutor.h
//   gpu-host     kernels for GPUs, on this CPU      executors/gpu-host/GpuHostExecutors.h
//   hip, cuda    a launch for each dispatch, or a persistent kernel   executors/gpu/GpuExecutors.h
//
// The functions of this class are correct for an executor that has run no task and uses only the calling thread.
//
// The runtime is linked to C programs. So no function here is pure virtual (that would need the C++ library), and no
// executor is destroyed through this class.
//
// Thread-safety: only the host thread whose turn it is calls these functions, unless a function says otherwise.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_EXECUTOR_H
#define CILK2GPU_RUNTIME_EXECUTORS_EXECUTOR_H

#include "core/Counters.h"
#include "core/TaskTable.h"
#include "process/Settings.h"

namespace cilk2gpu::device {
class Gpu;
}

namespace cilk2gpu::rt {

class Control;
class StatisticsFile;
struct MachineTrace;

/// The arguments of an executor's constructor. All objects that it refers to outlive the executor.
struct ExecutorSetup {
  const Settings &settings;
  Device device;
  /// The host's functions, and the budget if memory is limited. With a control processor, memory comes from the range
  /// that it shares with the host. An executor may set the environment's device.
  Environment &environment;
  MemoryBudget &budget; ///< the process's budget; an executor on a GPU changes it
  Control &control;     ///< runs the aggregator
  device::Gpu *gpu;     ///< the opened GPU; null if the device is not a GPU
};

/// Returns the limits that the settings ask for, with the policy that applies to the device.
Limits limitsOf(const ExecutorSetup &setup);

class Executor {
public:
  explicit Executor(const Limits &limits) : ownLimits(limits) {}
  Executor(const Executor &) = delete;

  /// Returns a cursor with room for one element of `task` at level 0, or null if that channel is full until a run.
  virtual abi::Cursor *root(const TaskInfo *task);
  /// Publishes the element that was filled in at root()'s cursor.
  virtual void publishRoot() {}
  /// Runs the graph until it is empty.
  virtual void run() {}

  /// Returns the number of worker threads, or of wavefronts that have their role.
  virtual uint32_t workers() const { return 1; }
  /// Returns the number of workers that may run.
  virtual uint32_t availableWorkers() const { return workers(); }
  /// Lets only the first `count` workers run. Returns false if it is too late for that.
  virtual bool limitWorkers(uint32_t) { return true; }
  const Limits &limits() const { return ownLimits; }

  /// Returns the counters. If the graph may run, the bounds of memory are zero, and any thread may call this. Otherwise
  /// the counters have the bounds of memory.
  virtual Counters counters(const TaskTable &, [[maybe_unused]] bool mayRun) const { return {}; }
  virtual KernelCounters kernelCounters(const TaskInfo &, uint32_t) const { return {}; }

  // Functions for reports during a run. Any thread may call them.
  /// Returns a number that grows while tasks start, resume or spawn.
  virtual uint64_t progress() const { return 0; }
  /// Writes, line by line, which worker or wavefront waits for what.
  virtual void report(void (*)(void *context, const char *text), void *) {}
  /// Returns whether the host can read the state of a run before the run ends.
  virtual bool isReadable() const { return true; }
  /// Stops a run for good, because the process is about to end by a signal. After the call, the data that the functions
  /// below read does not change. Does nothing if other threads may read that data while it changes.
  virtual void halt() {}

  // Functions for the files that are written when the program ends.
  /// Writes settings and names beyond those of all executors.
  virtual void writeFacts(StatisticsFile &) const {}
  /// Writes counters beyond those of all executors.
  virtual void writeCounters(StatisticsFile &) const {}
  /// Writes more members of a task's JSON object, each after a comma.
  virtual void writeTaskMembers(StatisticsFile &, const TaskInfo &) const {}
  /// Returns whether kernels run in the vectors that KernelInfo::isa names.
  virtual bool runsVectors() const { return false; }
  /// Returns the events of a modelled machine, or null.
  virtual const MachineTrace *trace() const { return nullptr; }

  /// Returns whether a task may wait for a host thread, or for a lock that a host thread holds.
  virtual bool mayAwaitHost() const { return true; }
  /// Returns whether counters are in memory that a driver unmaps when the process ends.
  virtual bool losesCountersAtExit() const { return false; }

  // Called around fork, in the forking thread.
  virtual void beforeFork() {}
  virtual void afterForkInParent() {}
  virtual void afterForkInChild() {}

protected:
  ~Executor() = default;
  Limits ownLimits;
};

/// Takes the place of the executor until one is started.
class UnstartedExecutor final : public Executor {
public:
  using Executor::Executor;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_EXECUTOR_H
