// One worker begins (LoneBlocks.h); then all share the rest: LRR (SharedBlocks.h) or LVL (BoundedBlocks.h).
#include "blocks/BlockRunner.h"
#include "blocks/BlockPieces.h"
#include "blocks/BlockThreads.h"
#include "blocks/BlockWorkers.h"
#include "blocks/BoundedBlocks.h"
#include "blocks/OffsetGraph.h"
#include "blocks/SharedBlocks.h"

#include <algorithm>
#include <optional>

namespace cilk2gpu::rt {

template <class Blocks> static void runTogether(BlockRun &run, const BlocksSoFar &soFar) {
  Blocks blocks(run, soFar);
  blockWorkers().run(
      [](void *job, uint32_t worker) {
        Blocks &blocks = *static_cast<Blocks *>(job);
        BlockNamesScope names(blocks.graph().names);
        blocks.work(worker);
      },
      &blocks, run.workers);
}

/// Runs the blocks of a graph of constant offsets that are left, in pieces.
static void runPieces(BlockRun &run, const BlocksSoFar &soFar) {
  BlockLaunch launch = run.launch;
  if (soFar.inLanes)
    launch.forms.row = launch.forms.rowLanes;
  BlockPieces pieces(run.memory, launch, soFar.piece);
  BlockRun ofPieces = {.launch = pieces.launch(),
                       .memory = run.memory,
                       .levels = {},
                       .workers = run.workers,
                       .isCounting = false,
                       .counters = {}};
  runTogether<SharedBlocks>(ofPieces, {.ended = pieces.pieceAt(soFar.ended), .cost = soFar.cost * soFar.piece});
}

/// Runs the pieces of strips that are left. The first `ended` pieces have ended.
static void runStrips(BlockRun &run, BlockStrips &strips, uint64_t ended, uint64_t cost) {
  strips.countParents(run.memory);
  BlockRun ofPieces = {.launch = strips.launch(),
                       .memory = run.memory,
                       .levels = {},
                       .workers = run.workers,
                       .isCounting = false,
                       .counters = {}};
  runTogether<SharedBlocks>(ofPieces, {.ended = ended, .cost = cost * BlockStrips::kRows * BlockStrips::kSteps});
}

/// Makes strips if blocks may run in vectors that need them.
static void makeStrips(const BlockRun &run, std::optional<BlockStrips> &strips) {
  const BlockLaunch &launch = run.launch;
  const GridOffsets *offsets = launch.graph.offsets;
  if (!offsets || !launch.forms.lanes || canRowsRunInLanes(launch))
    return;
  if (BlockStrips::Shape shape = BlockStrips::shapeOf(*offsets); shape.lanes >= tunables::kFewestLanes)
    strips.emplace(run.memory, launch, shape, 0);
}

/// Lets one worker begin. `isByIds`: blocks run in the order of their IDs.
static BlocksSoFar runAlone(BlockRun &run, bool isByIds, std::optional<BlockStrips> &strips) {
  const bool mayQueue = run.launch.forms.lanes && run.launch.graph.parents;
  if (!isByIds || (mayQueue && run.sharing.inLanes))
    return runByQueue(run);
  if (strips)
    return runByIdsAndStrips(run, *strips);
  return mayQueue ? runByIdsAndQueue(run) : runByIds(run);
}

static BlocksSoFar begin(BlockRun &run, bool isByIds, std::optional<BlockStrips> &strips) {
  struct Begin {
    BlockRun &run;
    bool isByIds;
    std::optional<BlockStrips> &strips;
    BlocksSoFar soFar;
  } begin = {run, isByIds, strips, {}};
  auto work = [](void *job, uint32_t) {
    Begin &begin = *static_cast<Begin *>(job);
    begin.soFar = runAlone(begin.run, begin.isByIds, begin.strips);
  };
  blockWorkers().run(work, &begin, 1);
  return begin.soFar;
}

/// Runs a graph of constant offsets whose blocks are counted down. Its counts of parents are made first.
static void runCounted(BlockRun &run) {
  BlockGraph graph = run.launch.graph;
  countParents(run.memory, graph);
  const BlockLaunch launch = {.graph = graph,
                              .policy = run.launch.policy,
                              .threads = run.launch.threads,
                              .run = run.launch.run,
                              .context = run.launch.context,
                              .name = run.launch.name,
                              .forms = run.launch.forms,
                              .grid = run.launch.grid};
  BlockRun counted = {.launch = launch,
                      .memory = run.memory,
                      .levels = run.levels,
                      .workers = run.workers,
                      .isCounting = run.isCounting,
                      .counters = {},
                      .sharing = run.sharing};
  runBlocks(counted);
  run.counters = counted.counters;
}

void runBlocks(BlockRun &run) {
  const BlockGraph &graph = run.launch.graph;
  run.workers = uint32_t(std::min<uint64_t>(run.workers, graph.nodes));
  bool isByIds = graph.isAscending && run.launch.policy.kind == WF::LRR && !run.isCounting;
  if (!isByIds && !graph.parents)
    return runCounted(run);
  run.counters.blocks = graph.nodes;
  std::optional<BlockStrips> strips;
  if (isByIds)
    makeStrips(run, strips);
  if (strips && run.sharing.inLanes)
    return runStrips(run, *strips, 0, 0);
  BlocksSoFar soFar = begin(run, isByIds, strips);
  if (soFar.ended < graph.nodes) {
    if (soFar.pieces)
      runStrips(run, *strips, soFar.pieces, soFar.cost);
    else if (run.launch.policy.kind == WF::LVL)
      runTogether<BoundedBlocks>(run, soFar);
    else if (isByIds && graph.offsets)
      runPieces(run, soFar);
    else
      runTogether<SharedBlocks>(run, soFar);
  }
}

uint64_t boundOfBlocks(const BlockRun &run) {
  const BlockGraph &graph = run.launch.graph;
  uint64_t bytes = BlockMemory::boundOf<uint32_t>(graph.nodes); // the queue
  if (run.isCounting)
    bytes += BlockMemory::boundOf<uint32_t>(run.workers);
  if (graph.offsets) // counts of blocks or of pieces
    bytes += BlockMemory::boundOf<uint32_t>(graph.nodes) + BlockPieces::boundOfGraph(*graph.offsets) +
             BlockStrips::boundOfGraph(*graph.offsets);
  if (run.launch.policy.kind == WF::LVL)
    bytes += BoundedBlocks::bound(run);
  return bytes;
}

uint64_t boundOfLaunch(const BlockRun &run, uint64_t ofMachine) {
  const BlockGraph &graph = run.launch.graph;
  if (!run.levels.of)
    return std::max(graph.bytesToBuild, graph.bytes + ofMachine);
  LevelBytes levels = boundOfLevels(graph);
  return std::max({graph.bytesToBuild, graph.bytes + levels.toFind, graph.bytes + levels.kept + ofMachine});
}

uint64_t boundOfElidedBlocks(const BlockRun &run) { return boundOfOrder(run.launch.graph.nodes, run.levels.count); }

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
