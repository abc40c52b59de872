// Settings become devices here.
#include "api/Engine.h"
#include "executors/gpu/DeviceChoice.h"
#include "firmware/SchedulerFirmware.h"
#include "process/FrameRange.h"
#include "process/HostEnvironment.h"
#include "process/Message.h"
#include "process/PolicyChoice.h"

#include <new>
#include <sys/resource.h>
#include <unistd.h>

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

static ModelSettings modelSettings(const Settings &settings, const Limits &limits) {
  ModelSettings result;
  result.limits = limits;
  result.machine = machineSettings(settings);
  result.doneCount = settings.doneCount;
  result.timeout = settings.timeout;
  result.reservePerLane = settings.reservePerLane;
  result.traceEvents = settings.trace ? tunables::kTraceEvents : 0;
  return result;
}

Engine::Engine(const Settings &settings)
    : settings(settings), device(settings.device), ownLimits(settings.limits), budget{settings.memoryCap},
      objects(settings.memoryCap ? &budget : nullptr), environment(hostEnvironment()) {
  environment.budget = settings.memoryCap ? &budget : nullptr;
  if (settings.memoryCap)
    limitHostMemory(~uint64_t(0)); // the budget does
}

void Engine::start(const TaskTable &tasks) {
  device = chooseDevice(settings, tasks, gpuStorage);
  if (settings.schedule != Schedule::RoundRobin && device != Device::Model && device != Device::Native)
    warning("CILK2GPU_SCHEDULE=%s has no effect with CILK2GPU_DEVICE=%s: only native and model have schedules",
            scheduleName(settings.schedule), deviceName(device));
  refuseAggregator();
  refuseFirmware();
  if (device == Device::Model)
    startModel(tasks);
  else if (device == Device::GpuHost)
    startGpuHost(tasks);
  else if (device == Device::Hip || device == Device::Cuda)
    startGpu();
  else
    startNative();
  __atomic_store_n(&started, true, __ATOMIC_RELEASE); // pairs with isStarted()
}

void Engine::startNative() {
  ownLimits.policy = choosePolicy(settings.policy, kNativeSupport, deviceName(device));
  pool = new (poolStorage) WorkerPool(ownLimits, settings.workers, {}, environment.budget);
}

/// A persistent kernel is on GPUs, and on the CPU where it plays one. What cannot be had is not replaced in silence.
void Engine::refuseAggregator() const {
  if (settings.aggregator == AggregatorPlace::Host || device == Device::GpuHost)
    return;
  const char *place = aggregatorName(settings.aggregator);
  if (device != Device::Hip && device != Device::Cuda)
    return warning(
        "CILK2GPU_AGGREGATOR=%s has no effect with CILK2GPU_DEVICE=%s: only GPUs and gpu-host have a persistent kernel",
        place, deviceName(device));
  if (settings.watchdog)
    fatal("CILK2GPU_WATCHDOG cannot see what a persistent kernel on a GPU does (CILK2GPU_AGGREGATOR=%s); unset one of "
          "them",
          place);
}

/// Real GPUs' memory is not shown to a control processor, and native workers are several.
void Engine::refuseFirmware() const {
  if (settings.firmware && device != Device::Model && device != Device::GpuHost)
    warning("CILK2GPU_FIRMWARE has no effect with CILK2GPU_DEVICE=%s: only model and gpu-host have a control processor",
            deviceName(device));
}

/// What the aggregator uses is in this object or allocated through its environment.
void Engine::startControl(const TaskTable &tasks) {
  if (!settings.firmware)
    return;
  control = new (controlStorage) ControlProcessor(settings.firmware, settings.unicornLibrary, environment);
  control->share(this, sizeof *this);
  control->boot(tasks);
}

void Engine::startModel(const TaskTable &tasks) {
  ownLimits.policy = choosePolicy(settings.policy, kModelSupport, deviceName(device));
  ModelSettings chosen = modelSettings(settings, ownLimits);
  startControl(tasks);
  if (control)
    chosen.control = &(new (modelFirmwareStorage) ModelFirmware(*control, environment))->hooks();
  model = new (modelStorage) Model(environment, chosen);
}

/// One scheduler, as on a GPU.
void Engine::startGpuHost(const TaskTable &tasks) {
  if (settings.aggregator == AggregatorPlace::Persistent) {
    persistent =
        new (persistentStorage) device::PersistentHost(ownLimits.wave, settings.seed, fiberStack(), settings.workers);
    environment.device = persistent->hooks();
  } else {
    environment.device = (new (gpuHostStorage) device::GpuHost(ownLimits.wave, settings.seed, fiberStack()))->hooks();
  }
  ownLimits.policy = choosePolicy(settings.policy, kDeviceSupport, deviceName(device));
  ownLimits.block = tunables::kDeviceBlock;
  startControl(tasks);
  pool = new (poolStorage) WorkerPool(ownLimits, environment);
}

