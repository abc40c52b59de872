// See Engine.h. A warning names each setting that has no effect on the chosen device, once.
#include "api/Engine.h"
#include "depend/DependMemory.h"
#include "executors/gpu/DeviceChoice.h"
#include "process/FrameRange.h"
#include "process/HostEnvironment.h"
#include "process/Message.h"
#include "process/NameList.h"

namespace cilk2gpu::rt {

Engine::Engine(const Settings &settings)
    : settings(settings), device(settings.device), budget{settings.memoryCap},
      objects(settings.memoryCap ? &budget : nullptr), environment(hostEnvironment()), unstarted(settings.limits) {
  environment.budget = settings.memoryCap ? &budget : nullptr;
  if (settings.memoryCap)
    limitHostMemory(~uint64_t(0)); // the budget limits the memory instead
}

void Engine::start(const TaskTable &tasks) {
  device = chooseDevice(settings, tasks, gpuStorage);
  warnOfSettings();
  const ExecutorEntry &entry = *findExecutor(device, choosePlace());
  const ExecutorSetup setup = {.settings = settings,
                               .device = device,
                               .environment = environment,
                               .budget = budget,
                               .control = startControl(tasks),
                               .gpu = openGpu()};
  chosen = entry.make(storage, setup);
  __atomic_store_n(&started, true, __ATOMIC_RELEASE); // pairs with isStarted()
}

/// Returns the GPU in the storage, if a device was chosen that is one.
device::Gpu *Engine::openGpu() {
  return traitsOf(device).isGpu ? std::launder(reinterpret_cast<device::Gpu *>(gpuStorage)) : nullptr;
}

/// Returns a list of the devices that have a trait, such as "hip, cuda and gpu-host".
static NameList devicesWith(bool DeviceTraits::*trait) {
  NameList result;
  const DeviceTraits *last = nullptr;
  for (const DeviceTraits &traits : kDevices)
    if (traits.*trait) {
      if (last)
        result.add(last->name);
      last = &traits;
    }
  result.separator = " and ";
  result.add(last->name);
  return result;
}

/// Warns of settings that have no effect on the device. The program runs as without them.
void Engine::warnOfSettings() const {
  const DeviceTraits &traits = traitsOf(device);
  if (settings.schedule != Schedule::RoundRobin && !traits.hasSchedules)
    warning("CILK2GPU_SCHEDULE=%s has no effect with CILK2GPU_DEVICE=%s: only %s have schedules",
            scheduleName(settings.schedule), traits.name, devicesWith(&DeviceTraits::hasSchedules).text);
  if (settings.aggregator != AggregatorPlace::Host && !traits.hasPersistentKernel)
    warning("CILK2GPU_AGGREGATOR=%s has no effect with CILK2GPU_DEVICE=%s: only %s have a persistent kernel",
            aggregatorName(settings.aggregator), traits.name, devicesWith(&DeviceTraits::hasPersistentKernel).text);
  if (settings.firmware && !traits.hasControlProcessor)
    warning("CILK2GPU_FIRMWARE has no effect with CILK2GPU_DEVICE=%s: only %s have a control processor", traits.name,
            devicesWith(&DeviceTraits::hasControlProcessor).text);
}

/// Returns the place of the aggregator. Ends the process if two settings contradict each other.
AggregatorPlace Engine::choosePlace() const {
  const DeviceTraits &traits = traitsOf(device);
  if (!traits.hasPersistentKernel)
    return AggregatorPlace::Host;
  if (settings.aggregator == AggregatorPlace::Persistent && traits.isGpu && settings.watchdog)
    fatal("CILK2GPU_WATCHDOG cannot see what a persistent kernel on a GPU does (CILK2GPU_AGGREGATOR=%s); unset one of "
          "them",
          aggregatorName(settings.aggregator));
  return settings.aggregator;
}

/// Starts the control processor, if there is one. It shares this object, in which the executor will be.
Control &Engine::startControl(const TaskTable &tasks) {
  if (!settings.firmware || !traitsOf(device).hasControlProcessor)
    return host;
  auto *control = new (controlStorage) FirmwareControl(settings, environment);
  control->boot(this, sizeof *this, tasks);
  return *control;
}

/// Adds the memory of ordered tasks, and of objects of spawned calls. The latter is only measured, so it is added to
/// the peak and to the bound.
Counters Engine::counters(const TaskTable &tasks, bool mayRun) const {
  Counters result = chosen->counters(tasks, mayRun);
  if (!isStarted())
    return result;
  const DependCounters ordered = dependCounters();
  result.memory_high_water += objects.highWater() + ordered.ordered_memory;
  if (result.memory_bound) {
    result.memory_bound += objects.highWater() + ordered.ordered_memory_bound;
    result.memory_limit += objects.highWater() + ordered.ordered_memory_bound;
  }
  return result;
}

void Engine::beforeFork() {
  chosen->beforeFork();
  slots.lock();
  lockFrameRange(); // this lock comes last, because a thread that allocates holds other locks
}

void Engine::afterForkInParent() {
  unlockFrameRange();
  slots.unlock();
  chosen->afterForkInParent();
}

void Engine::afterForkInChild() {
  unlockFrameRange();
  slots.unlock();
  chosen->afterForkInChild();
}

} // namespace cilk2gpu::rt
