// See GpuExecutors.h.
#include "executors/gpu/GpuExecutors.h"
#include "executors/gpu/DeviceChoice.h"
#include "process/HostEnvironment.h"
#include "process/StatisticsFile.h"

namespace cilk2gpu::rt {

AnyGpuExecutor::AnyGpuExecutor(const ExecutorSetup &setup, WorkerPool &pool)
    : PoolExecutor(gpuLimits(setup.settings, limitsOf(setup), *setup.gpu), pool), gpu(*setup.gpu) {
  setup.budget = gpuMemory(setup.settings, gpu);
}

Counters AnyGpuExecutor::counters(const TaskTable &tasks, bool mayRun) const {
  Counters result = PoolExecutor::counters(tasks, mayRun);
  result.launches = gpu.launches();
  result.execute_time += __atomic_load_n(&registering, __ATOMIC_RELAXED);
  return result;
}

void AnyGpuExecutor::writeFacts(StatisticsFile &out) const {
  out.fact("device_name", gpu.facts().name);
  out.fact("device_arch", gpu.facts().arch);
  out.fact("image_arch", gpu.imageArch());
  out.fact("driver_version", uint64_t(gpu.driverVersion()));
  out.fact("host_memory", gpu.facts().pageable ? "pageable" : "registered");
}

void AnyGpuExecutor::afterForkInChild() {
  PoolExecutor::afterForkInChild();
  gpu.lose();
}

void AnyGpuExecutor::beginRun() {
  uint64_t start = hostClock();
  gpu.beginRun();
  countRegistering(start);
}

void AnyGpuExecutor::endRun() {
  uint64_t start = hostClock();
  gpu.endRun();
  countRegistering(start);
}

/// Adds the time since `start`. Statistics may be read meanwhile.
void AnyGpuExecutor::countRegistering(uint64_t start) {
  __atomic_store_n(&registering, registering + hostClock() - start, __ATOMIC_RELAXED);
}

//===--------------------------------------------------------------------------------------------------------------===//
// A launch for each dispatch
//===--------------------------------------------------------------------------------------------------------------===//

GpuExecutor::GpuExecutor(const ExecutorSetup &setup)
    : AnyGpuExecutor(setup, pool), pool(limits(), 1, {}, &setup.budget, gpu.hooks()) {}

abi::Cursor *GpuExecutor::root(const TaskInfo *task) {
  gpu.checkNotLost();
  return PoolExecutor::root(task);
}

/// Runs the graph. Without roots it returns at once, because registering the host's memory takes time.
void GpuExecutor::run() {
  if (!takeRoots())
    return;
  beginRun();
  pool.run();
  endRun();
}

//===--------------------------------------------------------------------------------------------------------------===//
// A launch for each run
//===--------------------------------------------------------------------------------------------------------------===//

/// Returns the number of wavefronts for lanes that the user wants; 0: as many as can be resident.
static uint32_t wantedWorkers(const Settings &settings) { return settings.workersGiven ? settings.workers : 0; }

PersistentGpuExecutor::PersistentGpuExecutor(const ExecutorSetup &setup)
    : AnyGpuExecutor(setup, pool), kernel(gpu, limits(), setup.budget, wantedWorkers(setup.settings)),
      pool(limits(), kernel.environment()) {}

abi::Cursor *PersistentGpuExecutor::root(const TaskInfo *task) {
  gpu.checkNotLost();
  return PoolExecutor::root(kernel.find(task));
}

void PersistentGpuExecutor::run() {
  if (!takeRoots())
    return;
  beginRun();
  pool.run([this](Worker &worker) { kernel.run(worker.scheduler, worker.environment); });
  endRun();
}

} // namespace cilk2gpu::rt
