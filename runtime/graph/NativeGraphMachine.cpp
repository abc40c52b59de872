// See NativeGraphMachine.h.
#include "graph/NativeGraphMachine.h"
#include "core/Tunables.h"

namespace cilk2gpu::rt {

/// Returns a setup with one compute unit, with as many contexts as a modelled one. More contexts would only take stacks
/// and cache.
static GraphMachineSetup withOneUnit(GraphMachineSetup setup) {
  setup.settings.shape = {.cus = 1, .simdsPerCu = 1, .contextsPerCu = tunables::kContextsPerCu};
  setup.settings.progress = ProgressModel::Fair;
  return setup;
}

NativeGraphMachine::NativeGraphMachine(const GraphMachineSetup &setup)
    : GraphMachine(withOneUnit(setup)), environment(setup.environment) {}

void NativeGraphMachine::begin() { startedAt = environment.clock(environment.context) - machine.now(); }

void NativeGraphMachine::readClock() { machine.advanceTo(environment.clock(environment.context) - startedAt); }

/// Returns the time of the next turn. A wavefront that can go on comes before the aggregator.
uint64_t NativeGraphMachine::nextTurn() {
  uint64_t turn = machine.nextTurn();
  return turn == Machine::kNever || machine.schedule() != Schedule::RoundRobin ? turn : 0;
}

Machine::Ended NativeGraphMachine::turn() {
  readClock();
  uint64_t start = machine.now();
  Machine::Ended over = machine.turn();
  readClock();
  busyTime += machine.now() - start;
  return over;
}

void NativeGraphMachine::point(Cost) {
  if (machine.schedule() == Schedule::RoundRobin)
    return;
  CountingState counting = countingState(); // other wavefronts count in the meantime
  machine.point({0, 0});
  setCountingState(counting);
}

void NativeGraphMachine::beforeTalloc() { point({0, 0}); }

} // namespace cilk2gpu::rt
