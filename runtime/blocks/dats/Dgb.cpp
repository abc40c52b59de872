#include "blocks/dats/Dgb.h"

namespace cilk2gpu::rt {

Dgb::Dgb(const DgbSizes &sizes, const DatsGraph &graph)
    : sizes(sizes), graph(graph), table(sizes.nodes), localEdges(sizes.edges), edgeSlotUsed(sizes.edges),
      parentsInMemory(graph.nodes()), updates(sizes.pending, graph.nodes()), ready(sizes.nodes) {
  for (DgbEntry &entry : table)
    entry.state = NodeState::Done;
  for (uint64_t node = 0; node < graph.nodes(); ++node)
    parentsInMemory[node] = graph.parents[node];
}

uint64_t Dgb::chunkEnd() const {
  uint64_t left = graph.nodes() - reservedNode;
  return reservedNode + (left < sizes.chunkNodes ? left : sizes.chunkNodes);
}

bool Dgb::mayFetch() const {
  return reservedNode < graph.nodes() && (chunkEnd() - tailNode <= sizes.nodes || reservedNode - tailNode <= 1);
}

bool Dgb::edgeSlotsAreFree(uint64_t node) const {
  if (graph.degree(node) > sizes.edges)
    return false;
  for (uint64_t edge = graph.starts[node]; edge < graph.starts[node + 1]; ++edge)
    if (edgeSlotUsed[edge % sizes.edges])
      return false;
  return true;
}

void Dgb::useEdgeSlots(uint64_t node, bool used) {
  for (uint64_t edge = graph.starts[node]; edge < graph.starts[node + 1]; ++edge)
    edgeSlotUsed[edge % sizes.edges] = used;
}

bool Dgb::reserve() {
  uint64_t node = reservedNode, degree = graph.degree(node);
  if (node - tailNode >= sizes.nodes)
    return false;
  bool fits = edgeSlotsAreFree(node);
  // The only node of the window is the head. It is not issued before this node is inserted, so its edges stay.
  bool neverFits = degree > sizes.edges || node - tailNode <= 1;
  if (!fits && !(sizes.spill && neverFits))
    return false;
  if (fits)
    useEdgeSlots(node, true);
  int32_t start = degree ? int32_t(graph.starts[node] % sizes.edges) : -1;
  at(node) = {.node = node,
              .parents = 0,
              .level = graph.levels[node],
              .localEdgeStart = start,
              .state = NodeState::Waiting,
              .areEdgesSpilled = !fits};
  ++reservedNode;
  return true;
}

uint64_t Dgb::insert() {
  uint64_t node = headNode++;
  DgbEntry &entry = at(node);
  if (!entry.areEdgesSpilled)
    for (uint64_t edge = graph.starts[node]; edge < graph.starts[node + 1]; ++edge)
      localEdges[edge % sizes.edges] = graph.children[edge];
  entry.parents = parentsInMemory[node];
  if (entry.parents == 0)
    makeReady(entry);
  return node;
}

void Dgb::makeReady(DgbEntry &entry) {
  entry.state = NodeState::Ready;
  ready.add(entry.node % sizes.nodes);
  ++numReady;
}

void Dgb::decrement(uint64_t node, uint32_t count) {
  DgbEntry &entry = at(node);
  entry.parents -= count;
  if (entry.parents == 0)
    makeReady(entry);
}

void Dgb::applyPending(uint64_t node) {
  if (uint32_t count = updates.take(node))
    decrement(node, count);
}

uint64_t Dgb::firstReady() const {
  if (tailNode == headNode)
    return kNone;
  uint64_t distance = ready.distanceFrom(tailNode % sizes.nodes);
  if (distance == RingBits::kNone)
    return kNone;
  uint64_t node = tailNode + distance;
  bool isHead = node + 1 == headNode;
  return isHead && graph.degree(node) ? kNone : node;
}

void Dgb::issue(uint64_t node) {
  at(node).state = NodeState::Processing;
  ready.remove(node % sizes.nodes);
  --numReady;
}

uint32_t Dgb::child(uint64_t node, uint64_t index) const {
  const DgbEntry &entry = table[node % sizes.nodes];
  if (entry.areEdgesSpilled)
    return graph.children[graph.starts[node] + index];
  return localEdges[(uint64_t(entry.localEdgeStart) + index) % sizes.edges];
}

uint64_t Dgb::updatesOutside(uint64_t node) const {
  uint64_t outside = 0;
  for (uint64_t i = 0; i < graph.degree(node); ++i)
    outside += child(node, i) >= headNode;
  return outside;
}

uint64_t Dgb::complete(uint64_t node) {
  uint64_t spilled = 0;
  for (uint64_t i = 0; i < graph.degree(node); ++i) {
    uint64_t id = child(node, i);
    if (id < headNode) {
      decrement(id, 1);
    } else if (updates.free()) {
      updates.add(id);
    } else {
      --parentsInMemory[id];
      ++spilled;
    }
  }
  at(node).state = NodeState::Done;
  advanceTail();
  return spilled;
}

void Dgb::advanceTail() {
  for (; tailNode < headNode && at(tailNode).state == NodeState::Done; ++tailNode)
    if (!at(tailNode).areEdgesSpilled)
      useEdgeSlots(tailNode, false);
}

} // namespace cilk2gpu::rt
