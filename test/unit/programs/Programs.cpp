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

/// Fresh elements of a task with two cases. `Frame::base` gives `result` its value in the case without a frame, or
/// returns false. Else the lane gets a frame, which `Frame::begin` makes, and runs the segment.
template <typename Frame, void (*Segment)(Wave *, Frame *, uint32_t)> static void startLanes(Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    int32_t n = load<int32_t>(wave, lane, 0);
    int64_t *result = load<int64_t *>(wave, lane, 1);
    if (Frame::base(n, *result))
      continue;
    Frame *frame = takeFrame<Frame>(wave);
    Frame::begin(*frame, n, result);
    Segment(wave, frame, 0);
  }
}

/// The last kernel of a task: each lane has a result, and gives its frame back.
template <typename Frame, int64_t (*Value)(const Frame &)> static void endLanes(Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    Frame *frame = load<Frame *>(wave, lane, 0);
    *frame->result = Value(*frame);
    giveFrame(wave, frame);
  }
}

/// A task with an argument, a result and frames. Its record is a constant.
template <typename Frame, uint32_t NumKernels, uint32_t NumTargets>
static constexpr TaskRecord taskWith(const char *name, const KernelRecord (&kernels)[NumKernels],
                                     TaskRecord *const (&targets)[NumTargets], const char *location = nullptr) {
  return {.name = name,
          .location = location,
          .fields = argumentAndResult,
          .kernels = kernels,
          .targets = targets,
          .frameSize = sizeof(Frame),
          .frameAlign = alignof(Frame),
          .numFields = 2,
          .numKernels = NumKernels,
          .numTargets = NumTargets};
}

// fib(n) = n <= 2 ? 1 : spawn fib(n - 1) + spawn fib(n - 2)

struct FibFrame {
  int64_t x, y, *result;
  int32_t n;

  static bool base(int32_t n, int64_t &result) { return n <= 2 && (result = 1); }
  static void begin(FibFrame &frame, int32_t n, int64_t *result) { frame = {0, 0, result, n}; }
  static int64_t sum(const FibFrame &frame) { return frame.x + frame.y; }
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
    onDevices("fib.k0", startLanes<FibFrame, fibSpawn>, resumeLanes<FibFrame, fibSpawn>, fibLane0, "fib_0"),
    onDevices("fib.k1", endLanes<FibFrame, FibFrame::sum>, nullptr, fibLane1, "fib_1")};
constinit TaskRecord fibTask = taskWith<FibFrame>("fib", fibKernels, fibTargets, "fib.c:1:1");

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

  static bool base(int32_t, int64_t &) { return false; }
  static void begin(LoopFrame &frame, int32_t n, int64_t *result) { frame = {0, result, n, 0}; }
  static int64_t getSum(const LoopFrame &frame) { return frame.sum; }
};

static void loopSpawn(Wave *wave, LoopFrame *frame, uint32_t) {
  for (; frame->next < frame->n; ++frame->next)
    if (!spawn(wave, 0, frame->next, &frame->sum))
      return yield(wave, frame, 0);
  sync(wave, frame, 1);
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

static const KernelRecord childKernels[] = {onDevices("child.k0", childRun, nullptr, childLane0, "child_0")};
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
    onDevices("loop.k0", startLanes<LoopFrame, loopSpawn>, resumeLanes<LoopFrame, loopSpawn>, loopLane0, "loop_0"),
    onDevices("loop.k1", endLanes<LoopFrame, LoopFrame::getSum>, nullptr, loopLane1, "loop_1")};
constinit TaskRecord loopTask = taskWith<LoopFrame>("loop", loopKernels, loopTargets);

static Expected loopPlain(int32_t n) { return {int64_t(n) * (n - 1) / 2 * 3, uint64_t(n) + 1, 1}; }
const Program loop = {"loop", &loopTask, loopPlain};

// chain(n) = n == 0 ? 0 : spawn chain(n - 1) + 1

struct ChainFrame {
  int64_t below, *result; ///< below: the child's argument, then its result

  static bool base(int32_t n, int64_t &result) { return n == 0 && (result = 0, true); }
  static void begin(ChainFrame &frame, int32_t n, int64_t *result) { frame = {n - 1, result}; }
  static int64_t next(const ChainFrame &frame) { return frame.below + 1; }
};

static constexpr uint32_t kChainSite = 7; ///< sites are any numbers

static void chainSpawn(Wave *wave, ChainFrame *frame, uint32_t) {
  if (spawn(wave, 0, int32_t(frame->below), &frame->below))
    sync(wave, frame, 1);
  else
    yield(wave, frame, kChainSite);
}

extern TaskRecord chainTask;
static TaskRecord *const chainTargets[] = {&chainTask};
static const KernelRecord chainKernels[] = {
    {.name = "chain.k0", .run = startLanes<ChainFrame, chainSpawn>, .resume = resumeLanes<ChainFrame, chainSpawn>},
    {.name = "chain.k1", .run = endLanes<ChainFrame, ChainFrame::next>}};
constinit TaskRecord chainTask = taskWith<ChainFrame>("chain", chainKernels, chainTargets);

