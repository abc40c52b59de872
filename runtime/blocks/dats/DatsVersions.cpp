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
    {"Global", "a launch by the host for each level", runGlobal},
    {"CDP", "a launch by the device for each level", runCdp},
    {"DepLinks", "one launch, with a join node between levels", runDepLinks},
    {"LRR", "one launch, blocks run ahead", runLooseRoundRobin},
    {"LVL", "one launch, blocks run ahead within a bound of levels", runLevelBound},
};

} // namespace cilk2gpu::rt
