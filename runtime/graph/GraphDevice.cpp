// See GraphDevice.h.
#include "graph/GraphDevice.h"
#include "executors/model/Model.h"
#include "process/Message.h"

namespace cilk2gpu::rt {

static const GraphMachineEntry &entryFor(Device device, uint32_t workers) {
  return device == Device::Native && workers > 1 ? kThreadedGraphMachine : *findGraphMachine(device);
}

GraphDevice::GraphDevice(const Environment &environment, Device device, const MachineSettings &settings,
                         uint32_t workers, uint32_t wave, uint32_t doneCount, GraphReport &report, GpuForGraphs *gpu)
    : environment(environment), elements(gpu ? gpu->environment(environment) : environment), arena(elements),
      machine(*entryFor(device, workers)
                   .make(storage, {.environment = this->environment,
                                   .arena = arena,
                                   .settings = settings,
                                   .body = GraphWaves::waveMain,
                                   .pressure = GraphWaves::pressure,
                                   .workers = workers,
                                   .gpu = gpu})),
      shared{.environment = this->environment,
             .arena = arena,
             .machine = machine,
             .wave = wave,
             .doneCount = doneCount,
             .report = report,
             .totals = report.counters},
      channels(shared), waves(shared, channels), aggregator(shared, channels, waves) {
  report.device = device;
  report.machine = settings;
  report.machine.shape = machine.shape();
  report.wave = wave;
  report.doneCount = doneCount;
}

void GraphDevice::destroy() {
  machine.destroy();
  waves.destroy();
  channels.destroy();
  arena.destroy();
}

void GraphDevice::run() {
  for (GraphNode *node = channels.first(); node; node = node->next)
    if (!node->invoke)
      fatal("channel %d is not connected to a kernel node; call connectToKernelNode for it", node->id);
  Machine *outer = enterMachine(machine.model());
  machine.begin();
  waves.publishHosts();
  shared.isAwake = true;
  machine.drive({.device = this,
                 .step = [](void *device) { return static_cast<GraphDevice *>(device)->step(); },
                 .isAwake = [](void *device) { return static_cast<GraphDevice *>(device)->shared.isAwake; }});
  enterMachine(outer);
  if (channels.isLive())
    aggregator.stalled();
  machine.end(); // lanes that wait for room would not end
}

/// Lets the aggregator, or a wavefront, do something. Returns false if neither has anything to do.
bool GraphDevice::step() {
  uint64_t turn = machine.nextTurn(), mine = aggregator.nextTurn();
  if (shared.isAwake && (mine <= turn || machine.prefersAggregator())) {
    machine.advanceTo(mine);
    shared.isAwake = aggregator.act();
    return true;
  }
  if (turn == Machine::kNever)
    return false;
  machine.setDeadline(shared.isAwake ? mine : Machine::kNever);
  Machine::Ended over = machine.turn();
  if (over.wavefront)
    waves.over(reinterpret_cast<GraphWave &>(*over.wavefront), *over.context);
  return true;
}

GraphReport &GraphDevice::reported() {
  GraphCounters &totals = shared.totals;
  totals.cycles = machine.now();
  totals.issue_cycles = machine.busy();
  if (!machine.model())
    totals.aggregator_cycles = machine.acting();
  totals.stacks = machine.fibersCreated();
  totals.memory_high_water = arena.highWater();
  waves.issueCounts().store(totals);
  return shared.report;
}

} // namespace cilk2gpu::rt
