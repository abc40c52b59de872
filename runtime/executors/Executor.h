// The interface of all executors: what takes root elements and runs the graph until it is empty. The table in
// api/Executors.h has them by name.
//
//   native       worker threads on this CPU         executors/native/NativeExecutor.h
//   model        a modelled GPU                     executors/model/ModelExecutor.h
//   gpu-host     GPUs' kernels on this CPU          executors/gpu-host/GpuHostExecutors.h
//   hip, cuda    a launch for each dispatch, or a persistent kernel   executors/gpu/GpuExecutors.h
//
// The functions of the class itself are right for an executor that has run nothing, on the calling thread alone.
//
// The runtime is linked to C programs. So no function here is pure virtual (that would need the C++ library), and no
// executor is destroyed through this class.
//
// Thread-safety: one thread at a time, which has the host's turn; except where a function says otherwise.
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

/// What an executor is made from. All that it refers to outlives the executor.
struct ExecutorSetup {
  const Settings &settings;
  Device device;
  /// The host's functions, and the budget if memory is limited. A control processor allocates from memory that it
  /// shares. An executor may set its device.
  Environment &environment;
  MemoryBudget &budget; ///< of the process; an executor on a GPU sets it
  Control &control;     ///< runs the aggregator
  device::Gpu *gpu;     ///< opened; null unless the device is a GPU
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

  /// Returns the number of threads, or of wavefronts that stand for them.
  virtual uint32_t workers() const { return 1; }
  /// Returns how many of them may run.
  virtual uint32_t availableWorkers() const { return workers(); }
  /// Lets the first `count` workers run only. Returns false if it is too late for that.
  virtual bool limitWorkers(uint32_t) { return true; }
  const Limits &limits() const { return ownLimits; }

  /// Any thread, when nothing runs; the counters of native workers also during a run. Counters include the bound of
  /// memory.
  virtual Counters counters(const TaskTable &) const { return {}; }
  virtual KernelCounters kernelCounters(const TaskInfo &, uint32_t) const { return {}; }

  // For the watchdog, from any thread.
  /// Returns a number that grows while tasks start, resume or spawn.
  virtual uint64_t progress() const { return 0; }
  /// Writes, line by line, who waits for what.
  virtual void report(void (*)(void *context, const char *text), void *) {}

  // The executor's part of the files that are written when the program ends.
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
  /// Returns whether counters are in memory that a driver takes away when the process ends.
  virtual bool losesCountersAtExit() const { return false; }

  // Around fork, in the forking thread.
  virtual void beforeFork() {}
  virtual void afterForkInParent() {}
  virtual void afterForkInChild() {}

protected:
  ~Executor() = default;
  Limits ownLimits;
};

/// Stands for the executor until one is started: it has run nothing.
class UnstartedExecutor final : public Executor {
public:
  using Executor::Executor;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_EXECUTOR_H
