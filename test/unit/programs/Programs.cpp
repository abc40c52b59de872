// Kernels as the compiler writes them. A lane's progress is its frame and a site. Each segment is a function that
// continues at a site, and yields at the first spawn that finds no room.
#include "Programs.h"

namespace cilk2gpu::test {

using abi::KernelRecord;
using abi::TaskRecord;
using abi::Wave;

void (*deviceAccess)(const void *memory, uint64_t bytes, bool writes) = nullptr;

/// A kernel that also has a device form.
static constexpr KernelRecord onDevices(const char *name, abi::KernelFn run, abi::KernelFn resume, abi::LaneFn lane,
                                        const char *symbol) {
  return {.name = name, .run = run, .resume = resume, .lane = lane, .symbol = symbol};
}

static const abi::FieldRecord argumentAndResult[] = {{4, 4}, {8, 8}};

/// A restart kernel or a post-sync kernel: each lane continues in its frame. Restarting lanes start at their saved
/// site.
template <typename Frame, void (*Segment)(Wave *, Frame *, uint32_t)> static void resumeLanes(Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane)
    Segment(wave, load<Frame *>(wave, lane, 0), load<uint32_t>(wave, lane, 1));
}

template <typename Frame, void (*Segment)(Wave *, Frame *, uint32_t)> static void postSyncLanes(Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane)
    Segment(wave, load<Frame *>(wave, lane, 0), 0);
}

// fib(n) = n <= 2 ? 1 : spawn fib(n - 1) + spawn fib(n - 2)

struct FibFrame {
  int64_t x, y, *result;
  int32_t n;
};

static void fibSpawn(Wave *wave, FibFrame *frame, uint32_t site) {
  switch (site) {
  case 0:
    if (!spawn(wave, 0, frame->n - 1, &frame->x))
      return yield(wave, frame, 0);
    [[fallthrough]];
  case 1:
    if (!spawn(wave, 0, frame->n - 2, &frame->y))
      return yield(wave, frame, 1);
    sync(wave, frame, 1);
  }
}

static void fibStart(Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    int32_t n = load<int32_t>(wave, lane, 0);
    int64_t *result = load<int64_t *>(wave, lane, 1);
    if (n <= 2) {
      *result = 1;
      continue;
    }
    FibFrame *frame = takeFrame<FibFrame>(wave);
    *frame = {0, 0, result, n};
    fibSpawn(wave, frame, 0);
  }
}

static void fibAdd(Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    FibFrame *frame = load<FibFrame *>(wave, lane, 0);
    *frame->result = frame->x + frame->y;
    giveFrame(wave, frame);
  }
}

void fibLane0(Wave *wave, uint64_t lane, uint32_t site) {
  FibFrame *frame;
  if (site) {
    frame = deviceLoad<FibFrame *>(wave, lane, 0);
  } else {
    int32_t n = deviceLoad<int32_t>(wave, lane, 0);
    int64_t *result = deviceLoad<int64_t *>(wave, lane, 1);
    if (n <= 2)
      return deviceWrite<int64_t>(result, 1);
    frame = static_cast<FibFrame *>(__cilk2gpu_device_frame(wave));
    deviceWrite(frame, {0, 0, result, n});
  }
  int32_t n = deviceRead(&frame->n);
  if (site < 2 && !deviceSpawn(wave, 0, n - 1, &frame->x))
    return __cilk2gpu_device_yield(wave, frame, 1);
  if (!deviceSpawn(wave, 0, n - 2, &frame->y))
    return __cilk2gpu_device_yield(wave, frame, 2);
  __cilk2gpu_device_publish(wave, 1, frame);
}

void fibLane1(Wave *wave, uint64_t lane, uint32_t) {
  FibFrame *frame = deviceLoad<FibFrame *>(wave, lane, 0);
  const FibFrame &read = deviceRead(frame);
  deviceWrite(read.result, read.x + read.y);
  __cilk2gpu_device_tfree(wave, frame);
}

