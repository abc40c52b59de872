#include "blocks/dats/DatsMachine.h"

namespace cilk2gpu::rt {

void finishReport(DatsReport &report, const DatsTiming &timing) {
  report.program_requests = report.blocks * timing.blockRequests;
  uint64_t requests = report.datsRequests() + report.spill_requests;
  report.request_overhead = report.program_requests ? requests * 1000000 / report.program_requests : 0;
}

DatsMachine::DatsMachine(const DatsGraph &graph, const DatsSetup &setup, const DatsWork &work)
    : graph(graph), setup(setup), work(work), buffer(setup.sizes, graph),
      loader(buffer, graph, this->setup.sizes, setup.timing.memoryLatency),
      scheduler(setup.policy, setup.units, setup.slots, graph.numLevels),
      events(uint64_t(setup.units) * setup.slots + 1), unitOf(setup.sizes.nodes),
      stalled(uint64_t(setup.units) * setup.slots) {}

DatsReport DatsMachine::run() {
  report.modelled_launches = 1;
  report.launch_cycles = now = setup.timing.hostLaunch;
  settle();
  while (!events.isEmpty()) {
    advanceTo(events.first().time);
    while (!events.isEmpty() && events.first().time == now)
      handle(events.takeFirst());
    settle();
  }
  return finished();
}

DatsReport DatsMachine::finished() {
  report.modelled_cycles = now;
  report.isDeadlocked = !buffer.isFinished();
  report.stuckNode = buffer.tail();
  report.levelRange = scheduler.runningLevels().mostRange();
  report.slots_high_water = scheduler.units().highWater();
  report.pending_high_water = buffer.pending().highWater();
  report.node_requests = loader.nodeRequests();
  report.edge_requests = loader.edgeRequests();
  report.insertion_stalls = loader.stalls();
  report.spilled_nodes = loader.spilledNodes();
  finishReport(report, setup.timing);
  return report;
}

void DatsMachine::advanceTo(uint64_t time) {
  uint64_t cycles = time - now, busy = scheduler.units().busy();
  report.slot_cycles += busy * cycles;
  report.completion_stall_cycles += numStalled * cycles;
  if (busy == 0 && loader.isFetching())
    report.load_stall_cycles += cycles;
  now = time;
}

void DatsMachine::handle(const DatsEvent &event) {
  switch (event.kind) {
  case DatsEventKind::BlockEnds:
    return end(event.node);
  case DatsEventKind::SpillArrives:
    return complete(event.node);
  case DatsEventKind::LoadArrives:
    return loader.arrive();
  }
}

/// Does all that can be done now: loads, completions that waited, issues.
void DatsMachine::settle() {
  do {
    uint64_t cycles = loader.begin();
    if (cycles != DatsLoader::kNothing)
      events.add(now + cycles, DatsEventKind::LoadArrives, 0);
  } while (retryStalled());
  issueReady();
}

void DatsMachine::issueReady() {
  for (;;) {
    DatsScheduler::Issue issue = scheduler.issueNext(buffer);
    if (issue.node == Dgb::kNone)
      break;
    unitOf[issue.node % setup.sizes.nodes] = issue.unit;
    events.add(now + duration(issue.node), DatsEventKind::BlockEnds, issue.node);
  }
  if (buffer.readyNodes() > report.mostReady)
    report.mostReady = buffer.readyNodes();
}

uint64_t DatsMachine::duration(uint64_t node) const {
  uint64_t block = graph.blocks[node];
  return block == DatsGraph::kNoBlock ? setup.timing.joinNode : setup.durations.cycles(block);
}

/// Completes a node whose block has run, or lets it wait. It keeps its slot while it waits.
void DatsMachine::end(uint64_t node) {
  bool areEdgesSpilled = buffer.entry(node).areEdgesSpilled, fits = buffer.fitsPending(node);
  if (fits && !areEdgesSpilled)
    return complete(node);
  if (!setup.sizes.spill)
    return stall(node);
  if (areEdgesSpilled)
    report.spill_requests += (graph.degree(node) + setup.sizes.requestEdges - 1) / setup.sizes.requestEdges;
  events.add(now + setup.timing.memoryLatency, DatsEventKind::SpillArrives, node);
}

/// Inserts the node into the list of those that wait, which is in the order of the IDs.
void DatsMachine::stall(uint64_t node) {
  ++report.completion_stalls;
  uint64_t place = numStalled++;
  for (; place && stalled[place - 1] > node; --place)
    stalled[place] = stalled[place - 1];
  stalled[place] = node;
}

/// Completes the nodes whose updates fit now, small IDs first. Returns false if there are none.
bool DatsMachine::retryStalled() {
  uint64_t kept = 0;
  for (uint64_t i = 0; i < numStalled; ++i) {
    if (buffer.fitsPending(stalled[i]))
      complete(stalled[i]);
    else
      stalled[kept++] = stalled[i];
  }
  bool any = kept < numStalled;
  numStalled = kept;
  return any;
}

void DatsMachine::complete(uint64_t node) {
  uint64_t block = graph.blocks[node];
  work.execute(block);
  if (block == DatsGraph::kNoBlock)
    ++report.joinNodes;
  else
    ++report.blocks;
  scheduler.release(unitOf[node % setup.sizes.nodes], graph.levels[node]);
  uint64_t spilled = buffer.complete(node);
  report.spilled_updates += spilled;
  report.spill_requests += spilled;
}

} // namespace cilk2gpu::rt