static Expected chainPlain(int32_t n) { return {n, uint64_t(n) + 1, uint64_t(n)}; }
const Program chain = {"chain", &chainTask, chainPlain};

// left(n) = n <= 0 ? 1 : 3 * spawn right(n - 1) + spawn left(n - 2); right(n) = n <= 0 ? 2 : spawn left(n - 1) - spawn
// right(n - 3). Both frames are larger and stricter in alignment than they need to be.

struct alignas(128) MutualFrame {
  int64_t x, y, *result;
  int32_t n;

  static void begin(MutualFrame &frame, int32_t n, int64_t *result) {
    if (reinterpret_cast<uintptr_t>(&frame) % alignof(MutualFrame))
      __builtin_trap();
    frame.result = result;
    frame.n = n;
  }
};
struct LeftFrame : MutualFrame {
  static bool base(int32_t n, int64_t &result) { return n <= 0 && (result = 1); }
  static int64_t value(const LeftFrame &frame) { return 3 * frame.x + frame.y; }
};
struct RightFrame : MutualFrame {
  static bool base(int32_t n, int64_t &result) { return n <= 0 && (result = 2); }
  static int64_t value(const RightFrame &frame) { return frame.x - frame.y; }
};

/// Spawns the other function with n - 1, and the function itself with n - `second`. `target`: 0 is left, 1 is right.
static void mutualSpawn(Wave *wave, MutualFrame *frame, uint32_t site, uint32_t target, int32_t second) {
  if (site == 0 && !spawn(wave, 1 - target, frame->n - 1, &frame->x))
    return yield(wave, frame, 0);
  if (!spawn(wave, target, frame->n - second, &frame->y))
    return yield(wave, frame, 1);
  sync(wave, frame, 1);
}

static void leftSpawn(Wave *wave, LeftFrame *frame, uint32_t site) { mutualSpawn(wave, frame, site, 0, 2); }
static void rightSpawn(Wave *wave, RightFrame *frame, uint32_t site) { mutualSpawn(wave, frame, site, 1, 3); }

extern TaskRecord leftTask, rightTask;
static TaskRecord *const mutualTargets[] = {&leftTask, &rightTask};
static const KernelRecord leftKernels[] = {
    {.name = "left.k0", .run = startLanes<LeftFrame, leftSpawn>, .resume = resumeLanes<LeftFrame, leftSpawn>},
    {.name = "left.k1", .run = endLanes<LeftFrame, LeftFrame::value>}};
static const KernelRecord rightKernels[] = {
    {.name = "right.k0", .run = startLanes<RightFrame, rightSpawn>, .resume = resumeLanes<RightFrame, rightSpawn>},
    {.name = "right.k1", .run = endLanes<RightFrame, RightFrame::value>}};
constinit TaskRecord leftTask = taskWith<LeftFrame>("left", leftKernels, mutualTargets);
constinit TaskRecord rightTask = taskWith<RightFrame>("right", rightKernels, mutualTargets);

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

  static bool base(int32_t n, int64_t &result) { return n <= 0 && (result = n, true); }
  static void begin(RoundsFrame &frame, int32_t n, int64_t *result) { frame = {0, 0, n, result, n, 0}; }
};

static void roundsSpawn(Wave *wave, RoundsFrame *frame, uint32_t site) {
  if (site == 0 && !spawn(wave, 0, frame->n - 1 - frame->round, &frame->x))
    return yield(wave, frame, 0);
  if (!spawn(wave, 0, frame->n - 2, &frame->y))
    return yield(wave, frame, 1);
  sync(wave, frame, 1);
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
    {.name = "rounds.k0", .run = startLanes<RoundsFrame, roundsSpawn>, .resume = resumeLanes<RoundsFrame, roundsSpawn>},
    {.name = "rounds.k1", .run = roundsNext, .resume = resumeLanes<RoundsFrame, roundsSpawn>}};
constinit TaskRecord roundsTask = taskWith<RoundsFrame>("rounds", roundsKernels, roundsTargets);

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

  static bool base(int32_t n, int64_t &result) { return n <= 0 && (result = 3); }
  static void begin(SegmentsFrame &frame, int32_t n, int64_t *result) { frame = {0, 0, result, n}; }
  static int64_t last(const SegmentsFrame &frame) { return 5 * frame.x + frame.y + 1; }
};

static void segmentsFirst(Wave *wave, SegmentsFrame *frame, uint32_t) {
  if (!spawn(wave, 0, frame->n - 1, &frame->x))
    return yield(wave, frame, 0);
  sync(wave, frame, 1);
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

extern TaskRecord segmentsTask;
static TaskRecord *const segmentsTargets[] = {&segmentsTask};
static const KernelRecord segmentsKernels[] = {
    {.name = "segments.k0",
     .run = startLanes<SegmentsFrame, segmentsFirst>,
     .resume = resumeLanes<SegmentsFrame, segmentsFirst>},
    {.name = "segments.k1", .run = segmentsMiddle, .resume = resumeLanes<SegmentsFrame, segmentsSecond>},
    {.name = "segments.k2", .run = endLanes<SegmentsFrame, SegmentsFrame::last>}};
constinit TaskRecord segmentsTask = taskWith<SegmentsFrame>("segments", segmentsKernels, segmentsTargets);

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
