// See NativeGraphMachine.h.
#include "graph/NativeGraphMachine.h"
#include "core/Tunables.h"

namespace cilk2gpu::rt {

/// One compute unit, whose contexts are those of the modelled one: more would take stacks and caches for nothing.
static GraphMachineSetup withOneUnit(GraphMachineSetup setup) {
  setup.settings.shape = {.cus = 1, .simdsPerCu = 1, .contextsPerCu = tunables::kContextsPerCu};
  setup.settings.progress = ProgressModel::Fair;
  return setup;
}

NativeGraphMachine::NativeGraphMachine(const GraphMachineSetup &setup)
    : GraphMachine(withOneUnit(setup)), environment(setup.environment) {}

void NativeGraphMachine::begin() { startedAt = environment.clock(environment.context) - machine.now(); }

void NativeGraphMachine::readClock() { machine.advanceTo(environment.clock(environment.context) - startedAt); }

/// A wavefront that may go on goes before the aggregator.
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
  CountingState counting = countingState(); // others count meanwhile
  machine.point({0, 0});
  setCountingState(counting);
}

void NativeGraphMachine::beforeTalloc() { point({0, 0}); }

} // namespace cilk2gpu::rt