static TaskRecord *const fibTargets[] = {&fibTask};
static const KernelRecord fibKernels[] = {
    onDevices("fib:0", fibStart, resumeLanes<FibFrame, fibSpawn>, fibLane0, "fib_0"),
    onDevices("fib:1", fibAdd, nullptr, fibLane1, "fib_1")};
TaskRecord fibTask = {.name = "fib",
                      .location = "fib.c:1:1",
                      .fields = argumentAndResult,
                      .kernels = fibKernels,
                      .targets = fibTargets,
                      .frameSize = sizeof(FibFrame),
                      .frameAlign = alignof(FibFrame),
                      .numFields = 2,
                      .numKernels = 2,
                      .numTargets = 1};

static Expected fibPlain(int32_t n) {
  if (n <= 2)
    return {1, 1, 0};
  Expected x = fibPlain(n - 1), y = fibPlain(n - 2);
  return {x.result + y.result, x.tasks + y.tasks + 1, x.resumed + y.resumed + 1};
}
const Program fib = {"fib", &fibTask, fibPlain};

// loop(n): for (i = 0; i < n; ++i) spawn child(i, &sum); sync; return sum

struct LoopFrame {
  int64_t sum, *result;
  int32_t n, next;
};

static void loopSpawn(Wave *wave, LoopFrame *frame, uint32_t) {
  for (; frame->next < frame->n; ++frame->next)
    if (!spawn(wave, 0, frame->next, &frame->sum))
      return yield(wave, frame, 0);
  sync(wave, frame, 1);
}

static void loopStart(Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    LoopFrame *frame = takeFrame<LoopFrame>(wave);
    *frame = {0, load<int64_t *>(wave, lane, 1), load<int32_t>(wave, lane, 0), 0};
    loopSpawn(wave, frame, 0);
  }
}

static void loopEnd(Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    LoopFrame *frame = load<LoopFrame *>(wave, lane, 0);
    *frame->result = frame->sum;
    giveFrame(wave, frame);
  }
}

static void childRun(Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane)
    __atomic_fetch_add(load<int64_t *>(wave, lane, 1), int64_t(load<int32_t>(wave, lane, 0)) * 3, __ATOMIC_RELAXED);
}

void childLane0(Wave *wave, uint64_t lane, uint32_t) {
  int64_t *sum = deviceLoad<int64_t *>(wave, lane, 1);
  deviceRead(sum);
  __atomic_fetch_add(sum, int64_t(deviceLoad<int32_t>(wave, lane, 0)) * 3, __ATOMIC_RELAXED);
}

static const KernelRecord childKernels[] = {onDevices("child:0", childRun, nullptr, childLane0, "child_0")};
static TaskRecord childTask = {
    .name = "child", .fields = argumentAndResult, .kernels = childKernels, .numFields = 2, .numKernels = 1};
static TaskRecord *const loopTargets[] = {&childTask};
void loopLane0(Wave *wave, uint64_t lane, uint32_t site) {
  LoopFrame *frame;
  if (site) {
    frame = deviceLoad<LoopFrame *>(wave, lane, 0);
  } else {
    frame = static_cast<LoopFrame *>(__cilk2gpu_device_frame(wave));
    deviceWrite(frame, {0, deviceLoad<int64_t *>(wave, lane, 1), deviceLoad<int32_t>(wave, lane, 0), 0});
  }
  for (int32_t next = deviceRead(&frame->next); next < frame->n; ++next)
    if (!deviceSpawn(wave, 0, next, &frame->sum)) {
      deviceWrite(&frame->next, next);
      return __cilk2gpu_device_yield(wave, frame, 1);
    }
  __cilk2gpu_device_publish(wave, 1, frame);
}

void loopLane1(Wave *wave, uint64_t lane, uint32_t) {
  LoopFrame *frame = deviceLoad<LoopFrame *>(wave, lane, 0);
  deviceWrite(deviceRead(&frame->result), deviceRead(&frame->sum));
  __cilk2gpu_device_tfree(wave, frame);
}

static const KernelRecord loopKernels[] = {
    onDevices("loop:0", loopStart, resumeLanes<LoopFrame, loopSpawn>, loopLane0, "loop_0"),
    onDevices("loop:1", loopEnd, nullptr, loopLane1, "loop_1")};
