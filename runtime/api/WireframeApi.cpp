// The functions behind <cilk2gpu/Wireframe.h>. A launch is checked, its graph is built and checked, and then a machine
// runs it. Nothing runs before the whole graph is known to be right.
#include "api/BlockMachines.h"
#include "api/Host.h"
#include "api/OffsetsLaunch.h"
#include "api/RecordLaunch.h"
#include "api/Watchdog.h"
#include "blocks/BlockObserver.h"
#include "blocks/BlockReport.h"
#include "blocks/BlockThreads.h"
#include "blocks/BlockWorkers.h"
#include "blocks/OffsetGraph.h"
#include "process/HostEnvironment.h"
#include "process/Lock.h"
#include "process/Message.h"
#include "process/Settings.h"
#include "process/TaskScope.h"

#include <new>

namespace cilk2gpu::rt {
namespace {

using wf::detail::Arrays;
using wf::detail::BlockFunction;
using wf::detail::MappingFunction;
using wf::detail::PolicyChoice;

pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER; ///< launches of several host threads take turns
thread_local bool isMapping = false;              ///< this thread runs a mapping function

unsigned long long wide(uint64_t value) { return value; }

// A forking thread takes the turn, so that no launch of another thread is under way in the child. A thread that runs a
// block does not: the launch cannot go on in the child. A thread that has the turn may be in a driver that forks.
thread_local bool isTurnForFork = false, hasTurn = false;

void beforeFork() {
  isTurnForFork = !insideTask() && !hasTurn;
  if (isTurnForFork)
    pthread_mutex_lock(&turn);
  lockObservers();
}

void afterFork() {
  unlockObservers();
  if (isTurnForFork)
    pthread_mutex_unlock(&turn);
}

void takeTurn() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, [] {
    if (pthread_atfork(beforeFork, afterFork, afterFork) != 0)
      fatal("out of memory: fork handlers could not be installed");
  });
  pthread_mutex_lock(&turn);
  hasTurn = true;
}

void endTurn() {
  hasTurn = false;
  pthread_mutex_unlock(&turn);
}

/// A launch on this thread: its machine, and the turn if it needs one. A launch inside a task or a block runs as its
/// elision, on the thread that the task has.
class Turn {
public:
  explicit Turn() : isInside(insideTask()), machine(choose(isInside)) {
    if (!isInside)
      takeTurn();
    if (machine.device == Device::Hip || machine.device == Device::Cuda)
      startedGpu(); // opens the device, which is no part of a launch's time
  }
  ~Turn() {
    if (!isInside)
      endTurn();
  }
  Turn(const Turn &) = delete;

  const bool isInside;
  const BlockMachine &machine;

private:
  static const BlockMachine &choose(bool isInside);
};

const BlockMachine &Turn::choose(bool isInside) {
  if (isMapping)
    fatal("a mapping function launched blocks; it only names parents: call wf::launch before or behind the launch that "
          "it belongs to");
  if (isInside)
    return *findBlockMachine(Device::Serial);
  Device asked = settings().device, device = asked == Device::Auto ? Device::Native : asked;
  const BlockMachine *machine = findBlockMachine(device);
  if (machine)
    return *machine;
  internalError("thread blocks cannot run on CILK2GPU_DEVICE=%s", deviceName(device));
}

/// Returns the number of threads of a block; 0: the block has none.
uint32_t threadsOf(dim3 block) {
  if (!block.x || !block.y || !block.z)
    return 0;
  // No product of two overflows 64 bits.
  uint64_t plane = uint64_t(block.x) * block.y;
  if (plane > tunables::kMaxBlockThreads || plane * block.z > tunables::kMaxBlockThreads)
    fatal("a block has at most %u threads; (%u, %u, %u) were asked for: let each thread do more, or launch more blocks",
          tunables::kMaxBlockThreads, block.x, block.y, block.z);
  return uint32_t(plane * block.z);
}

/// Returns the number of blocks of a grid; 0: it has none.
uint64_t blocksOf(dim3 grid) {
  if (!grid.x || !grid.y || !grid.z)
    return 0;
  uint64_t plane = uint64_t(grid.x) * grid.y;
  if (plane > kMostBlocks || plane * grid.z > kMostBlocks)
    fatal("a grid has at most %llu blocks; (%u, %u, %u) were asked for: let each block do more", wide(kMostBlocks),
          grid.x, grid.y, grid.z);
  return plane * grid.z;
}

BlockPolicy policyOf(const PolicyChoice &choice) {
  if (!choice.isGiven)
    return {};
  checkPolicy(choice);
  return {.kind = choice.policy, .bound = choice.policy == WF::LVL ? uint64_t(choice.bound) : 0};
}

/// The policy that a mapping function asks for, as far as the compiler has found it.
PolicyChoice policyOf(const abi::BlockLinksRecord &links) {
  return {.policy = links.order == abi::OrderKind::Levels ? WF::LVL : WF::LRR,
          .bound = links.bound,
          .isGiven = links.isPolicyGiven != 0};
}

