// See GpuHostExecutors.h.
#include "executors/gpu-host/GpuHostExecutors.h"
#include "executors/Control.h"
#include "process/Threads.h"

namespace cilk2gpu::rt {

static Limits deviceLimits(const ExecutorSetup &setup) {
  Limits limits = limitsOf(setup);
  limits.block = tunables::kDeviceBlock;
  return limits;
}

/// Returns the scheduler's environment, after it has set its device to `device`.
static const Environment &withDevice(Environment &environment, const DeviceHooks *device) {
  environment.device = device;
  return environment;
}

//===--------------------------------------------------------------------------------------------------------------===//
// A call for each dispatch
//===--------------------------------------------------------------------------------------------------------------===//

GpuHostExecutor::GpuHostExecutor(const ExecutorSetup &setup)
    : PoolExecutor(deviceLimits(setup), pool), control(setup.control),
      lanes(limits().wave, setup.settings.seed, fiberStackBytes()),
      pool(limits(), withDevice(setup.environment, lanes.hooks())) {}

abi::Cursor *GpuHostExecutor::root(const TaskInfo *task) { return PoolExecutor::root(control.find(task)); }

void GpuHostExecutor::run() {
  pool.run([this](Worker &worker) { control.runScheduler(worker.scheduler, worker.environment); });
}

void GpuHostExecutor::writeCounters(StatisticsFile &out) const { control.writeCounters(out); }

//===--------------------------------------------------------------------------------------------------------------===//
// A launch for each run
//===--------------------------------------------------------------------------------------------------------------===//

PersistentHostExecutor::PersistentHostExecutor(const ExecutorSetup &setup)
    : PoolExecutor(deviceLimits(setup), pool), control(setup.control),
      kernel(limits().wave, setup.settings.seed, fiberStackBytes(), setup.settings.workers),
      pool(limits(), withDevice(setup.environment, kernel.hooks())) {}

abi::Cursor *PersistentHostExecutor::root(const TaskInfo *task) { return PoolExecutor::root(control.find(task)); }

void PersistentHostExecutor::aggregate(void *executor) {
  auto &self = *static_cast<PersistentHostExecutor *>(executor);
  self.pool.run([&](Worker &worker) { self.control.runScheduler(worker.scheduler, worker.environment); });
}

void PersistentHostExecutor::run() {
  if (takeRoots())
    kernel.launch({aggregate, this, &pool.memory()});
}

bool PersistentHostExecutor::limitWorkers(uint32_t count) {
  if (kernel.launches())
    return false;
  kernel.limit(count);
  return true;
}

Counters PersistentHostExecutor::counters(const TaskTable &tasks, bool mayRun) const {
  Counters result = PoolExecutor::counters(tasks, mayRun);
  result.launches = kernel.launches();
  result.threads += kernel.threads();
  return result;
}

void PersistentHostExecutor::writeCounters(StatisticsFile &out) const { control.writeCounters(out); }

void PersistentHostExecutor::beforeFork() {
  kernel.beforeFork();
  PoolExecutor::beforeFork();
}

void PersistentHostExecutor::afterForkInParent() {
  PoolExecutor::afterForkInParent();
  kernel.afterFork();
}

void PersistentHostExecutor::afterForkInChild() {
  PoolExecutor::afterForkInChild();
  kernel.afterForkInChild();
}

} // namespace cilk2gpu::rt
