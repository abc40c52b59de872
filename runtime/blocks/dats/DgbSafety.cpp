#include "blocks/dats/DgbSafety.h"

#include <stdio.h>

namespace cilk2gpu::rt {

DgbSafety checkSafety(const DatsGraph &graph, const DgbSizes &sizes) {
  DgbSafety safety;
  safety.mostDistance = sizes.nodes > sizes.chunkNodes ? sizes.nodes - sizes.chunkNodes : 0;
  safety.mostEdges = sizes.edges;
  safety.chunkNodes = sizes.chunkNodes;
  for (uint64_t node = 0; node < graph.nodes(); ++node) {
    for (uint64_t edge = graph.starts[node]; edge < graph.starts[node + 1]; ++edge)
      if (graph.children[edge] - node > safety.distance)
        safety.distance = graph.children[edge] - node;
    uint64_t end = node + sizes.nodes < graph.nodes() ? node + sizes.nodes : graph.nodes();
    if (graph.starts[end] - graph.starts[node] > safety.windowEdges)
      safety.windowEdges = graph.starts[end] - graph.starts[node];
  }
  return safety;
}

/// Writes a setting that keeps the rule, if there is one.
static void writeRemedy(char (&text)[48], const char *part, uint64_t value, uint64_t most) {
  if (value <= most)
    snprintf(text, sizeof text, "use spill:on, or %s:%llu", part, (unsigned long long)value);
  else
    snprintf(text, sizeof text, "use spill:on");
}

void DgbSafety::explain(char *text, size_t size) const {
  char remedy[48];
  if (distance > mostDistance) {
    writeRemedy(remedy, "nodes", distance + chunkNodes, DgbSizes::kMostNodes);
    snprintf(text, size,
             "without spills, a child's ID may be at most %llu above its parent's in level order; this graph has a "
             "distance of %llu; %s",
             (unsigned long long)mostDistance, (unsigned long long)distance, remedy);
    return;
  }
  writeRemedy(remedy, "edges", windowEdges, DgbSizes::kMostEdges);
  snprintf(text, size,
           "without spills, the edges of the window must fit into %llu entries; this graph has windows with %llu "
           "edges; %s",
           (unsigned long long)mostEdges, (unsigned long long)windowEdges, remedy);
}

} // namespace cilk2gpu::rt
