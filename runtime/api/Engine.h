// The process's executor: chosen from settings and the table of executors, and started when it is first needed. By then
// the program has registered its tasks and its code for GPUs. Before that, the engine has an executor that was not
// started.
//
// Thread-safety: one thread at a time, which has the host's turn. Once isStarted() has returned true, any thread may do
// what Executor.h allows to any thread.
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

  /// Returns the executor's counters, with the memory of spawned calls' objects.
  Counters counters(const TaskTable &tasks) const;

  // Around fork, in the forking thread.
  void beforeFork();
  void afterForkInParent();
  void afterForkInChild();

  /// Storage for spawned calls' objects.
  SpawnObjects &spawnObjects() { return objects; }

  /// Storage for roots' results, among the frames.
  ResultSlots &resultSlots() { return slots; }

private:
  AggregatorPlace choosePlace() const;
  Control &startControl(const TaskTable &tasks);
  void warnOfSettings() const;

  const Settings &settings;
  Device device;
  bool started = false;
  MemoryBudget budget;
  SpawnObjects objects;
  ResultSlots slots;
  Environment environment; ///< the executor's, if it does not make its own
  HostControl host;
  UnstartedExecutor unstarted;
  Executor *chosen = &unstarted;
  alignas(mostOf(kExecutors, &ExecutorEntry::align)) unsigned char storage[mostOf(kExecutors, &ExecutorEntry::bytes)];
  alignas(device::Gpu) unsigned char gpuStorage[sizeof(device::Gpu)];
  alignas(FirmwareControl) unsigned char controlStorage[sizeof(FirmwareControl)];
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_ENGINE_H
