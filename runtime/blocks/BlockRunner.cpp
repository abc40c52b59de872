// Policies: alone (one worker), shared (LRR), bounded (LVL), and the elision.
#include "blocks/BlockRunner.h"
#include "blocks/BlockThreads.h"
#include "blocks/BlockWorkers.h"
#include "blocks/BoundedBlocks.h"
#include "blocks/SharedBlocks.h"

#include <algorithm>

namespace cilk2gpu::rt {

namespace {

/// One worker runs all blocks. The queue has each block once, so it never wraps around.
void runAlone(void *context, uint32_t) {
  BlockRun &run = *static_cast<BlockRun *>(context);
  const BlockLaunch &launch = run.launch;
  const BlockGraph &graph = launch.graph;
  BlockNamesScope names(graph.names);
  auto *ready = run.memory.array<uint32_t>(graph.nodes, "the queue of ready blocks");
  uint64_t head = 0, tail = 0, most = 0;
  for (uint64_t node = 0; node < graph.nodes; ++node)
    if (!graph.parents[node])
      ready[tail++] = uint32_t(node);
  while (head < tail) {
    most = std::max(most, tail - head);
    uint64_t node = ready[head++];
    launch.run(launch.context, node);
    for (uint64_t edge = graph.starts[node], end = graph.starts[node + 1]; edge < end; ++edge)
      if (uint32_t child = graph.children[edge]; --graph.parents[child] == 0)
        ready[tail++] = child;
  }
  run.counters.blocks = head;
  run.counters.mostReady = most;
}

template <class Blocks> void runTogether(BlockRun &run) {
  Blocks blocks(run);
  blockWorkers().run(
      [](void *job, uint32_t worker) {
        Blocks &blocks = *static_cast<Blocks *>(job);
        BlockNamesScope names(blocks.graph().names);
        blocks.work(worker);
      },
      &blocks, run.workers);
}

} // namespace

void runBlocks(BlockRun &run) {
  run.workers = uint32_t(std::min<uint64_t>(run.workers, run.launch.graph.nodes));
  if (run.workers <= 1)
    blockWorkers().run(runAlone, &run, 1);
  else if (run.launch.policy.kind == WF::LVL)
    runTogether<BoundedBlocks>(run);
  else
    runTogether<SharedBlocks>(run);
}

void runElidedBlocks(BlockRun &run) {
  BlockOrder order = orderByLevel(run.memory, run.launch.graph, run.levels);
  struct Elided {
    BlockRun &run;
    const BlockOrder &order;
  } elided = {run, order};
  auto work = [](void *job, uint32_t) {
    const Elided &elided = *static_cast<Elided *>(job);
    const BlockLaunch &launch = elided.run.launch;
    BlockNamesScope names(launch.graph.names);
    for (uint64_t id = 0; id < launch.graph.nodes; ++id)
      launch.run(launch.context, elided.order.nodes[id]);
  };
  blockWorkers().run(work, &elided, 1);
  run.counters.blocks = run.launch.graph.nodes;
}

} // namespace cilk2gpu::rt
