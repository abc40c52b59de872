// The device that CILK2GPU_DEVICE chooses, behind one interface: the native workers, which may have a device run the
// kernels, or the modelled machine.
//
// Thread-safety: one thread at a time, which has the host's turn; counters may be read by any thread when nothing runs,
// and the native device's also while it runs.
#ifndef CILK2GPU_RUNTIME_HOST_ENGINE_H
#define CILK2GPU_RUNTIME_HOST_ENGINE_H

#include "device/GpuHost.h"
#include "emulator/Model.h"
#include "host/HostEnvironment.h"
#include "host/Settings.h"
#include "host/Workers.h"

namespace cilk2gpu::rt {

/// The machine that settings describe.
MachineSettings machineSettings(const Settings &settings);

class Engine {
public:
  explicit Engine(const Settings &settings);
  Engine(const Engine &) = delete;

  abi::Cursor *root(const TaskInfo *task) { return model ? model->root(task) : pool->root(task); }
  /// Publishes the element that was filled in at root()'s cursor.
  void publishRoot();
  void run();

  Counters counters(const TaskTable &tasks) const { return model ? model->counters(tasks) : pool->counters(tasks); }
  uint64_t memoryBound() const { return model ? model->memoryBound() : pool->memoryBound(); }
  /// For the watchdog, from any thread: a number that grows while something gets on, and what is wrong if it does not.
  uint64_t progress() const { return model ? model->progress() : pool->progress(); }
  void report(void (*line)(void *context, const char *text), void *context) const {
    model ? model->report(line, context) : pool->report(line, context);
  }
  KernelCounters kernelCounters(const TaskInfo &task, uint32_t kernel) const;
  uint32_t workers() const { return pool ? pool->size() : 1; }
  const Model *modelled() const { return model; }
  WorkerPool *native() const { return pool; }
  /// What runs the kernels, if it is not the workers themselves.
  const DeviceHooks *device() const { return gpuHost ? gpuHost->hooks() : nullptr; }

private:
  void startGpuHost(const Settings &settings);
  Counters &hostCounters() { return model ? model->hostCounters() : pool->hostCounters(); }

  MemoryBudget budget;
  Environment environment; ///< the modelled machine's
  WorkerPool *pool = nullptr;
  Model *model = nullptr;
  device::GpuHost *gpuHost = nullptr;
  union {
    alignas(WorkerPool) unsigned char poolStorage[sizeof(WorkerPool)];
    alignas(Model) unsigned char modelStorage[sizeof(Model)];
  };
  alignas(device::GpuHost) unsigned char gpuHostStorage[sizeof(device::GpuHost)];
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_HOST_ENGINE_H
