// Chooses the process's executor, by the settings and the table of executors, and starts it when it is first needed. By
// then the program has registered its tasks and its code for GPUs. Before that, the engine has an UnstartedExecutor.
//
// Thread-safety: only the host thread whose turn it is. When isStarted() has returned true, any thread may call the
// functions that Executor.h allows to any thread.
#ifndef CILK2GPU_RUNTIME_API_ENGINE_H
#define CILK2GPU_RUNTIME_API_ENGINE_H

#include "api/Executors.h"
#include "firmware/FirmwareControl.h"
#include "process/ResultSlots.h"
#include "process/SpawnObjects.h"

namespace cilk2gpu::rt {

class Engine {
public:
  explicit Engine(const Settings &settings);
  Engine(const Engine &) = delete;

  /// Chooses and starts the executor. `tasks` are the tasks that it may have to run.
  void start(const TaskTable &tasks);
  bool isStarted() const { return __atomic_load_n(&started, __ATOMIC_ACQUIRE); } // pairs with start()

  Executor &executor() { return *chosen; }
  const Executor &executor() const { return *chosen; }
  /// Returns the device that graphs run on; before the start, the device that settings name.
  Device kind() const { return device; }

  /// Returns the GPU that was opened; null if there is none, or before the start.
  device::Gpu *gpu() { return isStarted() ? openGpu() : nullptr; }

  /// Returns the executor's counters, with the memory of spawned calls' objects. See Executor::counters.
  Counters counters(const TaskTable &tasks, bool mayRun) const;

  // Called around fork, in the forking thread.
  void beforeFork();
  void afterForkInParent();
  void afterForkInChild();

  /// Returns the storage for objects of spawned calls.
  SpawnObjects &spawnObjects() { return objects; }

  /// Returns the storage for results of roots, in the range of frames.
  ResultSlots &resultSlots() { return slots; }

private:
  device::Gpu *openGpu();
  AggregatorPlace choosePlace() const;
  Control &startControl(const TaskTable &tasks);
  void warnOfSettings() const;

  const Settings &settings;
  Device device;
  bool started = false;
  MemoryBudget budget;
  SpawnObjects objects;
  ResultSlots slots;
  Environment environment; ///< environment of the executor, unless it makes its own
  HostControl host;
  UnstartedExecutor unstarted;
  Executor *chosen = &unstarted;
  alignas(mostOf(kExecutors, &ExecutorEntry::align)) unsigned char storage[mostOf(kExecutors, &ExecutorEntry::bytes)];
  alignas(device::Gpu) unsigned char gpuStorage[sizeof(device::Gpu)];
  alignas(FirmwareControl) unsigned char controlStorage[sizeof(FirmwareControl)];
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_ENGINE_H
