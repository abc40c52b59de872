// A graph without a regular shape that `scripts/bench wireframe` gives to every system: each node but the first needs
// one to three of the nodes before it. Each system has a source file that calls runNode for every node.
//
// The parameters and the output are those of Wavefront.h. SIDE x SIDE is the number of nodes.
#ifndef CILK2GPU_BENCH_WIREFRAME_IRREGULAR_H
#define CILK2GPU_BENCH_WIREFRAME_IRREGULAR_H

#include "Wavefront.h"

/// The edges, by child and by parent.
struct Irregular {
  explicit Irregular(unsigned side) : nodes(side * side), starts(nodes + 1, 0), firstParent(nodes + 1, 0) {
    uint64_t state = 1;
    auto next = [&](uint64_t bound) {
      state = state * 6364136223846793005 + 1442695040888963407;
      return static_cast<uint32_t>((state >> 33) % bound);
    };
    for (uint32_t node = 0; node < nodes; ++node) {
      const uint32_t window = std::min(node, 4 * side), count = std::min(node, 1 + next(3));
      for (uint32_t i = 0; i < count; ++i) // in a part of the window for each parent, so that none is named twice
        parents.push_back(node - 1 - window * i / count - next(std::max(1u, window * (i + 1) / count - window * i / count)));
      firstParent[node + 1] = static_cast<uint32_t>(parents.size());
    }
    for (uint32_t parent : parents)
      ++starts[parent + 1];
    for (uint32_t node = 0; node < nodes; ++node)
      starts[node + 1] += starts[node];
    children.resize(parents.size());
    std::vector<uint64_t> ends(starts.begin(), starts.end() - 1);
    for (uint32_t node = 0; node < nodes; ++node)
      for (uint32_t i = firstParent[node]; i < firstParent[node + 1]; ++i)
        children[ends[parents[i]]++] = node;
  }

  uint32_t nodes;
  std::vector<uint64_t> starts;      ///< of the children of each node
  std::vector<uint32_t> children;
  std::vector<uint32_t> firstParent; ///< of each node
  std::vector<uint32_t> parents;
};

/// The values of a run, and the parents that a node reads.
struct IrregularRun {
  uint32_t *values;
  const uint32_t *firstParent, *parents;
  uint32_t first; ///< the value of node 0
};

/// The work of a node. Its value depends on all parents.
inline void runNode(const IrregularRun &run, uint32_t node) {
  uint32_t value = run.first;
  for (uint32_t i = run.firstParent[node]; i < run.firstParent[node + 1]; ++i)
    value = 3 * value + run.values[run.parents[i]];
  run.values[node] = value;
}

/// The body of `main`. `prepare(graph)` is not timed; it returns a function that runs the graph once.
template <typename Prepare> int measureIrregular(int argc, char **argv, Prepare prepare) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s SIDE WORK REPEATS\n", argv[0]);
    return 1;
  }
  const Irregular graph(static_cast<unsigned>(std::atoi(argv[1])));
  std::vector<uint32_t> values(graph.nodes, 0);
  auto runOnce = prepare(graph);
  return measureRuns(std::atoi(argv[3]), [&](uint32_t first) { // Another first value makes values of earlier runs wrong.
    runOnce(IrregularRun{values.data(), graph.firstParent.data(), graph.parents.data(), first});
    return values.back();
  });
}

#endif // CILK2GPU_BENCH_WIREFRAME_IRREGULAR_H
