// Levels of a scheduler: how their state comes to be, and how blocks of elements and their completion travel between
// schedulers.
//
// Why nobody waits for ever. A scheduler waits at a level L only when its levels L and deeper are empty, and while it
// waits it accepts blocks of levels deeper than L only. So at most one block runs at a level of a scheduler, and it was
// accepted when that scheduler had given away nothing at that level that was not done. In a circle of schedulers that
// wait for one another all would wait at one level, each for the next, and the block accepted last would break that
// rule.
#include "core/MemoryBound.h"
#include "core/Scheduler.h"

namespace cilk2gpu::rt {

/// Grows an array to at least `needed` entries; new ones are zero.
template <typename T> static void growArray(Arena &arena, T *&array, uint64_t &size, uint64_t needed) {
  uint64_t grown = needed > 2 * size ? needed : 2 * size;
  T *fresh = arena.allocateArray<T>(grown);
  for (uint64_t i = 0; i < size; ++i)
    fresh[i] = array[i];
  arena.release(array, size * sizeof(T), alignof(T));
  array = fresh;
  size = grown;
}

Level &Scheduler::level(uint64_t index) {
  if (index >= numLevels)
    growArray(arena, levels, numLevels, index + 1);
  return levels[index];
}

TaskLevel &Scheduler::taskLevel(uint64_t index, const TaskInfo *task) {
  Level &at = level(index);
  for (TaskLevel *state = at.tasks; state; state = state->next)
    if (state->task == task)
      return *state;
  uint64_t columnBytes = task->element.numFields * sizeof(void *);
  auto *state = static_cast<TaskLevel *>(arena.allocate(sizeof(TaskLevel) + columnBytes, alignof(TaskLevel)));
  void **columns = reinterpret_cast<void **>(state + 1);
  for (uint32_t f = 0; f < task->element.numFields; ++f)
    columns[f] = nullptr;
  state->pre.initialise(columns);
  state->next = at.tasks;
  state->task = task;
  state->active = nullptr;
  state->turned = 0;
  state->width = uint32_t(task->widthUnder(limits));
  hasQueues |= task->isQueue();
  at.tasks = state;
  return *state;
}

ActiveState &Scheduler::activate(TaskLevel &state, uint64_t index) {
  if (state.active)
    return *state.active;
  const TaskInfo &task = *state.task;
  arena.subject = task.name;
  uint64_t kernels = task.numKernels;
  auto *active = static_cast<ActiveState *>(arena.allocate(ActiveState::bytes(task), alignof(ActiveState)));
  *active = {};
  active->syncs = reinterpret_cast<abi::Cursor **>(&active->post(kernels));
  active->spawns = active->syncs + kernels;
  active->syncs[0] = nullptr;
  for (uint64_t k = 1; k < kernels; ++k) {
    active->post(k).ready = 0;
    active->post(k).channel.initialise(active->post(k).columns);
    active->syncs[k] = &active->post(k).channel.cursor;
  }
  for (uint32_t t = 0; t < task.numTargets; ++t)
    active->spawns[t] = &taskLevel(index + 1, task.targets[t]).pre.cursor;
  active->pace.length =
      policy.measures && !task.kernels[0].isVectorised() ? TaskLength::LongSubtree : TaskLength::Short;
  active->block = environment.hungry ? limits.wave : abi::kMaxLanes;
  active->spawnsPerLane = uint32_t(tunables::kSpawnsPerLane);
  bool isAsked = limits.elide == Elide::Always || limits.order == TaskOrder::Shuffled;
  active->unasked = mayElide(task) && isAsked ? 0 : policy.elides ? tunables::kFirstTrial : ~uint32_t(0);
  active->counters = countersOf(task);
  state.active = active;
  return *active;
}

KernelCounters *Scheduler::countersOf(const TaskInfo &task) {
  if (task.index >= numTaskCounters) {
    // Published in two steps and never released: statistics may look from another thread.
    uint64_t size = task.index + 1 > 2 * numTaskCounters ? task.index + 1 : 2 * numTaskCounters;
    KernelCounters **fresh = arena.allocateArray<KernelCounters *>(size);
    for (uint64_t i = 0; i < numTaskCounters; ++i)
      fresh[i] = taskCounters[i];
    __atomic_store_n(&taskCounters, fresh, __ATOMIC_RELEASE); // pairs with kernelCounters
    __atomic_store_n(&numTaskCounters, size, __ATOMIC_RELEASE);
  }
  KernelCounters *&entry = taskCounters[task.index];
  if (!entry) {
    countersBytes += Arena::blockBytes(task.numKernels * sizeof(KernelCounters), alignof(KernelCounters));
    __atomic_store_n(&entry, arena.allocateArray<KernelCounters>(task.numKernels), __ATOMIC_RELEASE);
  }
  return entry;
}

const KernelCounters *Scheduler::kernelCounters(const TaskInfo &task) const {
  // The size is read first: the table is at least as new.
  if (task.index >= __atomic_load_n(&numTaskCounters, __ATOMIC_ACQUIRE))
    return nullptr;
  KernelCounters *const *table = __atomic_load_n(&taskCounters, __ATOMIC_ACQUIRE);
  return __atomic_load_n(&table[task.index], __ATOMIC_ACQUIRE);
}

Counters Scheduler::counters(const TaskTable &table) const {
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
  result.memory_high_water = arena.highWater() + deviceArena.highWater() + frameArena.highWater();
  return result;
}

static uint64_t kernelsThatYield(const TaskInfo &task) {
  uint64_t result = 0;
  for (uint32_t k = 0; k < task.numKernels; ++k)
    result += task.kernels[k].resume != nullptr;
  return result;
}

/// One task at one level. Restarts' and post-sync elements' queues are each bounded by the frames. `isActive`: its
/// kernels have run there.
static uint64_t taskBound(const TaskInfo &task, uint64_t width, bool isActive) {
  uint64_t elementBytes = 0, pointers = sizeof(void *);
  for (uint32_t f = 0; f < task.element.numFields; ++f)
    elementBytes += task.element.fields[f].size;
  ByteSum sum;
  sum.addBlock(sizeof(TaskLevel) + task.element.numFields * pointers, alignof(TaskLevel));
  sum.add(queueBound(width, elementBytes, task.element.numFields));
  if (!isActive)
    return sum.value();
  uint64_t kernels = task.numKernels;
  sum.addBlock(ActiveState::bytes(task), alignof(ActiveState)).addBlock(kernels * pointers, 8);
  if (task.hasElision)
    sum.addBlock(sizeof(Elision), alignof(Elision));
  sum.add(framesBound(task, width));
  sum.add(kernels - 1, queueBound(width, pointers, 1));
  sum.add(kernelsThatYield(task), queueBound(width, pointers + sizeof(uint32_t), 2) +
                                      Arena::blockBytes(sizeof(FrameChannel), alignof(FrameChannel)));
  return sum.value();
}

/// What the first lane of a task at a level, and what it spawns, take: lists of levels and counters included.
uint64_t Scheduler::leastBound(const TaskInfo &task, uint64_t index) const {
  ByteSum sum;
  sum.add(taskBound(task, 1, /*isActive=*/true));
  for (uint32_t t = 0; t < task.numTargets; ++t)
    sum.add(taskBound(*task.targets[t], 1, /*isActive=*/false));
  sum.addBlock(task.numKernels * sizeof(KernelCounters), alignof(KernelCounters));
  if (index + 1 >= numLevels)
    sum.add(arrayBound(index + 2, sizeof(Level)));
  return sum.value();
}

uint64_t Scheduler::turnBound(const TaskInfo &task, const Limits &limits) {
  uint64_t width = task.widthUnder(limits), lanes = width < limits.block ? width : limits.block;
  ByteSum sum;
  sum.add(2 * taskBound(task, width, /*isActive=*/true))
      .add(2 * lanes, sizeof(void *)); // and the frames that are given back
  return sum.addBlock(task.numKernels * sizeof(KernelCounters), alignof(KernelCounters)).value();
}

uint64_t Scheduler::memoryBound() const {
  ByteSum sum;
  sum.add(arena.measuredHighWater());
  sum.add(arrayBound(numLevels, sizeof(Level))).add(2 * arrayBound(numTaskCounters, sizeof(KernelCounters *)));
  for (uint64_t index = 0; index < numLevels; ++index) {
    if (levels[index].steal)
      sum.addBlock(sizeof(StealState), alignof(StealState));
    for (const TaskLevel *state = levels[index].tasks; state; state = state->next)
      sum.add(taskBound(*state->task, state->width, state->active));
  }
  return sum.add(countersBytes).addBlock(numReturns * sizeof(void *), alignof(void *)).value();
}

StealState &Scheduler::stealState(uint64_t index) {
  Level &at = level(index);
  if (!at.steal)
    at.steal = arena.allocateArray<StealState>(1);
  return *at.steal;
}

uint64_t Scheduler::stolen(uint64_t index) const {
  if (index >= numLevels || !levels[index].steal)
    return 0;
  // Pairs with the decrement in Environment::repay: the block's results are visible once it reads zero.
  return __atomic_load_n(&levels[index].steal->stolen, __ATOMIC_ACQUIRE);
}

void Scheduler::repay(uint64_t index) {
  StealState *steal = index < numLevels ? levels[index].steal : nullptr;
  if (!steal || !steal->creditor)
    return;
  Scheduler &creditor = *steal->creditor;
  steal->creditor = nullptr;
  environment.repay(environment.context, creditor, steal->owed);
}

/// How many elements wait where some can be given away: one as well where the giver is busy deeper, and at once where
/// lanes run one after the other, which lose nothing by being few.
uint64_t Scheduler::leastSurplus(const TaskLevel &state, uint64_t index, bool small) const {
  uint64_t few = index < current ? 1 : 2;
  return small || !state.task->kernels[0].isVectorised() ? few : wave() + 1;
}

/// Whether all that waits runs as elisions, in less time than it takes to hand some of it over.
static bool isBrief(const TaskLevel &state) {
  const Elision *elision = state.active ? state.active->elision : nullptr;
  return elision && elision->chosen && state.pre.size() * elision->elided < 16 * tunables::kHandOver;
}

Scheduler::Surplus Scheduler::findSurplus(bool small, uint64_t parts) {
  // Levels shallower than the current one change only by what is given away: where the last search for no less ended,
  // the next one goes on. One level deeper than the current one is where its children are.
  if (small && !wasSmall)
    shallowest = lowest;
  wasSmall = small;
  for (uint64_t index = shallowest; index <= current + 1 && index < numLevels; ++index) {
    Surplus best = {index, nullptr, 0};
    for (TaskLevel *state = levels[index].tasks; state; state = state->next)
      if (state->pre.size() >= leastSurplus(*state, index, small) && state->pre.size() > best.count &&
          !isBrief(*state) && !state->task->isQueue())
        best = {index, state, state->pre.size()};
    if (best.from) {
      best.count = best.count > parts ? best.count / parts : 1;
      return best;
    }
    if (index < current)
      shallowest = index + 1;
  }
  return {0, nullptr, 0};
}

bool Scheduler::canGive(const Surplus &surplus) const {
  const TaskInfo &task = *surplus.from->task;
  uint64_t bytes = 0;
  for (uint32_t f = 0; f < task.element.numFields; ++f)
    bytes += surplus.count * task.element.fields[f].size;
  return data.fits(bytes + (task.frame ? task.frame.bytesOf(1) : 0), 16);
}

void Scheduler::give(const Surplus &surplus, Scheduler &receiver) {
  OwnedChannel &from = surplus.from->pre;
  const TaskInfo *task = surplus.from->task;
  OwnedChannel &to = receiver.taskLevel(surplus.level, task).pre;
  to.makeRoom(receiver.data, task->element, surplus.count, task->widthUnder(receiver.limits), 0);
  to.append(task->element, from.cursor.columns, from.cursor.next - surplus.count, surplus.count);
  from.takeBack(surplus.count);

  StealState &mine = stealState(surplus.level), &theirs = receiver.stealState(surplus.level);
  __atomic_fetch_add(&mine.stolen, 1, __ATOMIC_RELAXED); // read by this thread; decremented after the hand-over
  theirs.creditor = this;
  theirs.owed = &mine.stolen;
  if (bottom < surplus.level)
    bottom = surplus.level;
  if (receiver.bottom < surplus.level)
    receiver.bottom = surplus.level;

  // spawnedInto() counts what it finds at the level below the current one: what left before is counted here, what
  // arrived below the receiver's base is taken off there. Unsigned arithmetic makes the sum right.
  if (surplus.level == current + 1)
    count(totals.spawned, surplus.count);
  if (receiver.running)
    count(receiver.totals.spawned, -surplus.count);
  count(totals.stolen_blocks, 1);
  count(totals.stolen_elements, surplus.count);
}

} // namespace cilk2gpu::rt
