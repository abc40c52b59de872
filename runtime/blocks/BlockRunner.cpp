// One worker begins (LoneBlocks.h); then all share the rest: LRR (SharedBlocks.h) or LVL (BoundedBlocks.h).
#include "blocks/BlockRunner.h"
#include "blocks/BlockPieces.h"
#include "blocks/BlockThreads.h"
#include "blocks/BlockWorkers.h"
#include "blocks/BoundedBlocks.h"
#include "blocks/GridWaves.h"
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

/// Lets one worker begin. `isByIds`: blocks run in the order of their IDs. `single`: see runBeforeVectors().
static BlocksSoFar runAlone(BlockRun &run, bool isByIds, std::optional<BlockStrips> &strips, uint64_t &single) {
  const bool mayQueue = run.launch.forms.lanes && !run.launch.graph.offsets;
  if (!isByIds || (mayQueue && run.sharing.inLanes))
    return runByQueue(run);
  if (strips)
    return runByIdsAndStrips(run, *strips);
  return mayQueue ? runBeforeVectors(run, tunables::kQueuedBlock, single) : runByIds(run);
}

/// Calls work() on the first worker, and returns its result.
template <class Work> static BlocksSoFar onFirstWorker(Work work) {
  struct Begin {
    Work &work;
    BlocksSoFar soFar;
  } begin = {work, {}};
  auto job = [](void *job, uint32_t) {
    Begin &begin = *static_cast<Begin *>(job);
    begin.soFar = begin.work();
  };
  blockWorkers().run(job, &begin, 1);
  return begin.soFar;
}

namespace {

/// A run whose blocks can be counted down. The counts of parents are made if the graph has none.
struct CountedRun {
  explicit CountedRun(BlockRun &of)
      : of(of), graph(of.launch.graph), launch{.graph = graph,
                                               .policy = of.launch.policy,
                                               .threads = of.launch.threads,
                                               .run = of.launch.run,
                                               .context = of.launch.context,
                                               .name = of.launch.name,
                                               .forms = of.launch.forms,
                                               .kernel = of.launch.kernel,
                                               .grid = of.launch.grid},
        run{.launch = launch,
            .memory = of.memory,
            .levels = of.levels,
            .workers = of.workers,
            .isCounting = of.isCounting,
            .counters = {},
            .sharing = of.sharing} {
    if (!graph.parents)
      graph.offsets ? countParents(of.memory, graph) : countRows(of.memory, graph);
  }
  ~CountedRun() { of.counters = run.counters; }
  CountedRun(const CountedRun &) = delete;

  BlockRun &of;
  BlockGraph graph;
  const BlockLaunch launch;
  BlockRun run;
};

} // namespace

/// Runs blocks within a bound of levels. One worker begins, and others may join.
static void runBounded(BlockRun &run) {
  const BlockGraph &graph = run.launch.graph;
  run.counters.blocks = graph.nodes;
  const bool hasWaves = GridWaves::of(graph).has_value();
  uint64_t single = 0;
  BlocksSoFar soFar = {.triesLanes = true};
  if (!run.sharing.inLanes)
    soFar = onFirstWorker(
        [&] { return runBeforeVectors(run, hasWaves ? tunables::kTriedBlock : tunables::kQueuedBlock, single); });
  const uint64_t ids = soFar.ended;
  if (hasWaves && soFar.triesLanes)
    soFar = onFirstWorker([&] { return runByLevels(run, *GridWaves::of(graph, ids), ids, single); });
  if (soFar.ended == graph.nodes)
    return;
  if (!run.levels.of)
    run.levels = findLevels(run.memory, graph);
  const BlockOrder order = orderByLevel(run.memory, graph, run.levels, ids);
  if (soFar.triesLanes)
    soFar = onFirstWorker([&] { return runByLevels(run, order, ids, single); });
  if (soFar.ended == graph.nodes)
    return;
  CountedRun counted(run);
  fillQueue(counted.run, order, ids, soFar);
  runTogether<BoundedBlocks>(counted.run, soFar);
}

/// Goes on with a graph whose parents have not been counted so far, and whose first IDs have ended.
static void goOnCounted(BlockRun &run, BlocksSoFar soFar, uint64_t single) {
  CountedRun counted(run);
  counted.run.counters.blocks = run.launch.graph.nodes;
  if (soFar.triesLanes)
    soFar = onFirstWorker([&] { return runByQueue(counted.run, soFar.ended, single); });
  if (soFar.ended < run.launch.graph.nodes)
    runTogether<SharedBlocks>(counted.run, soFar);
}

void runBlocks(BlockRun &run) {
  const BlockGraph &graph = run.launch.graph;
  run.workers = uint32_t(std::min<uint64_t>(run.workers, graph.nodes));
  if (run.launch.policy.kind == WF::LVL && !run.isCounting)
    return runBounded(run);
  bool isByIds = graph.isAscending && run.launch.policy.kind == WF::LRR && !run.isCounting;
  if (!isByIds && !graph.parents) {
    CountedRun counted(run);
    return runBlocks(counted.run);
  }
  run.counters.blocks = graph.nodes;
  std::optional<BlockStrips> strips;
  if (isByIds)
    makeStrips(run, strips);
  if (strips && run.sharing.inLanes)
    return runStrips(run, *strips, 0, 0);
  uint64_t single = 0;
  BlocksSoFar soFar = onFirstWorker([&] { return runAlone(run, isByIds, strips, single); });
  if (soFar.ended == graph.nodes)
    return;
  if (soFar.pieces)
    runStrips(run, *strips, soFar.pieces, soFar.cost);
  else if (isByIds && graph.offsets)
    runPieces(run, soFar);
  else if (isByIds && !soFar.queue)
    goOnCounted(run, soFar, single);
  else if (run.launch.policy.kind == WF::LVL)
    runTogether<BoundedBlocks>(run, soFar);
  else
    runTogether<SharedBlocks>(run, soFar);
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
    bytes += BoundedBlocks::bound(run) + boundOfOrder(graph.nodes, run.levels.count);
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
