// The dependency graph buffer (DGB) of the modelled block scheduler: Wireframe, MICRO 2017, section 4.2.
//
//   node IDs:  ... done | tail ... window ... head | reserved ... reservedEnd | in global memory ...
//
// The window is in the local node array (LNA) and the node state table: node i is entry i % |LNA|. Its edges are in the
// local edge array (LEA), from entry start % |LEA| on, as IDs of children. Both arrays are circular. Reserved nodes
// have space in both arrays, while their edges are on their way from global memory.
//
//   Dgb buffer(sizes, graph);
//   while (buffer.mayFetch() ...)          // a chunk fits
//     if (buffer.reserve())                // the node's slot and its edges' slots are free
//       buffer.applyPending(buffer.insert());
//   buffer.issue(buffer.firstReady());
//   if (buffer.fitsPending(node)) buffer.complete(node);
//
// Choices where the paper's text allows several readings are in docs/wireframe.md.
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_DGB_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_DGB_H

#include "blocks/dats/DatsGraph.h"
#include "blocks/dats/DgbSizes.h"
#include "blocks/dats/PendingUpdates.h"
#include "blocks/dats/RingBits.h"

namespace cilk2gpu::rt {

/// The two bits of the state field: Waiting -> Ready -> Processing -> Done. An entry outside the window is Done, too.
enum class NodeState : uint8_t { Waiting, Ready, Processing, Done };

/// An entry of the LNA together with its entry of the node state table.
struct DgbEntry {
  uint64_t node;    ///< virtual ID
  uint32_t parents; ///< parents that are not done
  uint32_t level;
  int32_t localEdgeStart; ///< index in the LEA; -1 if the node has no children
  NodeState state;
  bool areEdgesSpilled; ///< the edges did not fit into the LEA: completion reads them from global memory
};

class Dgb {
public:
  static constexpr uint64_t kNone = ~uint64_t(0);

  Dgb(const DgbSizes &sizes, const DatsGraph &graph);

  uint64_t tail() const { return tailNode; }
  uint64_t head() const { return headNode; }
  uint64_t reservedEnd() const { return reservedNode; }
  bool contains(uint64_t node) const { return node >= tailNode && node < headNode; }
  bool isFinished() const { return tailNode == graph.nodes(); }
  const DgbEntry &entry(uint64_t node) const { return table[node % sizes.nodes]; }
  uint32_t localEdge(uint64_t index) const { return localEdges[index]; }
  /// Index in the LEA of the first edge of the tail, or behind the last edge if the window is empty.
  uint64_t edgeTail() const { return graph.starts[tailNode] % sizes.edges; }
  const PendingUpdates &pending() const { return updates; }
  /// Parents of a node that are not done, as global memory has them. Spilled updates change the count.
  uint32_t globalParents(uint64_t node) const { return parentsInMemory[node]; }

  /// Returns true if a chunk is to be fetched: the LNA has space for it, or holds one node at most. The second case
  /// lets the only node go on: it waits for the next one, because it is the head.
  bool mayFetch() const;
  /// Returns the end of the chunk that begins at reservedEnd().
  uint64_t chunkEnd() const;

  /// Reserves space for the node reservedEnd(). Returns false, and changes nothing, if its slot or a slot of its edges
  /// is in use. With `spill`, edges that can never fit stay in global memory instead.
  bool reserve();
  /// Makes the first reserved node an entry of the window, and returns it. Pending updates are still to be applied.
  uint64_t insert();
  /// Applies the entries of the PUB for a node of the window, and removes them.
  void applyPending(uint64_t node);

  /// Returns the ready node with the smallest ID that may be issued, or kNone. The head may not be issued unless it has
  /// no children: the number of children of a node is the difference of its edge start and the next node's.
  uint64_t firstReady() const;
  void issue(uint64_t node);
  /// Nodes of the window that are Ready.
  uint64_t readyNodes() const { return numReady; }

  /// Returns the updates for children of `node` that are outside the window.
  uint64_t updatesOutside(uint64_t node) const;
  bool fitsPending(uint64_t node) const { return updatesOutside(node) <= updates.free(); }
  /// Decrements the parents of each child of a node that is Processing, and invalidates the node. The tail advances
  /// over invalid entries. Updates for which the PUB has no space are made in global memory; returns their number.
  uint64_t complete(uint64_t node);

private:
  DgbEntry &at(uint64_t node) { return table[node % sizes.nodes]; }
  bool edgeSlotsAreFree(uint64_t node) const;
  void useEdgeSlots(uint64_t node, bool used);
  uint32_t child(uint64_t node, uint64_t index) const;
  void makeReady(DgbEntry &entry);
  void decrement(uint64_t node, uint32_t count);
  void advanceTail();

  const DgbSizes sizes;
  const DatsGraph &graph;
  DatsArray<DgbEntry> table;
  DatsArray<uint32_t> localEdges;
  DatsArray<bool> edgeSlotUsed;
  DatsArray<uint32_t> parentsInMemory;
  PendingUpdates updates;
  RingBits ready; ///< entries that are Ready
  uint64_t numReady = 0;
  uint64_t tailNode = 0, headNode = 0, reservedNode = 0;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_DGB_H
