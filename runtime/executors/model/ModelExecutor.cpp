// See ModelExecutor.h.
#include "executors/model/ModelExecutor.h"
#include "core/Tunables.h"
#include "executors/Control.h"
#include "process/HostEnvironment.h"
#include "process/StatisticsFile.h"
#include "process/TaskScope.h"
#include "process/Threads.h"

#include <unistd.h>

namespace cilk2gpu::rt {

static constexpr CounterInfo<ModelCounters> counterInfos[] = {
#define CILK2GPU_MODEL_COUNTER(name, unit, description) {#name, unit, description, &ModelCounters::name},
#include "executors/model/ModelCounters.def"
#undef CILK2GPU_MODEL_COUNTER
};

MachineSettings machineSettings(const Settings &settings) {
  return {
      .shape = {.cus = settings.cus, .simdsPerCu = tunables::kSimdsPerCu, .contextsPerCu = tunables::kContextsPerCu},
      .schedule = settings.schedule,
      .progress = settings.progress,
      .seed = settings.seed,
      .stackBytes = fiberStackBytes()};
}

static ModelSettings modelSettings(const ExecutorSetup &setup) {
  const Settings &settings = setup.settings;
  ModelSettings result;
  result.limits = limitsOf(setup);
  result.machine = machineSettings(settings);
  result.doneCount = settings.doneCount;
  result.timeout = settings.timeout;
  result.reservePerLane = settings.reservePerLane;
  result.traceEvents = settings.trace ? tunables::kTraceEvents : 0;
  result.control = setup.control.modelHooks();
  return result;
}

ModelExecutor::ModelExecutor(const ExecutorSetup &setup)
    : Executor(limitsOf(setup)), settings(setup.settings), control(setup.control),
      model(setup.environment, modelSettings(setup)), events{model.trace(), model.setup().machine.shape} {}

abi::Cursor *ModelExecutor::root(const TaskInfo *task) { return model.root(control.find(task)); }

void ModelExecutor::publishRoot() {
  model.publishRoot();
  count(model.hostCounters().roots, 1);
}

void ModelExecutor::run() {
  TaskScope inside(model.memory());
  uint64_t start = hostClock();
  __atomic_store_n(&runningSince, start, __ATOMIC_RELAXED);
  model.run();
  __atomic_store_n(&runningSince, 0, __ATOMIC_RELAXED);
  count(model.hostCounters().execute_time, hostClock() - start);
  count(model.hostCounters().executes, 1);
}

Counters ModelExecutor::counters(const TaskTable &tasks, bool mayRun) const {
  Counters result = model.counters(tasks, mayRun);
  if (uint64_t start = __atomic_load_n(&runningSince, __ATOMIC_RELAXED))
    result.execute_time += hostClock() - start;
  return result;
}

KernelCounters ModelExecutor::kernelCounters(const TaskInfo &task, uint32_t kernel) const {
  const KernelCounters *counters = model.kernelCounters(task);
  return counters ? counters[kernel] : KernelCounters();
}

/// Makes a request. Returns false if the machine's thread does not answer in time, because it runs a kernel. The code
/// of a kernel does not change the machine's data.
bool ModelExecutor::ask(Model::Request request) {
  constexpr unsigned kLooks = 100, kBetweenLooks = 10'000; // microseconds
  model.request(request);
  for (unsigned i = 0; i < kLooks; ++i) {
    usleep(kBetweenLooks);
    if (model.hasAnswered())
      return true;
  }
  return false;
}

void ModelExecutor::report(void (*line)(void *context, const char *text), void *context) {
  while (!ask(Model::Request::Report))
    if (model.hold()) {
      model.request(Model::Request::None);
      model.report(line, context);
      model.letGo();
      return;
    }
}

void ModelExecutor::writeFacts(StatisticsFile &out) const {
  out.fact("cus", settings.cus, "compute units");
  out.fact("schedule", scheduleName(settings.schedule));
  out.fact("progress", progressName(settings.progress));
  out.fact("seed", settings.seed);
  out.fact("done_count", settings.doneCount, "elements");
}

void ModelExecutor::writeCounters(StatisticsFile &out) const {
  out.counters(model.modelCounters(), counterInfos);
  control.writeCounters(out);
}

void ModelExecutor::writeTaskMembers(StatisticsFile &out, const TaskInfo &task) const {
  if (const ChannelOccupancy *occupancy = model.occupancy(task))
    fprintf(out.out, ",\n      \"channel\": {\"elements_high_water\": %llu, \"element_cycles\": %llu}",
            static_cast<unsigned long long>(occupancy->most), static_cast<unsigned long long>(occupancy->integral));
}

} // namespace cilk2gpu::rt
