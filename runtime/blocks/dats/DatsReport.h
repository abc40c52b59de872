// The result of a run on the modelled machine for thread blocks.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_DATSREPORT_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_DATSREPORT_H

#include "blocks/DatsCounters.h"

namespace cilk2gpu::rt {

struct DatsReport : DatsCounters {
  uint64_t blocks = 0, joinNodes = 0; ///< nodes that are done: with a block, and without one
  uint64_t mostReady = 0;             ///< nodes that were ready and did not run, at a time
  uint64_t levelRange = 0;            ///< most levels between nodes that ran at a time

  bool isDeadlocked = false; ///< nodes are left, and nothing can go on
  uint64_t stuckNode = 0;    ///< virtual ID of the oldest node that is left then

  /// The requests that the paper counts: those that load nodes and edges.
  uint64_t datsRequests() const { return node_requests + edge_requests; }
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_DATSREPORT_H
