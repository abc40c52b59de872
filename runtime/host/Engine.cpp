// Settings become devices here.
#include "host/Engine.h"
#include "host/HostEnvironment.h"

#include <new>
#include <sys/resource.h>

namespace cilk2gpu::rt {

/// A wavefront's tasks have as much stack as the process's first thread gives them, within a limit: there are many.
static uint64_t fiberStack() {
  rlimit stack;
  if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur > tunables::kMaxFiberStack)
    return tunables::kMaxFiberStack;
  uint64_t least = uint64_t(1) << 20;
  return stack.rlim_cur < least ? least : stack.rlim_cur;
}

MachineSettings machineSettings(const Settings &settings) {
  MachineShape shape = {settings.cus, tunables::kSimdsPerCu, tunables::kContextsPerCu};
  return {shape, settings.schedule, settings.progress, settings.seed, fiberStack()};
}

static ModelSettings modelSettings(const Settings &settings) {
  ModelSettings result;
  result.limits = settings.limits;
  result.machine = machineSettings(settings);
  result.policy = settings.policy;
  result.doneCount = settings.doneCount;
  result.reservePerLane = settings.reservePerLane;
  result.traceEvents = settings.trace ? tunables::kTraceEvents : 0;
  return result;
}

Engine::Engine(const Settings &settings) : budget{settings.memoryCap}, environment(hostEnvironment()) {
  environment.budget = settings.memoryCap ? &budget : nullptr;
  if (settings.device == Device::Model)
    model = new (modelStorage) Model(environment, modelSettings(settings));
  else if (settings.device == Device::GpuHost)
    startGpuHost(settings);
  else
    pool = new (poolStorage) WorkerPool(settings.limits, settings.workers, {}, environment.budget);
}

/// One scheduler, as on a GPU. Strictly level by level: a device wants many lanes at once.
void Engine::startGpuHost(const Settings &settings) {
  gpuHost = new (gpuHostStorage) device::GpuHost(settings.limits.wave, settings.seed, fiberStack());
  Limits limits = settings.limits;
  limits.slowDepthFirst = false;
  limits.block = tunables::kDeviceBlock;
  pool = new (poolStorage) WorkerPool(limits, 1, {}, environment.budget, gpuHost->hooks());
}

void Engine::publishRoot() {
  if (model)
    model->publishRoot();
  count(hostCounters().roots, 1);
}

void Engine::run() {
  if (!model)
    return pool->run();
  TaskScope inside(model->memory());
  uint64_t start = hostClock();
  model->run();
  count(hostCounters().execute_time, hostClock() - start);
  count(hostCounters().executes, 1);
}

KernelCounters Engine::kernelCounters(const TaskInfo &task, uint32_t kernel) const {
  if (!model)
    return pool->kernelCounters(task, kernel);
  const KernelCounters *counters = model->kernelCounters(task);
  return counters ? counters[kernel] : KernelCounters();
}

} // namespace cilk2gpu::rt
