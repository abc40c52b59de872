#include "blocks/dats/DatsLaunch.h"
#include "blocks/BlockThreads.h"
#include "blocks/BlockWorkers.h"
#include "blocks/dats/DatsVersions.h"
#include "blocks/dats/DgbSafety.h"
#include "process/Settings.h"

namespace cilk2gpu::rt {

namespace {

/// A launch with its graph in virtual IDs.
class ModelledLaunch {
public:
  explicit ModelledLaunch(BlockRun &run)
      : run(run), isLevelBound(run.launch.policy.kind == WF::LVL), options(optionsFor(run.launch.policy)),
        graph(makeDatsGraph(run.memory, run.launch.graph, run.levels)),
        safety(checkSafety(graph, options.sizesFor(isLevelBound))) {}

  void warnOfDeadlock() const {
    if (options.spill || safety.isSafe())
      return;
    char reason[256];
    safety.explain(reason, sizeof reason);
    warning("CILK2GPU_DGB: this launch may block the modelled dependency graph buffer: %s", reason);
  }

  void runBlocks() {
    BlockNamesScope names(run.launch.graph.names);
    const DatsVersion &version = datsVersions[isLevelBound ? kLevelBoundVersion : kLooseRoundRobinVersion];
    DatsReport report = version.run(graph, options, {run.launch.run, run.launch.context});
    if (report.isDeadlocked)
      failOfDeadlock(report);
    run.counters = {.blocks = report.blocks, .mostReady = report.mostReady, .levelRange = report.levelRange};
    run.dats = report;
  }

  /// Times all versions, without their blocks. Spills are on, so that each version ends.
  void compareVersions() {
    DatsOptions spilling = options;
    spilling.spill = true;
    uint64_t DatsCounters::*const cycles[kNumDatsVersions] = {&DatsCounters::global_cycles, &DatsCounters::cdp_cycles,
                                                              &DatsCounters::deplinks_cycles, &DatsCounters::lrr_cycles,
                                                              &DatsCounters::lvl_cycles};
    for (unsigned i = 0; i < kNumDatsVersions; ++i)
      run.dats.*cycles[i] = datsVersions[i].run(graph, spilling, {}).modelled_cycles;
  }

private:
  static DatsOptions optionsFor(const BlockPolicy &policy) {
    const Settings &given = settings();
    DatsOptions options;
    options.nodes = given.dgb.nodes;
    options.edges = given.dgb.edges;
    options.pending = given.dgb.pending;
    options.spill = given.dgb.spill;
    if (given.cusGiven)
      options.units = given.cus;
    if (policy.kind == WF::LVL)
      options.bound = policy.bound;
    options.durations.seed = given.seed;
    return options;
  }

  [[noreturn]] void failOfDeadlock(const DatsReport &report) const {
    BlockNames::Text block = run.launch.graph.names.of(graph.blocks[report.stuckNode]);
    if (safety.isSafe())
      internalError("the modelled dependency graph buffer is blocked at %s, although the graph is safe", block.text);
    char reason[256];
    safety.explain(reason, sizeof reason);
    fatal("CILK2GPU_DGB: the modelled dependency graph buffer is blocked: %s cannot complete, and nothing is loaded "
          "before it does: %s",
          block.text, reason);
  }

  BlockRun &run;
  const bool isLevelBound;
  const DatsOptions options;
  const DatsGraph graph;
  const DgbSafety safety;
};

} // namespace

void runModelledBlocks(BlockRun &run) {
  uint64_t nodes = run.launch.graph.nodes;
  if (nodes > DgbSizes::kMostNodes)
    fatal(
        "the modelled block scheduler has IDs of 16 bits, for %llu blocks at most; this launch has %llu; launch fewer "
        "blocks, or use CILK2GPU_DEVICE=native",
        (unsigned long long)DgbSizes::kMostNodes, (unsigned long long)nodes);
  ModelledLaunch launch(run);
  launch.warnOfDeadlock();
  blockWorkers().run([](void *job, uint32_t) { static_cast<ModelledLaunch *>(job)->runBlocks(); }, &launch, 1);
  if (run.isCounting)
    launch.compareVersions();
}

} // namespace cilk2gpu::rt
