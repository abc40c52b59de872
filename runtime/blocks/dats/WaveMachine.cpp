#include "blocks/dats/WaveMachine.h"

namespace cilk2gpu::rt {

WaveMachine::WaveMachine(const DatsGraph &graph, const DatsSetup &setup, const DatsWork &work, Launcher launcher)
    : graph(graph), setup(setup), work(work), launcher(launcher), units(setup.units, setup.slots),
      events(uint64_t(setup.units) * setup.slots), unitOf(graph.nodes()) {}

void WaveMachine::advanceTo(uint64_t time) {
  report.slot_cycles += units.busy() * (time - now);
  now = time;
}

void WaveMachine::launch(uint64_t cycles) {
  ++report.modelled_launches;
  report.launch_cycles += cycles;
  advanceTo(now + cycles);
}

DatsReport WaveMachine::run() {
  bool isHost = launcher == Launcher::Host;
  if (!isHost) {
    launch(setup.timing.hostLaunch);
    units.take();
  }
  for (uint64_t node = 0, end = 0; node < graph.nodes(); node = end) {
    while (end < graph.nodes() && graph.levels[end] == graph.levels[node])
      ++end;
    launch(isHost ? setup.timing.hostLaunch : setup.timing.deviceLaunch);
    runLevel(node, end);
  }
  report.modelled_cycles = now;
  report.slots_high_water = units.highWater();
  finishReport(report, setup.timing);
  return report;
}

void WaveMachine::runLevel(uint64_t firstNode, uint64_t endNode) {
  for (uint64_t node = firstNode; node < endNode; ++node) {
    if (units.isFull())
      endNext();
    unitOf[node] = units.take();
    events.add(now + setup.durations.cycles(graph.blocks[node]), DatsEventKind::BlockEnds, node);
  }
  while (!events.isEmpty())
    endNext();
}

void WaveMachine::endNext() {
  DatsEvent event = events.takeFirst();
  advanceTo(event.time);
  work.execute(graph.blocks[event.node]);
  ++report.blocks;
  units.release(unitOf[event.node]);
}

} // namespace cilk2gpu::rt
