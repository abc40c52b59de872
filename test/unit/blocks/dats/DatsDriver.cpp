// Prints tables of the modelled machine for thread blocks, and runs many random graphs on it.
//
//   cilk2gpu-dats versions          speed-ups over Global, and counters, on square wavefronts
//   cilk2gpu-dats deadlocks         squares that end or block without spills
//   cilk2gpu-dats random 10000      random graphs: exit status 1 if one does not end as it should
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
    options.scaleDurations(graph, ratio * 1000);
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

/// Returns the first rule that a run of a random graph breaks, or null.
static const char *faultOf(const TestGraph &shape, const DatsGraph &graph, const DatsSetup &setup) {
  OrderCheck check(shape);
  DatsReport report = DatsMachine(graph, setup, check.work()).run();
  if (report.isDeadlocked) {
    if (setup.sizes.spill)
      return "deadlock, although updates may spill";
    return checkSafety(graph, setup.sizes).isSafe() ? "deadlock, although the graph is safe" : nullptr;
  }
  if (!check.isRight())
    return "wrong order of blocks";
  if (setup.policy.isLevelBound && report.levelRange > setup.policy.bound)
    return "level bound not kept";
  if (!setup.sizes.spill && report.spill_requests)
    return "spills, although they are off";
  return report.pending_high_water > setup.sizes.pending ? "too many pending updates" : nullptr;
}

/// Runs each graph with LRR, with LVL for the bounds 0 to 4 at a spread of 0.3, with a setup of its own, and without
/// spills. The local node array has 16 to 512 entries.
static int runRandomGraphs(unsigned count) {
  unsigned faults = 0;
  for (unsigned seed = 0; seed < count; ++seed) {
    TestGraph shape = randomGraph(seed);
    DatsGraph graph = datsGraph(shape);
    std::vector<DatsSetup> setups = {randomSetup(seed), randomSetup(seed)};
    setups[1].sizes.spill = false;
    for (uint64_t bound = 0; bound <= 4; ++bound) {
      setups.push_back(randomSetup(seed));
      setups.back().policy = {.isLevelBound = true, .bound = bound};
      setups.back().durations.spread = 300;
    }
    setups.push_back(randomSetup(seed));
    setups.back().policy.isLevelBound = false;
    for (const DatsSetup &setup : setups)
      if (const char *fault = faultOf(shape, graph, setup)) {
        fprintf(stderr, "cilk2gpu-dats: seed %u: %s\n", seed, fault);
        ++faults;
        break;
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
