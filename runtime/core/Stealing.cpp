// See Stealing.h.
#include "core/Stealing.h"

namespace cilk2gpu::rt {

StealState &Stealing::stateAt(uint64_t index) {
  Level &at = shared.level(index);
  if (!at.steal)
    at.steal = shared.arena.allocateArray<StealState>(1);
  return *at.steal;
}

uint64_t Stealing::stolen(uint64_t index) const {
  if (index >= shared.numLevels || !shared.levels[index].steal)
    return 0;
  // Pairs with the decrement in Environment::repay: the block's results are visible once it reads zero.
  return __atomic_load_n(&shared.levels[index].steal->stolen, __ATOMIC_ACQUIRE);
}

void Stealing::repay(uint64_t index) {
  StealState *steal = index < shared.numLevels ? shared.levels[index].steal : nullptr;
  if (!steal || !steal->creditor)
    return;
  Scheduler &creditor = *steal->creditor;
  steal->creditor = nullptr;
  shared.environment.repay(shared.environment.context, creditor, steal->owed);
}

/// Returns the number of elements that have to wait before some can be given away. This is one element if the giver is
/// busy on a deeper level, or in a kernel. Tasks whose lanes run one after the other lose nothing if they are few, so
/// they are given away early, too.
uint64_t Stealing::leastSurplus(const TaskLevel &state, uint64_t index, bool small) const {
  uint64_t few = index < shared.current || offers ? 1 : 2;
  return small || !state.task->kernels[0].isVectorised() ? few : shared.limits.wave + 1;
}

/// Returns whether all waiting elements together take less time as elisions than a hand-over takes.
static bool isBrief(const TaskLevel &state) {
  const Elision *elision = state.active ? state.active->band->elision : nullptr;
  return elision && elision->chosen && state.pre.size() * elision->elided < 16 * tunables::kHandOver;
}

/// Returns whether other workers may run elements of a channel, and get anything done.
bool Stealing::isShareable(const TaskLevel &state) const {
  const TaskInfo &task = *state.task;
  bool isContended = task.isRange && task.contention.takesTurns() && !task.contention.mayJoin(shared.clock());
  return !isContended && !isBrief(state) && !task.isQueue();
}

/// Returns the number of elements of a channel that are not lanes of the wave that runs.
uint64_t Stealing::spare(const TaskLevel &state) const {
  return state.pre.size() - (&state == shared.dispatchedTask ? shared.lanesInPre : 0);
}

static uint64_t partOf(uint64_t elements, uint64_t parts) { return elements > parts ? elements / parts : 1; }

Stealing::Surplus Stealing::find(bool small, uint64_t parts) {
  // Only hand-overs change levels above the current one. So the search continues where the last search ended, unless
  // that search ignored small surpluses. The children of the current level are one level deeper.
  if (small && !wasSmall)
    shallowest = shared.lowest;
  wasSmall = small;
  for (uint64_t index = shallowest; index <= shared.current + 1 && index < shared.numLevels; ++index) {
    Surplus best = {index, nullptr, 0};
    for (TaskLevel *state = shared.levels[index].tasks; state; state = state->next)
      if (spare(*state) >= leastSurplus(*state, index, small) && spare(*state) > best.count && isShareable(*state))
        best = {index, state, spare(*state)};
    if (best.from) {
      best.count = partOf(best.count, parts);
      return best;
    }
    if (index < shared.current)
      shallowest = index + 1;
  }
  return {0, nullptr, 0};
}

/// Returns whether each element of a channel takes at least tunables::kLongTask. Elements that were never measured at
/// their level count as long, a few times for each task. Such a guess costs less than a long task that nobody shares.
static bool isLong(const TaskLevel &state) {
  const TaskInfo &task = *state.task;
  if (!task.mayBeLong())
    return false;
  if (state.active && state.active->laneTime)
    return state.active->laneTime >= tunables::kLongTask;
  return task.times.longest() >= tunables::kLongTask || task.times.guesses() < tunables::kMostGuesses;
}

Stealing::Surplus Stealing::findLong(uint64_t parts) {
  for (uint64_t index = shared.current; index <= shared.current + 1; ++index)
    for (TaskLevel *state = shared.tasksAt(index); state; state = state->next)
      if (uint64_t found = spare(*state); found >= (offers ? 1 : 2) && isLong(*state) && isShareable(*state)) {
        if (!state->active || !state->active->laneTime)
          state->task->times.countGuess();
        return {index, state, partOf(found, parts)};
      }
  return {0, nullptr, 0};
}

bool Stealing::mayOffer() const {
  const TaskLevel &running = *shared.dispatchedTask;
  if (shared.dispatched.wave.kernel)
    return true; // post-sync kernels are not measured
  uint64_t own = running.active->laneTime;
  return !own || own >= tunables::kLongTask || running.task->times.longest() >= tunables::kLongTask;
}

bool Stealing::canGive(const Surplus &surplus) const {
  const TaskInfo &task = *surplus.from->task;
  uint64_t bytes = 0;
  for (uint32_t f = 0; f < task.element.numFields; ++f)
    bytes += surplus.count * task.element.fields[f].size;
  return shared.data.fits(bytes + (task.frame ? task.frame.bytesOf(1) : 0), 16);
}

void Stealing::give(const Surplus &surplus, Stealing &receiver) {
  SchedulerState &theirs = receiver.shared;
  OwnedChannel &from = surplus.from->pre;
  const TaskInfo *task = surplus.from->task;
  OwnedChannel &to = theirs.taskLevel(surplus.level, task).pre;
  to.makeRoom(theirs.data, task->element, surplus.count, task->widthUnder(theirs.limits), 0);
  to.append(task->element, from.cursor.columns, from.cursor.next - surplus.count, surplus.count);
  from.takeBack(surplus.count);

  StealState &ours = stateAt(surplus.level), &debt = receiver.stateAt(surplus.level);
  __atomic_fetch_add(&ours.stolen, 1, __ATOMIC_RELAXED); // relaxed: only this thread increments it, and it is
                                                         // decremented after the hand-over
  debt.creditor = &owner;
  debt.owed = &ours.stolen;
  if (shared.bottom < surplus.level)
    shared.bottom = surplus.level;
  if (theirs.bottom < surplus.level)
    theirs.bottom = surplus.level;

  // Scheduler::spawnedInto() counts the elements that it finds at the level below the current one. So elements that
  // left before are counted here, and elements that arrived below the receiver's base are taken off there. Unsigned
  // arithmetic makes the sum right.
  if (surplus.level == shared.current + 1)
    count(shared.totals.spawned, surplus.count);
  if (theirs.running)
    count(theirs.totals.spawned, -surplus.count);
  count(shared.totals.stolen_blocks, 1);
  count(shared.totals.stolen_elements, surplus.count);
}

} // namespace cilk2gpu::rt
