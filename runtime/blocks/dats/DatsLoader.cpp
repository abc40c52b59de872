#include "blocks/dats/DatsLoader.h"

namespace cilk2gpu::rt {

uint64_t DatsLoader::begin() {
  if (isFetching())
    return kNothing;
  if (!waiting.isEmpty()) {
    uint64_t cycles = fetchEdges();
    if (cycles != kNothing || !waiting.isEmpty())
      return cycles;
  }
  return buffer.mayFetch() ? fetchNodes() : kNothing;
}

uint64_t DatsLoader::fetchNodes() {
  ++requestsForNodes;
  step = Step::FetchingNodes;
  return latency;
}

/// Reserves space for the first nodes of the insertion buffer. Returns the edges to fetch for them.
uint64_t DatsLoader::reserveNodes() {
  uint64_t edges = 0;
  while (!waiting.isEmpty() && buffer.reserve()) {
    uint64_t node = waiting.front();
    waiting.removeFront();
    if (buffer.entry(node).areEdgesSpilled)
      ++nodesWithSpilledEdges;
    else
      edges += graph.degree(node);
  }
  return edges;
}

uint64_t DatsLoader::fetchEdges() {
  uint64_t edges = reserveNodes();
  if (buffer.reservedEnd() == buffer.head()) {
    halts += step != Step::Halted;
    step = Step::Halted;
    return kNothing;
  }
  if (edges == 0) {
    insertReserved();
    return kNothing;
  }
  uint64_t requests = (edges + sizes.requestEdges - 1) / sizes.requestEdges;
  requestsForEdges += requests;
  step = Step::FetchingEdges;
  return latency + requests - 1; // one request for each cycle
}

void DatsLoader::insertReserved() {
  uint64_t first = buffer.head();
  while (buffer.head() < buffer.reservedEnd())
    buffer.insert();
  for (uint64_t node = first; node < buffer.head(); ++node)
    buffer.applyPending(node);
  step = Step::Idle;
}

void DatsLoader::arrive() {
  if (step == Step::FetchingNodes) {
    waiting.hold(buffer.reservedEnd(), buffer.chunkEnd());
    step = Step::Idle;
  } else {
    insertReserved();
  }
}

} // namespace cilk2gpu::rt