TaskRecord loopTask = {.name = "loop",
                       .fields = argumentAndResult,
                       .kernels = loopKernels,
                       .targets = loopTargets,
                       .frameSize = sizeof(LoopFrame),
                       .frameAlign = alignof(LoopFrame),
                       .numFields = 2,
                       .numKernels = 2,
                       .numTargets = 1};

static Expected loopPlain(int32_t n) { return {int64_t(n) * (n - 1) / 2 * 3, uint64_t(n) + 1, 1}; }
const Program loop = {"loop", &loopTask, loopPlain};

// chain(n) = n == 0 ? 0 : spawn chain(n - 1) + 1

struct ChainFrame {
  int64_t below, *result;
};

static void chainStart(Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    int32_t n = load<int32_t>(wave, lane, 0);
    int64_t *result = load<int64_t *>(wave, lane, 1);
    if (n == 0) {
      *result = 0;
      continue;
    }
    ChainFrame *frame = takeFrame<ChainFrame>(wave);
    frame->result = result;
    if (spawn(wave, 0, n - 1, &frame->below)) {
      sync(wave, frame, 1);
    } else {
      frame->below = n - 1;
      yield(wave, frame, 7);
    }
  }
}

static void chainAgain(Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    ChainFrame *frame = load<ChainFrame *>(wave, lane, 0);
    if (spawn(wave, 0, int32_t(frame->below), &frame->below))
      sync(wave, frame, 1);
    else
      yield(wave, frame, load<uint32_t>(wave, lane, 1));
  }
}

static void chainAdd(Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    ChainFrame *frame = load<ChainFrame *>(wave, lane, 0);
    *frame->result = frame->below + 1;
    giveFrame(wave, frame);
  }
}

extern TaskRecord chainTask;
static TaskRecord *const chainTargets[] = {&chainTask};
static const KernelRecord chainKernels[] = {{.name = "chain:0", .run = chainStart, .resume = chainAgain},
                                            {.name = "chain:1", .run = chainAdd}};
TaskRecord chainTask = {.name = "chain",
                        .fields = argumentAndResult,
                        .kernels = chainKernels,
                        .targets = chainTargets,
                        .frameSize = sizeof(ChainFrame),
                        .frameAlign = alignof(ChainFrame),
                        .numFields = 2,
                        .numKernels = 2,
                        .numTargets = 1};

static Expected chainPlain(int32_t n) { return {n, uint64_t(n) + 1, uint64_t(n)}; }
const Program chain = {"chain", &chainTask, chainPlain};

// left(n) = n <= 0 ? 1 : 3 * spawn right(n - 1) + spawn left(n - 2); right(n) = n <= 0 ? 2 : spawn left(n - 1) - spawn
// right(n - 3). Both frames are larger and stricter in alignment than they need to be.

struct alignas(128) MutualFrame {
  int64_t x, y, *result;
  int32_t n;
};

template <int32_t Second, bool FirstIsLeft> static void mutualSpawn(Wave *wave, MutualFrame *frame, uint32_t site) {
  // Target 0 is left, 1 is right.
  if (site == 0 && !spawn(wave, FirstIsLeft ? 0 : 1, frame->n - 1, &frame->x))
    return yield(wave, frame, 0);
  if (!spawn(wave, FirstIsLeft ? 1 : 0, frame->n - Second, &frame->y))
    return yield(wave, frame, 1);
  sync(wave, frame, 1);
}

template <void (*Spawn)(Wave *, MutualFrame *, uint32_t), int64_t Base> static void mutualStart(Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    int32_t n = load<int32_t>(wave, lane, 0);
    int64_t *result = load<int64_t *>(wave, lane, 1);
    if (n <= 0) {
      *result = Base;
      continue;
    }
    MutualFrame *frame = takeFrame<MutualFrame>(wave);
    if (reinterpret_cast<uintptr_t>(frame) % alignof(MutualFrame))
      __builtin_trap();
    frame->result = result;
    frame->n = n;
    Spawn(wave, frame, 0);
  }
}