void Engine::startGpu() {
  realGpu = std::launder(reinterpret_cast<device::Gpu *>(gpuStorage));
  ownLimits = gpuLimits(settings, *realGpu);
  ownLimits.policy = choosePolicy(settings.policy, kDeviceSupport, deviceName(device));
  budget = gpuMemory(settings, *realGpu);
  if (settings.aggregator == AggregatorPlace::Persistent)
    return startPersistentGpu();
  pool = new (poolStorage) WorkerPool(ownLimits, 1, {}, &budget, realGpu->hooks());
}

void Engine::startPersistentGpu() {
  persistentGpu = new (persistentGpuStorage)
      device::PersistentGpu(*realGpu, ownLimits, budget, settings.workersGiven ? settings.workers : 0);
  pool = new (poolStorage) WorkerPool(ownLimits, persistentGpu->environment());
}

abi::Cursor *Engine::root(const TaskInfo *task) {
  if (realGpu)
    realGpu->checkNotLost();
  if (control)
    task = control->find(task);
  if (persistentGpu)
    task = persistentGpu->find(task);
  return model ? model->root(task) : pool->root(task);
}

void Engine::publishRoot() {
  if (model)
    model->publishRoot();
  hasRoots = true;
  count(hostCounters().roots, 1);
}

void Engine::run() {
  if (!model)
    return realGpu ? runOnGpu() : persistent ? runPersistent() : runScheduler();
  TaskScope inside(model->memory());
  uint64_t start = hostClock();
  model->run();
  count(hostCounters().execute_time, hostClock() - start);
  count(hostCounters().executes, 1);
}

/// What spawned calls' objects take is known by measurement only: it is in both the most and the bound.
Counters Engine::counters(const TaskTable &tasks) const {
  if (!isStarted())
    return {};
  Counters result = model ? model->counters(tasks) : pool->counters(tasks);
  result.launches = realGpu ? realGpu->launches() : persistent ? persistent->launches() : 0;
  result.threads += persistent ? persistent->threads() : 0;
  result.memory_high_water += objects.highWater();
  if (result.memory_bound)
    result.memory_bound += objects.highWater();
  return result;
}

/// What a run costs on a GPU beside its tasks is only for runs that have some.
void Engine::runOnGpu() {
  if (!hasRoots)
    return;
  hasRoots = false;
  realGpu->beginRun();
  if (persistentGpu)
    pool->run([&](Worker &worker) { persistentGpu->run(worker.scheduler, worker.environment); });
  else
    pool->run();
  realGpu->endRun();
}

/// A launch for a run of the graph.
void Engine::runPersistent() {
  if (!hasRoots)
    return;
  hasRoots = false;
  persistent->launch({[](void *engine) { static_cast<Engine *>(engine)->runScheduler(); }, this, &pool->memory()});
}

/// On the control processor, if there is one.
void Engine::runScheduler() {
  if (!control)
    return pool->run();
  pool->run([&](Worker &worker) { runAsFirmware(*control, worker.scheduler, worker.environment); });
}

bool Engine::limitWorkers(uint32_t count) {
  if (!persistent)
    return !pool || pool->limit(count);
  if (persistent->launches())
    return false;
  persistent->limit(count);
  return true;
}

KernelCounters Engine::kernelCounters(const TaskInfo &task, uint32_t kernel) const {
  if (!isStarted())
    return {};
  if (!model)
    return pool->kernelCounters(task, kernel);
  const KernelCounters *counters = model->kernelCounters(task);
  return counters ? counters[kernel] : KernelCounters();
}

void Engine::report(void (*line)(void *context, const char *text), void *context) {
  if (!model)
    return pool->report(line, context);
  // The machine's own thread knows best. If it does not answer, a kernel runs and runs.
  model->requestReport();
  for (unsigned waited = 0; waited < 10; ++waited) {
    usleep(100'000);
    if (model->hasReported())
      return;
  }
  model->report(line, context);
}

void Engine::beforeFork() {
  if (persistent)
    persistent->beforeFork();
  if (pool)
    pool->beforeFork();
  slots.lock();
  lockFrameRange(); // last: whoever allocates holds others
}

void Engine::afterForkInParent() {
  unlockFrameRange();
  slots.unlock();
  if (pool)
    pool->afterForkInParent();
  if (persistent)
    persistent->afterFork();
}

void Engine::afterForkInChild() {
  unlockFrameRange();
  slots.unlock();
  if (pool)
    pool->afterForkInChild();
  if (persistent)
    persistent->afterForkInChild();
  if (realGpu)
    realGpu->lose();
}

} // namespace cilk2gpu::rt
