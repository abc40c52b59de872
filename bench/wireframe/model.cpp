// Runs square wavefronts on the modelled machine for block graphs, in the five versions of the Wireframe paper (MICRO
// 2017, section 5.1), and prints the counters as CSV. scripts/reproduce wireframe compiles and runs it.
//
//   model SIDE RATIO SPREAD SEED BOUND NODES EDGES PENDING
//
// A block takes RATIO times as long as a launch by the host, on the average; SPREAD is the coefficient of variation in
// thousandths. BOUND is the bound of the version LVL. NODES, EDGES and PENDING are sizes of the buffer; 0 stands for the
// size in the paper.
#include "blocks/dats/DatsVersions.h"

#include <stdio.h>
#include <stdlib.h>

#include <vector>

using namespace cilk2gpu::rt;

// A node needs the node above it and the node to the left of it.
static DatsGraph squareWavefront(uint64_t side) {
  std::vector<uint64_t> starts(side * side + 1);
  std::vector<uint32_t> children;
  for (uint64_t node = 0; node < side * side; ++node) {
    if (node % side + 1 < side)
      children.push_back(static_cast<uint32_t>(node + 1));
    if (node / side + 1 < side)
      children.push_back(static_cast<uint32_t>(node + side));
    starts[node + 1] = children.size();
  }
  BlockMemory memory;
  wf::detail::Arrays arrays = {starts.data(),    children.data(),  starts.size(), children.size(),
                               sizeof(uint64_t), sizeof(uint32_t), false,         false};
  BlockGraph graph = buildFromArrays(memory, side * side, arrays);
  return makeDatsGraph(memory, graph, findLevels(memory, graph));
}

static void printHeader() {
  printf("version,edges,level_range");
#define CILK2GPU_DATS_COUNTER(name, kind, unit, description) printf(",%s", #name);
#include "blocks/DatsCounters.def"
  printf("\n");
}

static void printRow(const char *version, uint64_t edges, const DatsReport &report) {
  printf("%s,%llu,%llu", version, (unsigned long long)edges, (unsigned long long)report.levelRange);
#define CILK2GPU_DATS_COUNTER(name, kind, unit, description) printf(",%llu", (unsigned long long)report.name);
#include "blocks/DatsCounters.def"
  printf("\n");
}

int main(int argc, char **argv) {
  if (argc != 9) {
    fprintf(stderr, "usage: model SIDE RATIO SPREAD SEED BOUND NODES EDGES PENDING\n");
    return 1;
  }
  uint64_t numbers[9] = {};
  for (int i = 1; i < argc; ++i)
    numbers[i] = strtoull(argv[i], nullptr, 10);
  DatsOptions options;
  options.durations = BlockDurations::withRatio(numbers[2], options.timing);
  options.durations.spread = numbers[3];
  options.durations.seed = numbers[4];
  options.bound = static_cast<uint32_t>(numbers[5]);
  options.nodes = static_cast<uint32_t>(numbers[6]);
  options.edges = static_cast<uint32_t>(numbers[7]);
  options.pending = static_cast<uint32_t>(numbers[8]);
  DatsGraph graph = squareWavefront(numbers[1]);
  printHeader();
  for (const DatsVersion &version : datsVersions) {
    DatsReport report = version.run(graph, options, {});
    if (report.isDeadlocked) {
      fprintf(stderr, "model: %s stops at node %llu\n", version.name, (unsigned long long)report.stuckNode);
      return 1;
    }
    printRow(version.name, graph.edges(), report);
  }
  return 0;
}
