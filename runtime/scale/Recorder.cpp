// See Recorder.h.
#include "scale/Recorder.h"

#include "core/LoopCount.h"

namespace cilk2gpu::rt::scale {

//===-- Paths -----------------------------------------------------------------------------------------------------===//

void Recorder::add(Path &to, const Path &more) const {
  to.span += more.span;
  to.burdened += more.burdened;
  for (uint32_t i = 0, end = slots(); i < end; ++i)
    to.by[i] += more.by[i];
}

/// Takes the longer of two paths, for each of the two lengths.
void Recorder::raise(Path &to, const Path &other) const {
  if (other.burdened > to.burdened)
    to.burdened = other.burdened;
  if (other.span <= to.span)
    return;
  to.span = other.span;
  memcpy(to.by, other.by, slots() * sizeof to.by[0]);
}

/// Counts the instructions since the last hook for the innermost part.
void Recorder::charge(uint64_t now) {
  uint64_t executed = now - last;
  last = now;
  Frame &frame = frames.last();
  frame.work += executed;
  frame.along.span += executed;
  frame.along.burdened += executed;
  frame.along.by[frame.owner < Names::kTracked ? frame.owner : 0] += executed;
  names.parts[frame.owner].local += executed;
}

//===-- Tasks -----------------------------------------------------------------------------------------------------===//

/// Begins a task one level below the innermost task. Its kernel may not be known yet.
void Recorder::beginTask(uint32_t part, bool isKnown) {
  Task &parent = tasks.last();
  uint32_t batch = batches.childOf(parent.batch, parent.round);
  tasks.add({batch, 0, part, false, false, 0});
  if (isKnown)
    name(tasks.last(), part);
}

/// Counts the first kernel of a task.
void Recorder::name(Task &task, uint32_t part) {
  task.part = part;
  task.isCounted = true;
  batches.count(task.batch, 0, names.kernel(part, nullptr, 0));
}

/// The task waits, and goes on with the kernel behind the sync `after`, or behind the plain call `call`.
void Recorder::advance(const Site *after, uint32_t call) {
  Task &task = tasks.last();
  ++task.round;
  if (task.batch != Batches::kOutside)
    batches.count(task.batch, task.round, names.kernel(task.part, after, call));
  task.hasSpawned = false;
  task.waitsIn = 0;
}

/// Ends the wait for a plain call. If a sync follows the call, one wait serves both.
void Recorder::settle() {
  if (uint32_t call = tasks.last().waitsIn)
    advance(nullptr, call);
}

void Recorder::endTask() {
  Task &task = tasks.last();
  if (!task.isCounted && task.batch != Batches::kOutside)
    name(task, task.part);
  tasks.drop();
}

//===-- Parts -----------------------------------------------------------------------------------------------------===//

Recorder::Recorder(uint64_t burden) : burden(burden) {
  tasks.add({Batches::kOutside, 0, Names::kOutside, true, false, 0});
  push(Kind::Outside, nullptr, Names::kOutside, Names::kOutside);
}

Recorder::Frame &Recorder::push(Kind kind, const Site *site, uint32_t part, uint32_t owner) {
  Frame frame;
  memset(&frame, 0, sizeof frame);
  frame.kind = kind;
  frame.site = site;
  frame.part = part;
  frame.owner = owner;
  if (part) {
    ++names.parts[part].active;
    ++names.parts[part].count;
  }
  return frames.add(frame);
}

/// The part waits for its children.
void Recorder::join(Frame &frame) {
  raise(frame.along, frame.beside);
  memset(&frame.beside, 0, sizeof frame.beside);
}

/// Adds an activation that has ended to the sums of its part.
void Recorder::endPart(uint32_t part, uint64_t work, const Path &path) {
  Part &record = names.parts[part];
  if (!part || --record.active)
    return;
  record.work += work;
  record.span += path.span;
  record.burdened += path.burdened;
}

/// Ends the innermost part, which has waited for its children, and adds it to the part around it.
void Recorder::endFrame() {
  if (frames.last().kind == Kind::Iteration)
    return endIteration();
  Frame &frame = frames.last(), &around = frames[frames.size() - 2];
  if (frame.kind == Kind::Loop)
    endChunk(frame);
  join(frame);
  endPart(frame.part, frame.work, frame.along);
  endPart(frame.calls, frame.work, frame.along);
  if (frame.ownsTask)
    endTask();
  if (frame.calls)
    tasks.last().waitsIn = frame.calls;
  around.work += frame.work;
  if (frame.kind == Kind::Child) {
    add(frame.along, around.along);
    frame.along.burdened += burden;
    raise(around.beside, frame.along);
    around.along.burdened += burden;
  } else {
    add(around.along, frame.along);
  }
  frames.drop();
}

//===-- Functions and children ------------------------------------------------------------------------------------===//

uint32_t Recorder::enter(const Site *site, uint64_t now) {
  charge(now);
  Frame &around = frames.last();
  uint32_t part = names.part(PartKind::Function, site);
  bool isMain = around.kind == Kind::Outside && !strcmp(site->function, "main");
  bool isSpawned = around.kind == Kind::Child && around.isFresh;
  uint32_t calls = 0;
  around.isFresh = false;
  if (isSpawned) {
    name(tasks.last(), part);
  } else if (!isMain) {
    calls = names.part(PartKind::Call, site, around.owner);
    settle();
    beginTask(part, /*isKnown=*/true);
  }
  Frame &frame = push(Kind::Function, site, part, part);
  frame.ownsTask = !isSpawned && !isMain;
  frame.calls = calls;
  if (calls) {
    ++names.parts[calls].active;
    ++names.parts[calls].count;
  }
  return frames.size() - 1;
}

void Recorder::endFunction(bool hasResult, uint64_t now) {
  if (hasResult)
    syncAtReturn(frames.last().site, now);
  else
    syncAtEnd(now);
  endFrame();
}

void Recorder::leaveInnermost(bool hasResult, uint64_t now) {
  charge(now);
  while (frames.last().kind != Kind::Function && frames.size() > 1)
    endFrame();
  if (frames.size() > 1)
    endFunction(hasResult, now);
}

void Recorder::leave(uint32_t function, bool hasResult, uint64_t now) {
  charge(now);
  while (frames.size() - 1 > function)
    endFrame();
  if (function && frames.size() - 1 == function)
    endFunction(hasResult, now);
}

void Recorder::unwind(uint32_t function, uint32_t loops, uint64_t now) {
  charge(now);
  uint32_t keep = function, open = loops;
  for (uint32_t i = function + 1; i < frames.size() && open; ++i) {
    if (frames[i].kind == Kind::Loop)
      --open;
    else if (frames[i].kind != Kind::Iteration)
      break;
    keep = i;
  }
  if (keep + 1 < frames.size() && loops && frames[keep + 1].kind == Kind::Iteration)
    ++keep;
  while (frames.size() - 1 > keep)
    endFrame();
  syncAtReturn(frames.last().site, now);
}

void Recorder::spawn(const Site *site, uint64_t now) {
  charge(now);
  settle();
  uint32_t part = names.part(PartKind::Spawn, site);
  tasks.last().hasSpawned = true;
  beginTask(part, /*isKnown=*/false);
  Frame &frame = push(Kind::Child, site, part, part);
  frame.ownsTask = frame.isFresh = true;
}

void Recorder::childReturn(uint64_t now) {
  charge(now);
  // A spawned block with a handler of its own: `unwind` has ended it already.
  if (frames.last().kind == Kind::Child)
    endFrame();
}

void Recorder::sync(const Site *site, uint64_t now) {
  charge(now);
  join(frames.last());
  advance(site, 0);
}

void Recorder::syncAtReturn(const Site *site, uint64_t now) {
  charge(now);
  join(frames.last());
  if (tasks.last().hasSpawned || tasks.last().waitsIn)
    advance(site, 0);
}

void Recorder::syncAtEnd(uint64_t now) {
  charge(now);
  join(frames.last());
  Task &task = tasks.last();
  if (task.batch == Batches::kOutside) // later roots are others than the ones before
    return advance(nullptr, 0);
  task.hasSpawned = false;
  task.waitsIn = 0;
}

//===-- Loops -----------------------------------------------------------------------------------------------------===//

/// Counts the tasks of a loop that halves its range until a grain is left.
void Recorder::countRange(uint32_t part, uint32_t batch, uint64_t trips, uint64_t grain) {
  batches.count(batch, 0, names.kernel(part, nullptr, 0));
  if (trips <= grain)
    return;
  uint32_t below = batches.childOf(batch, 0);
  countRange(part, below, trips / 2, grain);
  countRange(part, below, trips - trips / 2, grain);
}

void Recorder::loop(const Site *site, uint64_t trips, uint64_t now) {
  charge(now);
  settle();
  uint32_t part = names.part(PartKind::Loop, site);
  uint64_t grain = rt::grain(trips, 0);
  if (trips)
    countRange(part, batches.childOf(tasks.last().batch, tasks.last().round), trips, grain);
  Frame &frame = push(Kind::Loop, site, part, part);
  frame.trips = trips;
  frame.grain = grain;
}

/// Begins the task that runs iteration `index`: the range that holds it, after enough halvings.
void Recorder::beginChunk(Frame &loop, uint64_t index) {
  uint64_t first = 0, trips = loop.trips, depth = 0;
  Task &around = tasks.last();
  uint32_t batch = batches.childOf(around.batch, around.round);
  for (; trips > loop.grain; ++depth) {
    batch = batches.childOf(batch, 0);
    uint64_t half = trips / 2;
    bool isRight = index >= first + half;
    first += isRight ? half : 0;
    trips = isRight ? trips - half : half;
  }
  loop.chunkFirst = first;
  loop.chunkEnd = first + trips;
  loop.chunkDepth = depth;
  loop.chunkBurdened = 0;
  tasks.add({batch, 0, loop.part, true, false, 0});
}

/// Iterations of one task follow one another. Each halving moves one half to another worker, as a spawn does.
void Recorder::endChunk(Frame &loop) {
  if (!loop.chunkEnd)
    return;
  uint64_t burdened = loop.along.burdened + loop.chunkBurdened + burden * loop.chunkDepth;
  if (burdened > loop.beside.burdened)
    loop.beside.burdened = burdened;
  loop.chunkEnd = 0;
  tasks.drop();
}

/// Ends the iteration that runs, if one does.
void Recorder::endIteration() {
  if (frames.last().kind != Kind::Iteration)
    return;
  Frame &frame = frames.last(), &loop = frames[frames.size() - 2];
  join(frame);
  if (tasks.last().hasSpawned || tasks.last().waitsIn)
    advance(loop.site, 0);
  loop.work += frame.work;
  loop.chunkBurdened += frame.along.burdened;
  frame.along.burdened = 0;
  uint64_t burdened = loop.beside.burdened;
  add(frame.along, loop.along);
  raise(loop.beside, frame.along);
  loop.beside.burdened = burdened;
  frames.drop();
}

void Recorder::iteration(uint64_t index, uint64_t now) {
  charge(now);
  endIteration();
  Frame &loop = frames.last();
  if (index >= loop.chunkEnd || index < loop.chunkFirst) {
    endChunk(loop);
    beginChunk(loop, index);
  }
  push(Kind::Iteration, loop.site, 0, loop.part);
}

void Recorder::loopEnd(uint64_t now) {
  charge(now);
  endIteration();
  uint32_t part = frames.last().part;
  bool hasRun = frames.last().trips;
  endFrame();
  if (hasRun)
    tasks.last().waitsIn = part;
}

//===-- The end ---------------------------------------------------------------------------------------------------===//

Point Recorder::point(uint64_t now) {
  charge(now);
  Point result = {now, 0, 0};
  for (const Frame &frame : frames) {
    result.span += frame.along.span;
    result.burdened += frame.along.burdened;
  }
  return result;
}

void Recorder::finish(uint64_t now) {
  charge(now);
  while (frames.size() > 1)
    endFrame();
  Frame &outside = frames.last();
  join(outside);
  Part &whole = names.parts[Names::kOutside];
  whole.count = 1;
  whole.work = outside.work;
  whole.span = outside.along.span;
  whole.burdened = outside.along.burdened;
  for (uint32_t i = 0, end = slots(); i < end; ++i)
    names.parts[i].onSpan = outside.along.by[i];
}

} // namespace cilk2gpu::rt::scale