/// Returns how workers share blocks. Schedules other than the usual one share all of them, in pieces of any size.
BlockSharing sharingOf(const Settings &settings) {
  if (settings.schedule == Schedule::RoundRobin)
    return {};
  return {.above = 0,
          .piece = 1 + uint32_t(settings.seed % 8),
          .taken = 1 + uint32_t(settings.seed % 8),
          .inLanes = settings.seed / 8 % 2 == 1};
}

/// The observer of a launch, if there is to be one.
class Observed {
public:
  Observed(const BlockLaunch &launch, const BlockMachine &machine, const BlockLevels &levels)
      : launch(&launch),
        isSeen(machine.isObserved && (settings().trace || settings().watchdog || settings().reportSignal)) {
    if (!isSeen)
      return;
    if (settings().trace)
      recordBlocks(tunables::kTraceEvents);
    this->launch = &(new (storage) BlockObserver(launch, machine.device, levels))->launch();
    startWatchdog(settings(), nullptr);
  }
  ~Observed() {
    if (isSeen)
      std::launder(reinterpret_cast<BlockObserver *>(storage))->~BlockObserver();
  }
  Observed(const Observed &) = delete;

  const BlockLaunch *launch;

private:
  const bool isSeen;
  alignas(BlockObserver) unsigned char storage[sizeof(BlockObserver)];
};

/// Checks the graph and runs its blocks. `start` is the time at which the launch began. `isMapped` is true if distances
/// have replaced a mapping function.
void runLaunch(const Turn &own, BlockMemory &memory, const BlockLaunch &launch, const BlockFunction &kernel,
               uint64_t start, bool isMapped = false) {
  bool isCounting = settings().statistics != nullptr, isTracing = settings().trace != nullptr;
  const BlockGraph &graph = launch.graph;
  BlockLevels levels;
  const bool needsLevels = launch.policy.kind == WF::LVL && !own.machine.findsLevels;
  if (!graph.isAscending || own.machine.needsLevels || needsLevels || isCounting || isTracing)
    levels = findLevels(memory, graph);
  if (kernel.thrown && !graph.isAscending)
    kernel.thrown->levels = levels.of;
  const Observed observed(launch, own.machine, levels);
  BlockRun run = {.launch = *observed.launch,
                  .memory = memory,
                  .levels = levels,
                  .workers = settings().workers,
                  .isCounting = isCounting,
                  .counters = {},
                  .sharing = sharingOf(settings())};
  uint64_t built = hostClock();
  own.machine.run(run);
  if (!isCounting)
    return;
  const BlockReportCounters counters = {.launches = 1,
                                        .compiled_launches = isOfRecord(kernel),
                                        .mapped_launches = isMapped,
                                        .blocks_run = run.counters.blocks,
                                        .levels = run.levels.count,
                                        .ready_high_water = run.counters.mostReady,
                                        .level_range = run.counters.levelRange,
                                        .build_time = built - start,
                                        .run_time = hostClock() - built,
                                        .memory_bound = boundOfLaunch(run, own.machine.bound(run)),
                                        .memory_high_water = memory.highWater()};
  reportBlocks({.kernel = kernel.kernel,
                .device = own.machine.device,
                .policy = launch.policy,
                .nodes = graph.nodes,
                .edges = graph.edges,
                .threads = launch.threads},
               counters, run.dats);
}

/// Parts of a mapping function's work, which workers take one after another.
struct Parts {
  void (*work)(void *context, uint64_t part);
  void *context;
  uint64_t count, next;
};

void takeParts(void *job, uint32_t) {
  Parts &parts = *static_cast<Parts *>(job);
  isMapping = true;
  // Relaxed: it only gives each part to one worker. BlockWorkers orders what parts write before the launch goes on.
  for (uint64_t part; (part = __atomic_fetch_add(&parts.next, 1, __ATOMIC_RELAXED)) < parts.count;)
    parts.work(parts.context, part);
  isMapping = false;
}

/// `context` is the turn of the launch.
void runParts(void *context, void (*work)(void *, uint64_t), void *workContext, uint64_t count) {
  const Turn &own = *static_cast<const Turn *>(context);
  uint64_t workers = own.machine.device == Device::Serial ? 1 : settings().workers;
  Parts parts = {.work = work, .context = workContext, .count = count, .next = 0};
  blockWorkers().run(takeParts, &parts, uint32_t(workers < count ? workers : count));
}

} // namespace

void runBlocksOnStartedGpu(BlockRun &run) {
  device::Gpu &gpu = *startedGpu();
  HostTurn turn; // tasks and blocks use the GPU one after the other
  runBlocksOnGpu(run, gpu);
}

} // namespace cilk2gpu::rt

using namespace cilk2gpu::rt;

