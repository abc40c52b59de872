// See BlockJobs.h.
#include "blocks/gpu/BlockJobs.h"
#include "blocks/gpu/GpuBlocks.h"
#include "executors/gpu/Driver.h"
#include "process/Message.h"
#include "process/Settings.h"

#include <algorithm>

namespace cilk2gpu::rt {

using device::BlockForm;
using device::Machine;
using JobOrder = device::BlockOrder;
using LevelQueue = device::LevelQueue<Machine>;

static constexpr char kQueue[] = "the queue of ready blocks";

static void setExtents(uint32_t (&extents)[3], const dim3 &values) {
  extents[0] = values.x;
  extents[1] = values.y;
  extents[2] = values.z;
}

BlockJobs::BlockJobs(BlockRun &run, uint32_t groups)
    : run(run), groups(uint32_t(std::min<uint64_t>(groups, run.launch.graph.nodes))) {
  const BlockLaunch &launch = run.launch;
  chooseFunction();
  job.kernel = launch.placed ? job.function : launch.kernel; // the IR's kernel is the function itself
  setExtents(job.grid, launch.grid);
  setExtents(job.block, launch.block);
  job.threads = launch.groupThreads();
  job.numGroups = this->groups;
  job.rows = {.starts = launch.graph.starts, .children = launch.graph.children, .parents = launch.graph.parents};
  chooseOrder();
  if (run.isCounting && run.levels.of) {
    job.levelOf = run.levels.of;
    job.runningLevels = run.memory.zeroed<uint32_t>(this->groups, "levels of workgroups");
  }
}

void BlockJobs::chooseFunction() {
  const BlockLaunch &launch = run.launch;
  job.context = launch.arguments;
  if (launch.thread) {
    job.form = BlockForm::Threads;
    job.function = reinterpret_cast<const void *>(launch.thread);
  } else if (launch.placed) {
    job.form = BlockForm::Placed;
    job.function = reinterpret_cast<const void *>(launch.placed);
  } else if (launch.node) {
    job.form = BlockForm::Node;
    job.function = reinterpret_cast<const void *>(launch.node);
  } else {
    job.form = BlockForm::Whole;
    job.function = reinterpret_cast<const void *>(launch.run);
    job.context = launch.context;
  }
}

void BlockJobs::chooseOrder() {
  const BlockGraph &graph = run.launch.graph;
  bool isLaunched = settings().blocks != BlockLaunches::Persistent;
  if (!run.levels.of && (isLaunched || run.launch.policy.kind == WF::LVL))
    run.levels = findLevels(run.memory, graph);
  if (isLaunched) {
    job.order = JobOrder::Launches;
    order = orderByLevel(run.memory, graph, run.levels);
    job.byLevel = order.nodes;
  } else if (run.launch.policy.kind == WF::LVL) {
    job.order = JobOrder::Levels;
    addLevels();
  } else {
    job.order = JobOrder::Ready;
    uint32_t *slots = run.memory.zeroed<uint32_t>(graph.nodes, kQueue);
    uint64_t numReady = 0;
    for (uint64_t node = 0; node < graph.nodes; ++node)
      if (!graph.parents[node])
        slots[numReady++] = uint32_t(node + 1);
    job.ready.initialise(graph.nodes, slots, numReady);
    run.counters.mostReady = numReady;
  }
}

/// Makes the slots of the levels. The blocks of level 0 are ready.
void BlockJobs::addLevels() {
  const BlockGraph &graph = run.launch.graph;
  uint64_t count = run.levels.count;
  LevelQueue::Setup setup = {.numLevels = count,
                             .bound = run.launch.policy.bound,
                             .levelOf = run.levels.of,
                             .firstSlot = nullptr,
                             .slots = run.memory.zeroed<uint32_t>(graph.nodes, kQueue),
                             .levels = run.memory.zeroed<LevelQueue::Level>(count, kQueue)};
  uint64_t *first = run.memory.zeroed<uint64_t>(count + 1, kQueue);
  for (uint64_t node = 0; node < graph.nodes; ++node) {
    uint32_t level = run.levels.of[node];
    if (!level)
      setup.slots[setup.levels[0].pushed++] = uint32_t(node + 1);
    ++setup.levels[level].left;
  }
  for (uint64_t level = 0; level < count; ++level)
    first[level + 1] = first[level] + setup.levels[level].left;
  setup.firstSlot = first;
  job.levels.initialise(setup);
}

uint32_t BlockJobs::prepare(uint64_t launch) {
  if (!order.nodes)
    return groups;
  job.next = order.firstOfLevel[launch];
  job.end = order.firstOfLevel[launch + 1];
  return uint32_t(std::min<uint64_t>(groups, job.end - job.next));
}

void BlockJobs::addResults(const device::BlockJob &other) {
  job.numRun += other.numRun;
  job.unknown = job.unknown ? job.unknown : other.unknown;
  job.mostReady = std::max(job.mostReady, other.mostReady);
  job.levelRange = std::max(job.levelRange, other.levelRange);
}

uint64_t boundOfBlocksOnGpu(const BlockRun &run) {
  const uint64_t nodes = run.launch.graph.nodes, levels = run.levels.count;
  // Slots of queues, levels of workgroups and the order of launches; then what each level needs.
  const uint64_t copies = settings().blocks == BlockLaunches::Graph ? levels : 0;
  return BlockMemory::boundOf<BlockJobCopy>(copies) + BlockMemory::boundOf<device::KernelSequence::Step>(copies) +
         3 * BlockMemory::boundOf<uint32_t>(nodes) + BlockMemory::boundOf<LevelQueue::Level>(levels) +
         2 * BlockMemory::boundOf<uint64_t>(levels + 2);
}

void BlockJobs::finish() {
  if (job.numRun != run.launch.graph.nodes)
    internalError("%llu of %llu blocks ran on a GPU", (unsigned long long)job.numRun,
                  (unsigned long long)run.launch.graph.nodes);
  run.counters.blocks = job.numRun;
  run.counters.mostReady = std::max(run.counters.mostReady, job.mostReady);
  run.counters.levelRange = job.levelRange;
}

} // namespace cilk2gpu::rt
