// The result of a run on the modelled machine for block graphs.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_DATSREPORT_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_DATSREPORT_H

#include <stdint.h>

namespace cilk2gpu::rt {

struct DatsReport {
#define CILK2GPU_DATS_COUNTER(name, unit, description) uint64_t name = 0;
#include "blocks/dats/DatsCounters.def"

  bool isDeadlocked = false; ///< nodes are left, and nothing can go on
  uint64_t stuckNode = 0;    ///< the tail then
  uint64_t stuckBlock = 0;   ///< its block
  uint64_t nodesDone = 0;    ///< nodes that completed, join nodes included

  /// The requests that the paper counts: those that load nodes and edges.
  uint64_t datsRequests() const { return nodeRequests + edgeRequests; }
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_DATSREPORT_H
