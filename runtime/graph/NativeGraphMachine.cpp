// See NativeGraphMachine.h.
#include "graph/NativeGraphMachine.h"
#include "core/Tunables.h"

namespace cilk2gpu::rt {

/// The compute units have as many contexts as the modelled ones: more would take stacks and caches for nothing.
static GraphMachineSetup withUnits(GraphMachineSetup setup, uint32_t units) {
  setup.settings.shape = {.cus = units, .simdsPerCu = 1, .contextsPerCu = tunables::kContextsPerCu};
  setup.settings.progress = ProgressModel::Fair;
  return setup;
}

NativeGraphMachine::NativeGraphMachine(const GraphMachineSetup &setup, uint32_t workers)
    : GraphMachine(withUnits(setup, workers)), environment(setup.environment) {}

void NativeGraphMachine::begin() { startedAt = environment.clock(environment.context) - machine.now(); }

uint64_t NativeGraphMachine::readClock() {
  machine.advanceTo(environment.clock(environment.context) - startedAt);
  return machine.now();
}

/// Returns the time of the next turn. A wavefront that can go on comes before the aggregator.
uint64_t NativeGraphMachine::nextTurn() {
  uint64_t turn = machine.nextTurn();
  return turn == Machine::kNever || machine.schedule() != Schedule::RoundRobin ? turn : 0;
}

Machine::Ended NativeGraphMachine::turn() {
  uint64_t start = readClock();
  Machine::Ended over = giveTurn();
  busyTime += readClock() - start;
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
