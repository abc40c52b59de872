#include "blocks/dats/DatsVersions.h"
#include "blocks/dats/WaveMachine.h"

namespace cilk2gpu::rt {

DgbSizes DatsOptions::sizesFor(bool isLevelBound) const {
  DgbSizes sizes = isLevelBound ? DgbSizes::levelBounded() : DgbSizes::looseRoundRobin();
  if (nodes)
    sizes.nodes = nodes;
  if (edges)
    sizes.edges = edges;
  if (pending)
    sizes.pending = pending;
  sizes.spill = spill;
  return sizes;
}

DatsSetup DatsOptions::setupFor(bool isLevelBound) const {
  return {.sizes = sizesFor(isLevelBound),
          .policy = {.isLevelBound = isLevelBound, .bound = bound},
          .units = units,
          .slots = slots,
          .timing = timing,
          .durations = durations};
}

void DatsOptions::scaleDurations(const DatsGraph &graph, uint64_t ratio) {
  DatsReport report = WaveMachine(graph, setupFor(false), {}, WaveMachine::Launcher::Host).run();
  __int128 compute = report.modelled_cycles - report.launch_cycles;
  __int128 wanted = __int128(report.launch_cycles) * ratio / 1000;
  __int128 mean = compute ? durations.mean * wanted / compute : __int128(durations.mean);
  durations.mean = mean < 1 ? 1 : uint64_t(mean);
}

static DatsReport runGlobal(const DatsGraph &graph, const DatsOptions &options, const DatsWork &work) {
  return WaveMachine(graph, options.setupFor(false), work, WaveMachine::Launcher::Host).run();
}

static DatsReport runCdp(const DatsGraph &graph, const DatsOptions &options, const DatsWork &work) {
  return WaveMachine(graph, options.setupFor(false), work, WaveMachine::Launcher::Device).run();
}

static DatsReport runDepLinks(const DatsGraph &graph, const DatsOptions &options, const DatsWork &work) {
  DatsGraph joined = withJoinNodes(graph);
  return DatsMachine(joined, options.setupFor(false), work).run();
}

static DatsReport runLooseRoundRobin(const DatsGraph &graph, const DatsOptions &options, const DatsWork &work) {
  return DatsMachine(graph, options.setupFor(false), work).run();
}

static DatsReport runLevelBound(const DatsGraph &graph, const DatsOptions &options, const DatsWork &work) {
  return DatsMachine(graph, options.setupFor(true), work).run();
}

const DatsVersion datsVersions[kNumDatsVersions] = {
    {.name = "Global",
     .description = "a launch by the host for each level",
     .hasBuffer = false,
     .isLevelBound = false,
     .hasJoinNodes = false,
     .run = runGlobal},
    {.name = "CDP",
     .description = "a launch by the device for each level",
     .hasBuffer = false,
     .isLevelBound = false,
     .hasJoinNodes = false,
     .run = runCdp},
    {.name = "DepLinks",
     .description = "one launch, with a join node between levels",
     .hasBuffer = true,
     .isLevelBound = false,
     .hasJoinNodes = true,
     .run = runDepLinks},
    {.name = "LRR",
     .description = "one launch, blocks run ahead",
     .hasBuffer = true,
     .isLevelBound = false,
     .hasJoinNodes = false,
     .run = runLooseRoundRobin},
    {.name = "LVL",
     .description = "one launch, blocks run ahead within a bound of levels",
     .hasBuffer = true,
     .isLevelBound = true,
     .hasJoinNodes = false,
     .run = runLevelBound},
};

} // namespace cilk2gpu::rt