template <int64_t X, int64_t Y> static void mutualEnd(Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    MutualFrame *frame = load<MutualFrame *>(wave, lane, 0);
    *frame->result = X * frame->x + Y * frame->y;
    giveFrame(wave, frame);
  }
}

extern TaskRecord leftTask, rightTask;
static TaskRecord *const mutualTargets[] = {&leftTask, &rightTask};
static const KernelRecord leftKernels[] = {{.name = "left:0",
                                            .run = mutualStart<mutualSpawn<2, false>, 1>,
                                            .resume = resumeLanes<MutualFrame, mutualSpawn<2, false>>},
                                           {.name = "left:1", .run = mutualEnd<3, 1>}};
static const KernelRecord rightKernels[] = {{.name = "right:0",
                                             .run = mutualStart<mutualSpawn<3, true>, 2>,
                                             .resume = resumeLanes<MutualFrame, mutualSpawn<3, true>>},
                                            {.name = "right:1", .run = mutualEnd<1, -1>}};
TaskRecord leftTask = {.name = "left",
                       .fields = argumentAndResult,
                       .kernels = leftKernels,
                       .targets = mutualTargets,
                       .frameSize = sizeof(MutualFrame),
                       .frameAlign = alignof(MutualFrame),
                       .numFields = 2,
                       .numKernels = 2,
                       .numTargets = 2};
TaskRecord rightTask = {.name = "right",
                        .fields = argumentAndResult,
                        .kernels = rightKernels,
                        .targets = mutualTargets,
                        .frameSize = sizeof(MutualFrame),
                        .frameAlign = alignof(MutualFrame),
                        .numFields = 2,
                        .numKernels = 2,
                        .numTargets = 2};

static Expected mutualPlain(int32_t n, bool left) {
  if (n <= 0)
    return {left ? 1 : 2, 1, 0};
  Expected x = mutualPlain(n - 1, !left), y = mutualPlain(n - (left ? 2 : 3), left);
  return {left ? 3 * x.result + y.result : x.result - y.result, x.tasks + y.tasks + 1, x.resumed + y.resumed + 1};
}
const Program mutual = {"mutual", &leftTask, [](int32_t n) { return mutualPlain(n, true); }};

// rounds(n): for (a = n, r = 0; r <= n % 3; ++r) { x = spawn rounds(n - 1 - r); y = spawn rounds(n - 2); sync;
// a = 31 * a + x - y; } return a; with rounds(n <= 0) = n

struct RoundsFrame {
  int64_t x, y, a, *result;
  int32_t n, round;
};

static void roundsSpawn(Wave *wave, RoundsFrame *frame, uint32_t site) {
  if (site == 0 && !spawn(wave, 0, frame->n - 1 - frame->round, &frame->x))
    return yield(wave, frame, 0);
  if (!spawn(wave, 0, frame->n - 2, &frame->y))
    return yield(wave, frame, 1);
  sync(wave, frame, 1);
}

static void roundsStart(Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    int32_t n = load<int32_t>(wave, lane, 0);
    int64_t *result = load<int64_t *>(wave, lane, 1);
    if (n <= 0) {
      *result = n;
      continue;
    }
    RoundsFrame *frame = takeFrame<RoundsFrame>(wave);
    *frame = {0, 0, n, result, n, 0};
    roundsSpawn(wave, frame, 0);
  }
}

static void roundsNext(Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    RoundsFrame *frame = load<RoundsFrame *>(wave, lane, 0);
    frame->a = 31 * frame->a + frame->x - frame->y;
    if (++frame->round <= frame->n % 3) {
      roundsSpawn(wave, frame, 0);
      continue;
    }
    *frame->result = frame->a;
    giveFrame(wave, frame);
  }
}

extern TaskRecord roundsTask;
static TaskRecord *const roundsTargets[] = {&roundsTask};
static const KernelRecord roundsKernels[] = {
    {.name = "rounds:0", .run = roundsStart, .resume = resumeLanes<RoundsFrame, roundsSpawn>},
    {.name = "rounds:1", .run = roundsNext, .resume = resumeLanes<RoundsFrame, roundsSpawn>}};
