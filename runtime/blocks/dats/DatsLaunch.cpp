#include "blocks/dats/DatsLaunch.h"
#include "blocks/BlockInstructions.h"
#include "blocks/BlockThreads.h"
#include "blocks/BlockWorkers.h"
#include "blocks/dats/DatsGraphFile.h"
#include "blocks/dats/DatsVersions.h"
#include "blocks/dats/DgbSafety.h"
#include "process/Settings.h"

namespace cilk2gpu::rt {

namespace {

static_assert(unsigned(BlockVersion::Lrr) == kLooseRoundRobinVersion &&
                  unsigned(BlockVersion::Lvl) == kLevelBoundVersion &&
                  unsigned(BlockVersion::OfLaunch) == kNumDatsVersions,
              "the setting and the table have the same versions");

void checkNodes(uint64_t nodes, const char *kind) {
  if (nodes > DgbSizes::kMostNodes)
    fatal("the modelled block scheduler has IDs of 16 bits, for %llu %s at most; this launch has %llu; launch fewer "
          "blocks, or use CILK2GPU_DEVICE=native",
          (unsigned long long)DgbSizes::kMostNodes, kind, (unsigned long long)nodes);
}

/// A launch with its graph in virtual IDs.
class ModelledLaunch {
public:
  explicit ModelledLaunch(BlockRun &run)
      : run(run), version(versionFor(run.launch.policy)), options(optionsFor(run.launch.policy)),
        graph(makeDatsGraph(run.memory, run.launch.graph, run.levels)), instructions(graph.nodes()) {
    if (version.hasJoinNodes) {
      joined = withJoinNodes(graph);
      checkNodes(joined.nodes(), "blocks and join nodes");
    }
    safety = checkSafety(graphInBuffer(), options.sizesFor(version.isLevelBound));
  }

  void warnOfDeadlock() const {
    if (!mayDeadlock())
      return;
    char reason[256];
    safety.explain(reason, sizeof reason);
    warning("CILK2GPU_DGB: this launch may block the modelled dependency graph buffer: %s", reason);
  }

  /// Executes the blocks in the order in which the machine completes them. If their instructions are counted, blocks
  /// then take their times from them, and the machine is timed once more.
  void runBlocks() {
    BlockNamesScope names(run.launch.graph.names);
    scaleDurations();
    if (mayDeadlock()) // the times are known before the blocks run
      finished(version.run(graph, options, {}));
    DatsReport report = finished(version.run(graph, options, {countBlock, this}));
    if (uint64_t counted = countedInstructions()) {
      options.durations.instructions = instructions.begin();
      options.durations.meanInstructions = counted / graph.nodes() ? counted / graph.nodes() : 1;
      scaleDurations();
      report = finished(version.run(graph, options, {}));
      report.block_instructions = counted;
    }
    run.counters = {.blocks = report.blocks, .mostReady = report.mostReady, .levelRange = report.levelRange};
    run.dats = report;
  }

  /// Times all versions, without their blocks. Spills are on, so that each version ends. A version whose nodes have no
  /// IDs of 16 bits has no time.
  void compareVersions() {
    DatsOptions spilling = options;
    spilling.spill = true;
    uint64_t DatsCounters::*const cycles[kNumDatsVersions] = {&DatsCounters::global_cycles, &DatsCounters::cdp_cycles,
                                                              &DatsCounters::deplinks_cycles, &DatsCounters::lrr_cycles,
                                                              &DatsCounters::lvl_cycles};
    for (unsigned i = 0; i < kNumDatsVersions; ++i)
      if (!datsVersions[i].hasJoinNodes || nodesWithJoinNodes(graph) <= DgbSizes::kMostNodes)
        run.dats.*cycles[i] = datsVersions[i].run(graph, spilling, {}).modelled_cycles;
  }

  void writeGraph(const char *path) const { appendGraph(path, graph, instructions); }

private:
  bool mayDeadlock() const { return !options.spill && version.hasBuffer && !safety.isSafe(); }

  static const DatsVersion &versionFor(const BlockPolicy &policy) {
    BlockVersion asked = settings().blockVersion;
    if (asked != BlockVersion::OfLaunch)
      return datsVersions[unsigned(asked)];
    return datsVersions[policy.kind == WF::LVL ? kLevelBoundVersion : kLooseRoundRobinVersion];
  }

  static DatsOptions optionsFor(const BlockPolicy &policy) {
    const Settings &given = settings();
    DatsOptions options;
    options.nodes = given.dgb.nodes;
    options.edges = given.dgb.edges;
    options.pending = given.dgb.pending;
    options.spill = given.dgb.spill;
    if (given.cusGiven)
      options.units = given.cus;
    if (given.dgb.slots)
      options.slots = given.dgb.slots;
    if (policy.kind == WF::LVL)
      options.bound = policy.bound;
    options.durations.seed = given.seed;
    return options;
  }

  /// Chooses the mean time of the blocks by the paper's ratio to its launches, and then sets the time of a launch that
  /// the user has asked for.
  void scaleDurations() {
    options.scaleDurations(graph, BlockDurations::ratioFor(graph.nodes()));
    if (uint32_t launch = settings().dgb.launch)
      options.timing.hostLaunch = launch;
  }

  static void countBlock(void *context, uint64_t block) {
    auto &self = *static_cast<ModelledLaunch *>(context);
    BlockInstructions counted;
    self.run.launch.run(self.run.launch.context, block);
    self.instructions[block] = counted.issued();
  }

  uint64_t countedInstructions() const {
    uint64_t sum = 0;
    for (uint64_t each : instructions)
      sum += each;
    return sum;
  }

  const DatsGraph &graphInBuffer() const { return version.hasJoinNodes ? joined : graph; }

  DatsReport finished(const DatsReport &report) const {
    if (report.isDeadlocked)
      failOfDeadlock(report);
    return report;
  }

  [[noreturn]] void failOfDeadlock(const DatsReport &report) const {
    uint64_t block = graphInBuffer().blocks[report.stuckNode];
    BlockNames::Text name = {"a join node"};
    if (block != DatsGraph::kNoBlock)
      name = run.launch.graph.names.of(block);
    if (safety.isSafe())
      internalError("the modelled dependency graph buffer is blocked at %s, although the graph is safe", name.text);
    char reason[256];
    safety.explain(reason, sizeof reason);
    fatal("CILK2GPU_DGB: the modelled dependency graph buffer is blocked: %s cannot complete, and nothing is loaded "
          "before it does: %s",
          name.text, reason);
  }

  BlockRun &run;
  const DatsVersion &version;
  DatsOptions options;
  const DatsGraph graph;
  DatsGraph joined; ///< only for a version with join nodes
  DgbSafety safety;
  DatsArray<uint64_t> instructions; ///< of each block
};

} // namespace

uint64_t boundOfModelledBlocks(const BlockRun &run) {
  const BlockGraph &graph = run.launch.graph;
  return boundOfOrder(graph.nodes, run.levels.count) + boundOfRenamed(graph);
}

void runModelledBlocks(BlockRun &run) {
  checkNodes(run.launch.graph.nodes, "blocks");
  ModelledLaunch launch(run);
  launch.warnOfDeadlock();
  blockWorkers().run([](void *job, uint32_t) { static_cast<ModelledLaunch *>(job)->runBlocks(); }, &launch, 1);
  if (run.isCounting)
    launch.compareVersions();
  if (const char *path = settings().blockGraphs)
    launch.writeGraph(path);
}

} // namespace cilk2gpu::rt
