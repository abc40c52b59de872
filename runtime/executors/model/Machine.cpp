// The queue is a binary heap, ordered by time and then by arrival, so that wavefronts with equal waits take turns. The
// other schedules choose from the same array, in any order.
#include "executors/model/Machine.h"
#include "core/Tunables.h"

namespace cilk2gpu::rt {

template <typename T> static T *allocateZeroed(Arena &arena, uint64_t count) {
  T *result = static_cast<T *>(arena.allocate(count * sizeof(T), alignof(T)));
  for (uint64_t i = 0; i < count; ++i)
    result[i] = T();
  return result;
}

Machine::Machine(Arena &arena, const MachineSettings &settings, Body body, Pressure pressure)
    : arena(arena), settings(settings), body(body), pressure(pressure), generator(settings.seed),
      wordsPerCu((settings.shape.contextsPerCu + 63) / 64) {
  const MachineShape &shape = settings.shape;
  contexts = allocateZeroed<Context>(arena, shape.contexts());
  queue = allocateZeroed<Context *>(arena, shape.contexts());
  freeBits = allocateZeroed<uint64_t>(arena, uint64_t(shape.cus) * wordsPerCu);
  nextSlot = allocateZeroed<uint32_t>(arena, shape.cus);
  simdFreeAt = allocateZeroed<uint64_t>(arena, uint64_t(shape.cus) * shape.simdsPerCu);
  residents = allocateZeroed<Context *>(arena, uint64_t(shape.cus) * shape.simdsPerCu);
  waiting = allocateZeroed<Context *>(arena, uint64_t(shape.cus) * shape.simdsPerCu);
  for (uint32_t i = 0; i < shape.contexts(); ++i) {
    uint32_t cu = i / shape.contextsPerCu, slot = i % shape.contextsPerCu;
    contexts[i].index = i;
    contexts[i].cu = cu;
    contexts[i].simd = cu * shape.simdsPerCu + slot % shape.simdsPerCu;
    freeBits[cu * wordsPerCu + slot / 64] |= uint64_t(1) << slot % 64;
  }
}

//===--------------------------------------------------------------------------------------------------------------===//
// Contexts
//===--------------------------------------------------------------------------------------------------------------===//

void Machine::occupy(Context &context, Wavefront &wavefront, uint64_t time) {
  attach(context, wavefront, nullptr, time);
}

void Machine::attach(Context &context, Wavefront &wavefront, Fiber *fiber, uint64_t time) {
  const MachineShape &shape = settings.shape;
  uint32_t slot = context.index - context.cu * shape.contextsPerCu;
  freeBits[context.cu * wordsPerCu + slot / 64] &= ~(uint64_t(1) << slot % 64);
  nextSlot[context.cu] = (slot + 1) % shape.contextsPerCu;
  nextCu = (context.cu + 1) % shape.cus;
  ++numOccupied;
  context.wavefront = &wavefront;
  context.fiber = fiber;
  context.readyAt = time;
  admit(context);
}

/// Enters a context's wavefront in the queue for its turn. If its SIMD unit has already started another wavefront
/// (ProgressModel::Occupancy), it waits for the end of that one.
void Machine::admit(Context &context) {
  if (settings.progress == ProgressModel::Occupancy) {
    Context *&resident = residents[context.simd];
    if (resident) {
      Context **last = &waiting[context.simd];
      while (*last)
        last = &(*last)->nextWaiting;
      *last = &context;
      context.nextWaiting = nullptr;
      return;
    }
    resident = &context;
  }
  enqueue(context);
}

void Machine::release(Context &context) {
  uint32_t slot = context.index - context.cu * settings.shape.contextsPerCu;
  freeBits[context.cu * wordsPerCu + slot / 64] |= uint64_t(1) << slot % 64;
  --numOccupied;
  context.wavefront = nullptr;
  context.fiber = nullptr;
  if (residents[context.simd] != &context)
    return;
  residents[context.simd] = nullptr;
  if (Context *next = waiting[context.simd]) {
    waiting[context.simd] = next->nextWaiting;
    if (next->readyAt < clock)
      next->readyAt = clock;
    admit(*next);
  }
}

Fiber *Machine::takeFiber() {
  if (Fiber *fiber = fibers) {
    fibers = fiber->next;
    return fiber;
  }
  ++numFibers;
  return Fiber::create(settings.stackBytes);
}

void Machine::destroy() {
  while (Fiber *fiber = fibers) {
    fibers = fiber->next;
    fiber->destroy();
  }
}

//===--------------------------------------------------------------------------------------------------------------===//
// Turns
//===--------------------------------------------------------------------------------------------------------------===//

void Machine::enqueue(Context &context) {
  context.order = order++;
  uint32_t at = queued++;
  if (settings.schedule == Schedule::RoundRobin)
    for (; at && isBefore(context, *queue[(at - 1) / 2]); at = (at - 1) / 2)
      queue[at] = queue[(at - 1) / 2];
  queue[at] = &context;
}

void Machine::siftDown(uint32_t at) {
  Context *moved = queue[at];
  for (uint32_t child; (child = 2 * at + 1) < queued; at = child) {
    if (child + 1 < queued && isBefore(*queue[child + 1], *queue[child]))
      ++child;
    if (!isBefore(*queue[child], *moved))
      break;
    queue[at] = queue[child];
  }
  queue[at] = moved;
}

/// Takes the first context of the heap whose SIMD unit is free at its time.
Context *Machine::dequeue() {
  for (;;) {
    Context *first = queue[0];
    if (simdFreeAt[first->simd] <= first->readyAt) {
      queue[0] = queue[--queued];
      if (queued)
        siftDown(0);
      return first;
    }
    first->readyAt = simdFreeAt[first->simd];
    siftDown(0);
  }
}

uint64_t Machine::nextTurn() {
  if (!queued)
    return kNever;
  if (settings.schedule != Schedule::RoundRobin)
    return clock;
  // A busy SIMD unit may still delay the turn. The aggregator then acts a little early, as a real aggregator would.
  return queue[0]->readyAt > clock ? queue[0]->readyAt : clock;
}

Context *Machine::choose() {
  if (settings.schedule == Schedule::RoundRobin)
    return dequeue();
  uint32_t chosen = 0;
  if (settings.schedule == Schedule::Random)
    chosen = uint32_t(generator.below(queued));
  else if (++choices % tunables::kModelFairTurn == 0)
    for (uint32_t i = 1; i < queued; ++i)
      chosen = queue[i]->order < queue[chosen]->order ? i : chosen;
  else
    for (uint32_t i = 1; i < queued; ++i) {
      uint64_t a = pressure(*queue[i]->wavefront), b = pressure(*queue[chosen]->wavefront);
      if (a > b || (a == b && queue[i]->order > queue[chosen]->order))
        chosen = i;
    }
  Context *context = queue[chosen];
  queue[chosen] = queue[--queued];
  return context;
}

bool Machine::mayTurn(uint32_t cu) const {
  for (uint32_t i = 0; i < queued; ++i)
    if (queue[i]->cu == cu)
      return true;
  return false;
}

/// Takes the context of a CU that was enqueued first, or any of them by the seed.
Context *Machine::chooseOf(uint32_t cu) {
  uint32_t chosen = queued, members = 0;
  for (uint32_t i = 0; i < queued; ++i) {
    if (queue[i]->cu != cu)
      continue;
    ++members;
    bool isChosen = settings.schedule != Schedule::RoundRobin ? generator.below(members) == 0
                    : chosen != queued                        ? queue[i]->order < queue[chosen]->order
                                                              : true;
    if (isChosen)
      chosen = i;
  }
  Context *context = queue[chosen];
  queue[chosen] = queue[--queued];
  return context;
}

/// Gives a wavefront its turn.
Machine::Ended Machine::give(Context &context) {
  advanceTo(context.readyAt);
  current = &context;
  bool isDone;
  if (context.fiber) {
    isDone = context.fiber->resume();
  } else {
    context.fiber = takeFiber();
    if (!context.fiber) {
      current = nullptr;
      arena.outOfMemory("a wavefront's stack", settings.stackBytes);
    }
    context.startedAt = clock;
    isDone = context.fiber->run(body, context.wavefront);
  }
  current = nullptr;
  if (hasDetached) {
    hasDetached = false;
    return {};
  }
  if (!isDone) {
    enqueue(context);
    return {};
  }
  keepFiber(context.fiber);
  Ended result = {context.wavefront, &context};
  release(context);
  return result;
}

void Machine::point(Cost cost) {
  Context &context = *current;
  issued += cost.issue;
  uint64_t free = clock + cost.issue, ready = free + cost.latency;
  simdFreeAt[context.simd] = free;
  context.readyAt = ready;
  // The wavefront is alone, so the turn would come back at once.
  if (settings.schedule == Schedule::RoundRobin && ready < deadline && (!queued || queue[0]->readyAt > ready)) {
    clock = ready;
    return;
  }
  context.fiber->suspend();
}

void Machine::detach() {
  Fiber *fiber = current->fiber;
  hasDetached = true;
  release(*current);
  fiber->suspend();
}

} // namespace cilk2gpu::rt
