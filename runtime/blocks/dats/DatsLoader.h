// The loads of the modelled scheduler: chunks of nodes, then their edges, from global memory into the dependency graph
// buffer (Wireframe, MICRO 2017, section 4.2.2).
//
//   Idle -> FetchingNodes -> (nodes in the insertion buffer) -> FetchingEdges -> Idle
//                             ^------ a local array has no space: waits for the tail ------^
//
// One load is under way at a time. A request brings 128 bytes: 16 nodes or 64 edges.
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_DATSLOADER_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_DATSLOADER_H

#include "blocks/dats/Dgb.h"
#include "blocks/dats/InsertionBuffer.h"

namespace cilk2gpu::rt {

class DatsLoader {
public:
  static constexpr uint64_t kNothing = ~uint64_t(0);

  DatsLoader(Dgb &buffer, const DatsGraph &graph, const DgbSizes &sizes, uint64_t memoryLatency)
      : buffer(buffer), graph(graph), sizes(sizes), latency(memoryLatency) {}

  /// Begins the next load if none is under way and there is space. Returns the cycles until its requests are answered,
  /// or kNothing if no load was begun.
  uint64_t begin();
  /// Takes the answer of the requests that begin() made. Nodes that are loaded get their pending updates.
  void arrive();

  bool isFetching() const { return step == Step::FetchingNodes || step == Step::FetchingEdges; }
  uint64_t nodeRequests() const { return requestsForNodes; }
  uint64_t edgeRequests() const { return requestsForEdges; }
  /// Times that a load halted for want of space in a local array.
  uint64_t stalls() const { return halts; }
  /// Nodes whose edges stay in global memory.
  uint64_t spilledNodes() const { return nodesWithSpilledEdges; }

private:
  enum class Step : uint8_t { Idle, Halted, FetchingNodes, FetchingEdges };

  uint64_t fetchNodes();
  uint64_t fetchEdges();
  uint64_t reserveNodes();
  void insertReserved();

  Dgb &buffer;
  const DatsGraph &graph;
  const DgbSizes &sizes;
  const uint64_t latency;
  InsertionBuffer waiting;
  Step step = Step::Idle;
  uint64_t requestsForNodes = 0, requestsForEdges = 0, halts = 0, nodesWithSpilledEdges = 0;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_DATSLOADER_H
