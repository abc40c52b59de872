#include "blocks/dats/DgbSafety.h"

#include <stdio.h>

namespace cilk2gpu::rt {

DgbSafety checkSafety(const DatsGraph &graph, const DgbSizes &sizes) {
  DgbSafety safety;
  safety.mostDistance = sizes.nodes > sizes.chunkNodes ? sizes.nodes - sizes.chunkNodes : 0;
  safety.mostEdges = sizes.edges;
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

void DgbSafety::explain(char *text, size_t size) const {
  if (distance > mostDistance)
    snprintf(text, size,
             "without spills, a child's ID may be at most %llu above its parent's in level order; this graph has a "
             "distance of %llu; use spill:on, or a larger nodes:N",
             (unsigned long long)mostDistance, (unsigned long long)distance);
  else
    snprintf(text, size,
             "without spills, the edges of the window must fit into %llu entries; this graph has windows with %llu "
             "edges; use spill:on, or a larger edges:N",
             (unsigned long long)mostEdges, (unsigned long long)windowEdges);
}

} // namespace cilk2gpu::rt
