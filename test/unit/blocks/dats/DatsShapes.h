// Graphs for tests of the modelled machine for thread blocks, in virtual IDs.
#ifndef CILK2GPU_TEST_UNIT_BLOCKS_DATS_DATSSHAPES_H
#define CILK2GPU_TEST_UNIT_BLOCKS_DATS_DATSSHAPES_H

#include "../GraphShapes.h"
#include "blocks/dats/DatsVersions.h"

namespace cilk2gpu {

inline rt::DatsGraph datsGraph(const TestGraph &graph) {
  rt::BlockMemory memory;
  rt::BlockGraph blocks = rt::buildFromArrays(memory, graph.nodes, graph.arrays());
  return rt::makeDatsGraph(memory, blocks, rt::findLevels(memory, blocks));
}

inline rt::DatsGraph square(uint32_t side) { return datsGraph(wavefront(side, side)); }

/// A setup for a random graph: small local arrays, any policy, spills.
inline rt::DatsSetup randomSetup(unsigned seed) {
  std::mt19937 random(seed);
  rt::DatsSetup setup;
  setup.sizes.nodes = 16 + random() % 497;
  setup.sizes.edges = 1 + random() % (4 * setup.sizes.nodes);
  setup.sizes.pending = 1 + random() % 64;
  setup.policy.isLevelBound = random() % 2;
  setup.policy.bound = random() % 5;
  setup.units = 1 + random() % 15;
  setup.slots = 1 + random() % 8;
  setup.durations.spread = random() % 400;
  setup.durations.seed = seed;
  return setup;
}

/// Executes blocks, and checks that each one runs once and after its parents.
class OrderCheck {
public:
  explicit OrderCheck(const TestGraph &graph) : missing(graph.nodes), hasRun(graph.nodes), graph(graph) {
    for (auto [parent, child] : graph.edges)
      ++missing[child];
  }

  rt::DatsWork work() {
    return {[](void *context, uint64_t block) { static_cast<OrderCheck *>(context)->run(block); }, this};
  }
  /// Returns whether all blocks have run in an order that the graph allows.
  bool isRight() const { return faults == 0 && blocks == graph.nodes; }

private:
  void run(uint64_t block) {
    faults += missing[block] != 0 || hasRun[block];
    hasRun[block] = true;
    ++blocks;
    for (uint64_t edge = graph.starts[block]; edge < graph.starts[block + 1]; ++edge)
      --missing[graph.children[edge]];
  }

  std::vector<uint32_t> missing;
  std::vector<bool> hasRun;
  const TestGraph &graph;
  uint64_t faults = 0, blocks = 0;
};

} // namespace cilk2gpu

#endif // CILK2GPU_TEST_UNIT_BLOCKS_DATS_DATSSHAPES_H