TaskRecord roundsTask = {.name = "rounds",
                         .fields = argumentAndResult,
                         .kernels = roundsKernels,
                         .targets = roundsTargets,
                         .frameSize = sizeof(RoundsFrame),
                         .frameAlign = alignof(RoundsFrame),
                         .numFields = 2,
                         .numKernels = 2,
                         .numTargets = 1};

static Expected roundsPlain(int32_t n) {
  if (n <= 0)
    return {n, 1, 0};
  Expected all = {n, 1, 0};
  for (int32_t round = 0; round <= n % 3; ++round) {
    Expected x = roundsPlain(n - 1 - round), y = roundsPlain(n - 2);
    all = {31 * all.result + x.result - y.result, all.tasks + x.tasks + y.tasks,
           all.resumed + x.resumed + y.resumed + 1};
  }
  return all;
}
const Program syncInLoop = {"syncInLoop", &roundsTask, roundsPlain};

// segments(n): x = spawn segments(n - 1); sync; if (x % 2) { y = spawn segments(n - 2); sync; x = 5 * x + y; } return
// x + 1; with segments(n <= 0) = 3

struct SegmentsFrame {
  int64_t x, y, *result;
  int32_t n;
};

static void segmentsFirst(Wave *wave, SegmentsFrame *frame, uint32_t) {
  if (!spawn(wave, 0, frame->n - 1, &frame->x))
    return yield(wave, frame, 0);
  sync(wave, frame, 1);
}

static void segmentsStart(Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    int32_t n = load<int32_t>(wave, lane, 0);
    int64_t *result = load<int64_t *>(wave, lane, 1);
    if (n <= 0) {
      *result = 3;
      continue;
    }
    SegmentsFrame *frame = takeFrame<SegmentsFrame>(wave);
    *frame = {0, 0, result, n};
    segmentsFirst(wave, frame, 0);
  }
}

static void segmentsSecond(Wave *wave, SegmentsFrame *frame, uint32_t) {
  if (!spawn(wave, 0, frame->n - 2, &frame->y))
    return yield(wave, frame, 0);
  sync(wave, frame, 2);
}

static void segmentsMiddle(Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    SegmentsFrame *frame = load<SegmentsFrame *>(wave, lane, 0);
    if (frame->x % 2) {
      segmentsSecond(wave, frame, 0);
      continue;
    }
    *frame->result = frame->x + 1;
    giveFrame(wave, frame);
  }
}

static void segmentsEnd(Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    SegmentsFrame *frame = load<SegmentsFrame *>(wave, lane, 0);
    *frame->result = 5 * frame->x + frame->y + 1;
    giveFrame(wave, frame);
  }
}

extern TaskRecord segmentsTask;
static TaskRecord *const segmentsTargets[] = {&segmentsTask};
static const KernelRecord segmentsKernels[] = {
    {.name = "segments:0", .run = segmentsStart, .resume = resumeLanes<SegmentsFrame, segmentsFirst>},
    {.name = "segments:1", .run = segmentsMiddle, .resume = resumeLanes<SegmentsFrame, segmentsSecond>},
    {.name = "segments:2", .run = segmentsEnd}};
TaskRecord segmentsTask = {.name = "segments",
                           .fields = argumentAndResult,
                           .kernels = segmentsKernels,
                           .targets = segmentsTargets,
                           .frameSize = sizeof(SegmentsFrame),
                           .frameAlign = alignof(SegmentsFrame),
                           .numFields = 2,
                           .numKernels = 3,
                           .numTargets = 1};

static Expected segmentsPlain(int32_t n) {
  if (n <= 0)
    return {3, 1, 0};
  Expected all = segmentsPlain(n - 1);
  all.tasks += 1;
  all.resumed += 1;
  if (all.result % 2) {
    Expected y = segmentsPlain(n - 2);
    all = {5 * all.result + y.result, all.tasks + y.tasks, all.resumed + y.resumed + 1};
  }
  all.result += 1;
  return all;
}
const Program twoSyncs = {"twoSyncs", &segmentsTask, segmentsPlain};

} // namespace cilk2gpu::test