void wf::detail::launchGrid(dim3 grid, dim3 block, const MappingFunction &links, const BlockFunction &kernel) {
  uint32_t threads = threadsOf(block);
  if (!kernel.kernel)
    fatal("a launch of blocks got a null pointer instead of a kernel");
  if (!links.run)
    fatal("a launch of blocks got a null pointer instead of a mapping function; pass a function, or []{} for blocks "
          "without parents");
  if (!blocksOf(grid) || !threads)
    return;
  const cilk2gpu::abi::BlockLinksRecord *known = findLinkDistances(links.address);
  if (known && holdFor(*known, grid))
    return launchOffsets({.grid = grid,
                          .block = block,
                          .offsets = known->offsets,
                          .numOffsets = known->numOffsets,
                          .policy = policyOf(*known),
                          .isOfFunction = true},
                         kernel);
  startHost();
  Turn own;
  BlockMemory memory;
  uint64_t start = hostClock();
  PolicyChoice policy;
  BlockGraph graph = buildFromLinks(memory, grid, block, links, policy, runParts, &own, own.machine.takesOffsets);
  if (links.thrown && links.thrown->isAny())
    return;
  const BlockLaunch launch = {.graph = graph,
                              .policy = policyOf(policy),
                              .threads = threads,
                              .run = kernel.run,
                              .context = kernel.context,
                              .name = nullptr,
                              .forms = formsOf(kernel),
                              .thread = kernel.thread,
                              .node = kernel.node,
                              .placed = kernel.placed,
                              .arguments = kernel.arguments,
                              .kernel = kernel.kernel,
                              .grid = grid,
                              .block = block};
  runLaunch(own, memory, launch, kernel, start);
}

void wf::detail::launchArrays(uint64_t nodes, const Arrays &arrays, const PolicyChoice &policy, dim3 block,
                              const BlockFunction &kernel) {
  uint32_t threads = threadsOf(block);
  if (!kernel.kernel)
    fatal("a launch of blocks got a null pointer instead of a kernel");
  if (nodes > kMostBlocks)
    fatal("a graph has at most %llu nodes; %llu were given: let each node do more", wide(kMostBlocks), wide(nodes));
  BlockPolicy checked = policyOf(policy);
  if (!nodes || !threads)
    return;
  startHost();
  Turn own;
  BlockMemory memory;
  uint64_t start = hostClock();
  const bool countsLater =
      own.machine.countsParents && !settings().statistics && settings().schedule == Schedule::RoundRobin;
  BlockGraph graph = buildFromArrays(memory, nodes, arrays, countsLater);
  const BlockLaunch launch = {.graph = graph,
                              .policy = checked,
                              .threads = threads,
                              .run = kernel.run,
                              .context = kernel.context,
                              .name = nullptr,
                              .forms = formsOf(kernel),
                              .thread = kernel.thread,
                              .node = kernel.node,
                              .placed = kernel.placed,
                              .arguments = kernel.arguments,
                              .kernel = kernel.kernel,
                              .grid = dim3(unsigned(nodes)),
                              .block = block};
  runLaunch(own, memory, launch, kernel, start);
}

void cilk2gpu::rt::launchOffsets(const OffsetsLaunch &offsets, const BlockFunction &kernel) {
  uint32_t threads = threadsOf(offsets.block);
  BlockPolicy policy = policyOf(offsets.policy);
  if (!blocksOf(offsets.grid) || !threads)
    return;
  startHost();
  Turn own;
  BlockMemory memory;
  uint64_t start = hostClock();
  BlockGraph graph = buildFromOffsets(memory, offsets.grid, offsets.offsets, offsets.numOffsets);
  if (!own.machine.takesOffsets)
    graph = withRows(memory, graph);
  const BlockLaunch launch = {.graph = graph,
                              .policy = policy,
                              .threads = threads,
                              .run = kernel.run,
                              .context = kernel.context,
                              .name = nullptr,
                              .forms = formsOf(kernel),
                              .thread = kernel.thread,
                              .node = kernel.node,
                              .placed = kernel.placed,
                              .arguments = kernel.arguments,
                              .kernel = kernel.kernel,
                              .grid = offsets.grid,
                              .block = offsets.block};
  runLaunch(own, memory, launch, kernel, start, offsets.isOfFunction);
}

extern "C" void wf_launch_graph(uint64_t nodes, const uint64_t *starts, const uint32_t *children,
                                void (*block)(uint64_t node, void *args), void *args) {
  struct Call {
    void (*block)(uint64_t, void *);
    void *args;
  } call = {block, args};
  const Arrays arrays = {.starts = starts,
                         .children = children,
                         .numStarts = Arrays::kUnknown,
                         .numChildren = Arrays::kUnknown,
                         .startBytes = 8,
                         .childBytes = 4,
                         .areStartsSigned = false,
                         .areChildrenSigned = false};
  auto run = [](void *context, uint64_t node) {
    const Call &call = *static_cast<const Call *>(context);
    call.block(node, call.args);
  };
  const BlockFunction kernel = {.run = run,
                                .context = &call,
                                .kernel = reinterpret_cast<const void *>(block),
                                .thread = nullptr,
                                .node = block,
                                .placed = nullptr,
                                .arguments = args};
  wf::detail::launchArrays(nodes, arrays, {}, dim3(), kernel);
}
