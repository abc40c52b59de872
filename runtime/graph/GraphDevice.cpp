// See GraphDevice.h.
#include "graph/GraphDevice.h"
#include "executors/model/Model.h"
#include "process/Message.h"

namespace cilk2gpu::rt {

GraphDevice::GraphDevice(const Environment &environment, Device device, const MachineSettings &settings, uint32_t wave,
                         uint32_t doneCount, GraphReport &report)
    : environment(environment), arena(this->environment),
      machine(*findGraphMachine(device)->make(storage, {.environment = this->environment,
                                                        .arena = arena,
                                                        .settings = settings,
                                                        .body = GraphWaves::waveMain,
                                                        .pressure = GraphWaves::pressure})),
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
  runAll();
  machine.end();
  enterMachine(outer);
  if (channels.isLive())
    aggregator.stalled();
}

/// Lets the aggregator and the wavefronts take turns until neither can act.
void GraphDevice::runAll() {
  shared.isAwake = true;
  for (;;) {
    uint64_t turn = machine.nextTurn(), mine = aggregator.nextTurn();
    if (shared.isAwake && (mine <= turn || machine.schedule() != Schedule::RoundRobin)) {
      machine.advanceTo(mine);
      shared.isAwake = aggregator.act();
      continue;
    }
    if (turn == Machine::kNever)
      return;
    machine.setDeadline(shared.isAwake ? mine : Machine::kNever);
    Machine::Ended over = machine.turn();
    if (over.wavefront)
      waves.over(reinterpret_cast<GraphWave &>(*over.wavefront), *over.context);
  }
}

GraphReport &GraphDevice::reported() {
  GraphCounters &totals = shared.totals;
  totals.cycles = machine.now();
  totals.issue_cycles = machine.busy();
  if (!machine.model())
    totals.aggregator_cycles = totals.cycles - totals.issue_cycles;
  totals.stacks = machine.fibersCreated();
  totals.memory_high_water = arena.highWater();
  waves.issueCounts().store(totals);
  return shared.report;
}

} // namespace cilk2gpu::rt
