// The functions of the state that only the host uses. ModelLevels.cpp has the others.
#include "executors/model/ModelState.h"

namespace cilk2gpu::rt {

ModelState::ModelState(const Environment &environment, const ModelSettings &settings, Machine::Body body,
                       Machine::Pressure pressure)
    : environment(environment), settings(settings), arena(environment), frameArena(environment, Arena::Memory::Frames),
      events(environment, settings.traceEvents), machine(arena, this->settings.machine, body, pressure),
      restarts(settings.machine.shape.contexts()) {}

void ModelState::start(Wavefront &wavefront, Context &context, uint64_t time) {
  machine.occupy(context, wavefront, time);
  raise(modelTotals.contexts_high_water, machine.occupied());
}

void ModelState::occupy(LevelTask &at, int64_t change) {
  ChannelOccupancy &occupancy = stateOf(*at.task).occupancy;
  uint64_t now = machine.now();
  occupancy.change(now, change);
  if (settings.traceEvents)
    events.occupancy(at, now, occupancy.current);
}

} // namespace cilk2gpu::rt
