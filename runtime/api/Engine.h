// The device that CILK2GPU_DEVICE chooses, behind one interface: the native workers, which may have a device run the
// kernels, or the modelled machine. It is started when it is first needed: by then the program has registered what it
// brings for GPUs.
//
// Thread-safety: one thread at a time, which has the host's turn; counters may be read by any thread when nothing runs,
// and the native device's also while it runs.
#ifndef CILK2GPU_RUNTIME_API_ENGINE_H
#define CILK2GPU_RUNTIME_API_ENGINE_H

#include "executors/gpu-host/GpuHost.h"
#include "executors/gpu-host/PersistentHost.h"
#include "executors/gpu/Gpu.h"
#include "executors/gpu/PersistentGpu.h"
#include "executors/model/Model.h"
#include "executors/native/Workers.h"
#include "firmware/ModelFirmware.h"
#include "process/HostEnvironment.h"
#include "process/ResultSlots.h"
#include "process/Settings.h"
#include "process/SpawnObjects.h"

namespace cilk2gpu::rt {

/// The machine that settings describe.
MachineSettings machineSettings(const Settings &settings);

class Engine {
public:
  explicit Engine(const Settings &settings);
  Engine(const Engine &) = delete;

  /// Chooses and starts the device; `tasks` are those that it may have to run. Before anything but isStarted(),
  /// kind(), limits() and counters.
  void start(const TaskTable &tasks);
  bool isStarted() const { return __atomic_load_n(&started, __ATOMIC_ACQUIRE); } // pairs with start()

  abi::Cursor *root(const TaskInfo *task);
  /// Publishes the element that was filled in at root()'s cursor.
  void publishRoot();
  void run();

  Counters counters(const TaskTable &tasks) const;
  /// For the watchdog, from any thread: a number that grows while something gets on, and what is wrong if it does not.
  uint64_t progress() const { return model ? model->progress() : pool->progress(); }
  void report(void (*line)(void *context, const char *text), void *context);
  KernelCounters kernelCounters(const TaskInfo &task, uint32_t kernel) const;
  uint32_t workers() const { return persistent ? persistent->most() : pool ? pool->size() : 1; }
  /// How many of them may run, and to let fewer; false if it is too late.
  uint32_t availableWorkers() const { return persistent ? persistent->workers() : pool ? pool->available() : 1; }
  bool limitWorkers(uint32_t count);
  const Model *modelled() const { return model; }
  /// That of the modelled machine, or of gpu-host; null: the host runs the aggregator itself.
  const ControlProcessor *controlProcessor() const { return control; }
  /// The GPU that runs the kernels, or null.
  device::Gpu *gpu() const { return realGpu; }
  /// What graphs run on: what was asked for, as long as it has not been started.
  Device kind() const { return device; }
  const Limits &limits() const { return ownLimits; }

  /// Around fork, in the forking thread.
  void beforeFork();
  void afterForkInParent();
  void afterForkInChild();

  /// Storage for spawned calls' objects.
  SpawnObjects &spawnObjects() { return objects; }

  /// Storage for roots' results, among the frames.
  ResultSlots &resultSlots() { return slots; }

private:
  void startNative();
  void startModel(const TaskTable &tasks);
  void startGpuHost(const TaskTable &tasks);
  void startControl(const TaskTable &tasks);
  void refuseAggregator() const;
  void refuseFirmware() const;
  void startGpu();
  void startPersistentGpu();
  void runOnGpu();
  void runPersistent();
  void runScheduler();
  Counters &hostCounters() { return model ? model->hostCounters() : pool->hostCounters(); }

  const Settings &settings;
  Device device;
  Limits ownLimits;
  bool started = false;
  bool hasRoots = false; ///< published since the last run on a GPU
  MemoryBudget budget;
  SpawnObjects objects;
  ResultSlots slots;
  Environment environment; ///< the modelled machine's, and gpu-host's
  WorkerPool *pool = nullptr;
  Model *model = nullptr;
  ControlProcessor *control = nullptr;
  device::Gpu *realGpu = nullptr;
  device::PersistentHost *persistent = nullptr;
  device::PersistentGpu *persistentGpu = nullptr;
  union {
    alignas(WorkerPool) unsigned char poolStorage[sizeof(WorkerPool)];
    alignas(Model) unsigned char modelStorage[sizeof(Model)];
  };
  union {
    alignas(device::GpuHost) unsigned char gpuHostStorage[sizeof(device::GpuHost)];
    alignas(device::PersistentHost) unsigned char persistentStorage[sizeof(device::PersistentHost)];
    alignas(device::Gpu) unsigned char gpuStorage[sizeof(device::Gpu)];
    alignas(ModelFirmware) unsigned char modelFirmwareStorage[sizeof(ModelFirmware)];
  };
  alignas(ControlProcessor) unsigned char controlStorage[sizeof(ControlProcessor)];
  alignas(device::PersistentGpu) unsigned char persistentGpuStorage[sizeof(device::PersistentGpu)];
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_ENGINE_H
