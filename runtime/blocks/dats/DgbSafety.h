// The question whether a graph can block the dependency graph buffer (DGB) for ever. The buffer of Wireframe (MICRO
// 2017, section 4.2.2) lets a node wait that finds the pending update buffer full. If the tail waits, no chunk is
// loaded, and nothing frees the buffer.
//
// A graph is safe if both rules hold:
// - Distance: no child's ID is more than |LNA| - 16 above its parent's. The children of the tail are in the window
//   then.
// - Edges: any |LNA| consecutive nodes have at most |LEA| edges together. No node waits for space for its edges then.
// The rules are sufficient. A graph that breaks one may complete: that depends on the order in which its blocks end.
//
// Thread-safety: any.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_DGBSAFETY_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_DGBSAFETY_H

#include "blocks/dats/DatsGraph.h"
#include "blocks/dats/DgbSizes.h"

#include <stddef.h>

namespace cilk2gpu::rt {

struct DgbSafety {
  uint64_t distance = 0;     ///< largest distance from a parent's ID to a child's
  uint64_t mostDistance = 0; ///< largest distance that is safe
  uint64_t windowEdges = 0;  ///< most edges of |LNA| consecutive nodes
  uint64_t mostEdges = 0;    ///< |LEA|
  uint32_t chunkNodes = 0;   ///< nodes of a request

  bool isSafe() const { return distance <= mostDistance && windowEdges <= mostEdges; }
  /// Writes the rule that is broken, the numbers, and the remedy.
  void explain(char *text, size_t size) const;
};

DgbSafety checkSafety(const DatsGraph &graph, const DgbSizes &sizes);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_DGBSAFETY_H
