// The run loop: the aggregator and the wavefronts take turns, by modelled time or as the schedule says.
#include "executors/model/Model.h"

namespace cilk2gpu::rt {

Model::Model(const Environment &environment, const ModelSettings &settings)
    : ModelState(environment, settings, WavefrontBody::main, WavefrontBody::pressure), nodes(*this), body(*this, nodes),
      aggregator(*this, nodes, body), fixedBytes(arena.used()) {}

abi::Cursor *Model::root(const TaskInfo *info) {
  LevelTask &task = levelTask(0, info);
  Reservation granted = task.pre.reserve(budget(), 1, 1, rootCas);
  if (!granted.count)
    return nullptr;
  uint64_t slot = granted.segment->channel.slotOf(granted.position);
  rootProducer = {.cursor = {.columns = granted.segment->columns, .next = slot, .limit = slot + 1},
                  .granted = granted,
                  .start = slot};
  rootTask = &task;
  return &rootProducer.cursor;
}

void Model::publishRoot() {
  LevelTask &task = *rootTask;
  const Reservation &granted = rootProducer.granted;
  if (countsChildren())
    static_cast<WaveNode **>(granted.segment->columns[task.task->element.numFields])[rootProducer.start] = nullptr;
  addLive(0, 1);
  ++task.elements;
  occupy(task, 1);
  task.pre.publish(granted, rootCas);
  candidates.insert(arena, 0);
}

/// Does the machine's part of a wavefront's end, and then the aggregator's part.
void Model::ended(Wavefront &wavefront, Context &context) {
  modelTotals.context_cycles += machine.now() - context.startedAt;
  if (settings.traceEvents)
    events.ran(context, wavefront, machine.now());
  if (settings.control)
    settings.control->retire(settings.control->context, *this, wavefront);
  else
    aggregator.retire(wavefront);
}

bool Model::aggregate() {
  return settings.control ? settings.control->aggregate(settings.control->context, *this) : aggregator.aggregate();
}

/// Gives a turn to the aggregator or to a wavefront. Returns false if neither can act.
bool Model::nextAction() {
  uint64_t turn = machine.nextTurn();
  if (!isAwake && turn != Machine::kNever && wakeAt <= turn) {
    machine.advanceTo(wakeAt);
    isAwake = true;
  }
  uint64_t mine = !isAwake ? wakeAt : freeAt > machine.now() ? freeAt : machine.now();
  bool aggregates = isAwake;
  if (machine.schedule() == Schedule::RoundRobin)
    aggregates = isAwake && mine <= turn;
  else if (machine.schedule() == Schedule::Random)
    aggregates = isAwake && (turn == Machine::kNever || machine.random().below(tunables::kModelAggregatorTurn) == 0);
  if (aggregates) {
    machine.advanceTo(mine);
    isAwake &= aggregate();
    return true;
  }
  if (turn == Machine::kNever)
    return false;
  machine.setDeadline(mine);
  Machine::Ended over = machine.turn();
  if (over.wavefront)
    ended(*over.wavefront, *over.context);
  return true;
}

void Model::run() {
  Machine *outer = enterMachine(&machine);
  aggregator.start();
  uint64_t start = machine.now();
  while (nextAction())
    if (!hasAnswered())
      answer();
  if (alive.deepest() != LevelSet::kNone)
    stalled();
  machine.advanceTo(freeAt);
  modelTotals.cycles += machine.now() - start;
  enterMachine(outer);
}

void Model::answer() {
  Request request = pendingRequest(), none = Request::None;
  if (request == Request::Report)
    report(environment.report, environment.context);
  __atomic_store(&wanted, &none, __ATOMIC_RELEASE); // pairs with pendingRequest()
  while (request == Request::Halt)                  // until the process ends
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/// Called when neither can act although elements are left.
void Model::stalled() {
  if (environment.report)
    report(environment.report, environment.context);
  internalError("elements are left that can never be dispatched", alive.deepest());
}

Counters Model::counters(const TaskTable &table, bool mayRun) const {
  Counters result;
  result.combine(totals);
  for (const TaskInfo *task = table.first(); task; task = task->next)
    if (const KernelCounters *kernels = kernelCounters(*task))
      for (uint32_t k = 0; k < task->numKernels; ++k) {
        (k ? result.post_sync_lanes : result.tasks) += read(kernels[k].lanes);
        result.wavefronts += read(kernels[k].wavefronts);
        result.restarted_lanes += read(kernels[k].restartedLanes);
        result.restarted_wavefronts += read(kernels[k].restartedWavefronts);
        result.dispatches += read(kernels[k].wavefronts) + read(kernels[k].restartedWavefronts);
      }
  result.memory_high_water = arena.highWater() + frameArena.highWater();
  if (mayRun)
    return result;
  MemoryBounds bounds = memoryBounds();
  result.memory_bound = bounds.bound;
  result.memory_limit = bounds.limit;
  return result;
}

const KernelCounters *Model::kernelCounters(const TaskInfo &task) const {
  const TaskState *state = findState(task);
  return state ? state->kernels : nullptr;
}

const ChannelOccupancy *Model::occupancy(const TaskInfo &task) const {
  const TaskState *state = findState(task);
  return state ? &state->occupancy : nullptr;
}

ModelCounters Model::modelCounters() const {
  ModelCounters result = modelTotals;
  result.issue_cycles = machine.issueCycles();
  body.issued().store(result);
  return result;
}

void Model::destroy() {
  machine.destroy();
  events.destroy();
  body.destroy();
  arena.destroy();
  frameArena.destroy();
}

} // namespace cilk2gpu::rt
