// Prints tables of the modelled machine for thread blocks, and runs many random graphs on it.
//
//   cilk2gpu-dats versions          speed-ups over Global, and counters, on square wavefronts
//   cilk2gpu-dats deadlocks         squares that end or block without spills
//   cilk2gpu-dats random 10000      random graphs with spills: exit status 1 if one does not end as it should
#include "DatsShapes.h"
#include "blocks/dats/DgbSafety.h"

#include <stdio.h>
#include <string>

using namespace cilk2gpu;
using namespace cilk2gpu::rt;

static int printVersions() {
  printf("| Nodes | Version | Speed-up, %% | Requests | Level range | PUB | Spilled updates | Slots in use |\n"
         "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (auto [side, ratio] :
       {std::pair(32u, BlockDurations::kRatio1K), {64u, BlockDurations::kRatio4K}, {96u, BlockDurations::kRatio9K}}) {
    DatsGraph graph = square(side);
    DatsOptions options;
    options.durations = BlockDurations::withRatio(ratio);
    uint64_t global = datsVersions[0].run(graph, options, {}).modelled_cycles;
    for (const DatsVersion &version : datsVersions) {
      DatsReport report = version.run(graph, options, {});
      printf("| %llu | %s | %.2f | %llu | %llu | %llu | %llu | %.1f |\n", (unsigned long long)graph.nodes(),
             version.name, 100 * (double(global) / double(report.modelled_cycles) - 1),
             (unsigned long long)report.datsRequests(), (unsigned long long)report.levelRange,
             (unsigned long long)report.pending_high_water, (unsigned long long)report.spilled_updates,
             double(report.slot_cycles) / double(report.modelled_cycles));
    }
  }
  return 0;
}

static int printDeadlocks() {
  printf("| LNA | Square | Largest distance | Safe | Deadlocks of 10 runs |\n| --- | --- | --- | --- | --- |\n");
  for (auto [nodes, side] : {std::pair(128u, 110u),
                             {128u, 112u},
                             {128u, 113u},
                             {128u, 114u},
                             {128u, 120u},
                             {512u, 256u},
                             {512u, 496u},
                             {512u, 500u},
                             {512u, 512u}}) {
    DatsGraph graph = square(side);
    DatsOptions options;
    options.nodes = nodes;
    options.edges = 4 * nodes;
    options.spill = false;
    DgbSafety safety = checkSafety(graph, options.sizesFor(false));
    unsigned deadlocks = 0;
    for (options.durations.seed = 1; options.durations.seed <= 10; ++options.durations.seed)
      deadlocks += datsVersions[kLooseRoundRobinVersion].run(graph, options, {}).isDeadlocked;
    printf("| %u | %u | %llu | %s | %u |\n", nodes, side, (unsigned long long)safety.distance,
           safety.isSafe() ? "yes" : "no", deadlocks);
  }
  return 0;
}

static int runRandomGraphs(unsigned count) {
  unsigned faults = 0;
  for (unsigned seed = 0; seed < count; ++seed) {
    TestGraph shape = randomGraph(seed);
    OrderCheck check(shape);
    DatsSetup setup = randomSetup(seed);
    DatsReport report = DatsMachine(datsGraph(shape), setup, check.work()).run();
    bool isBound = !setup.policy.isLevelBound || report.levelRange <= setup.policy.bound;
    if (report.isDeadlocked || !check.isRight() || !isBound) {
      fprintf(stderr, "cilk2gpu-dats: seed %u: %s\n", seed,
              report.isDeadlocked ? "deadlock"
              : isBound           ? "wrong order of blocks"
                                  : "level bound not kept");
      ++faults;
    }
  }
  printf("%u passed, %u failed\n", count - faults, faults);
  return faults != 0;
}

int main(int argc, char **argv) {
  std::string command = argc > 1 ? argv[1] : "";
  if (command == "versions" && argc == 2)
    return printVersions();
  if (command == "deadlocks" && argc == 2)
    return printDeadlocks();
  if (command == "random" && argc == 3)
    return runRandomGraphs(unsigned(strtoul(argv[2], nullptr, 10)));
  fprintf(stderr, "usage: cilk2gpu-dats versions | deadlocks | random COUNT\n");
  return 2;
}
