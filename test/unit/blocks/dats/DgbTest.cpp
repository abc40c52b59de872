// Tests the dependency graph buffer of the modelled machine against the figures and numbers of the Wireframe paper.
#include "blocks/dats/Dgb.h"
#include "DatsShapes.h"

#include <gtest/gtest.h>
#include <string>

using namespace cilk2gpu;
using namespace cilk2gpu::rt;

namespace {

/// The sizes of figure 7: four nodes, twelve edges, chunks of two nodes.
DgbSizes figureSizes() {
  DgbSizes sizes;
  sizes.nodes = 4;
  sizes.edges = 12;
  sizes.chunkNodes = 2;
  return sizes;
}

/// Loads a chunk, without its pending updates.
void load(Dgb &buffer) {
  ASSERT_TRUE(buffer.mayFetch());
  for (uint64_t end = buffer.chunkEnd(); buffer.reservedEnd() < end;)
    ASSERT_TRUE(buffer.reserve());
  while (buffer.head() < buffer.reservedEnd())
    buffer.insert();
}

/// The state table in the order of its entries, as in figure 7: "0:P0 1:W1", state and parent count of each node. Nodes
/// that are not valid stand in brackets.
std::string table(const Dgb &buffer, uint64_t entries = 4) {
  std::string text;
  for (uint64_t i = 0; i < entries; ++i) {
    const DgbEntry &entry = buffer.entry(i);
    std::string one = std::to_string(entry.node) + ":" + "WRPD"[int(entry.state)] + std::to_string(entry.parents);
    text += (i ? " " : "") + (buffer.contains(entry.node) && entry.state != NodeState::Done ? one : "[" + one + "]");
  }
  return text;
}

TEST(Dgb, Figure6Rows) {
  DatsGraph graph = square(3);
  EXPECT_EQ(std::vector<uint64_t>(graph.starts.begin(), graph.starts.end()),
            (std::vector<uint64_t>{0, 2, 4, 6, 7, 9, 10, 11, 12, 12}));
  EXPECT_EQ(std::vector<uint32_t>(graph.children.begin(), graph.children.end()),
            (std::vector<uint32_t>{1, 2, 3, 4, 4, 5, 6, 6, 7, 7, 8, 8}));
  EXPECT_EQ(std::vector<uint32_t>(graph.parents.begin(), graph.parents.end()),
            (std::vector<uint32_t>{0, 1, 1, 1, 2, 1, 2, 2, 2}));
  EXPECT_EQ(std::vector<uint32_t>(graph.levels.begin(), graph.levels.end()),
            (std::vector<uint32_t>{0, 1, 1, 2, 2, 2, 3, 3, 4}));
  EXPECT_EQ(std::vector<uint64_t>(graph.blocks.begin(), graph.blocks.end()),
            (std::vector<uint64_t>{0, 1, 3, 2, 4, 6, 5, 7, 8}));
}

TEST(Dgb, Figure6Translation) {
  DatsGraph graph = square(3);
  DgbSizes sizes = figureSizes();
  sizes.edges = 8;
  Dgb buffer(sizes, graph);
  load(buffer);
  load(buffer);
  EXPECT_EQ(buffer.entry(3).localEdgeStart, 6);
  for (uint64_t node : {0, 1}) {
    buffer.issue(node);
    buffer.complete(node);
  }
  load(buffer);
  EXPECT_EQ(graph.starts[4], 7u);
  EXPECT_EQ(buffer.entry(4).localEdgeStart, 7 % 8);
  EXPECT_EQ(graph.starts[5], 9u);
  EXPECT_EQ(buffer.entry(5).localEdgeStart, 9 % 8);
  EXPECT_EQ(&buffer.entry(4), &buffer.entry(0)) << "LNID_4 = 4 % 4";
  EXPECT_EQ(buffer.localEdge(7), 6u) << "the children of node 4 wrap around";
  EXPECT_EQ(buffer.localEdge(0), 7u);
}

TEST(Dgb, Figure7States) {
  DatsGraph graph = square(3);
  Dgb buffer(figureSizes(), graph);
  // (a) Initial state: node 0 is processing.
  load(buffer);
  load(buffer);
  EXPECT_FALSE(buffer.mayFetch());
  buffer.issue(buffer.firstReady());
  EXPECT_EQ(table(buffer), "0:P0 1:W1 2:W1 3:W1");
  // (b) Node completion: node 0 is done, the tails move, nodes 1 and 2 begin.
  buffer.complete(0);
  EXPECT_EQ(table(buffer), "[0:D0] 1:R0 2:R0 3:W1");
  EXPECT_EQ(buffer.tail(), 1u);
  EXPECT_EQ(buffer.edgeTail(), 2u);
  EXPECT_FALSE(buffer.mayFetch()) << "a chunk has two nodes";
  buffer.issue(1);
  buffer.issue(2);
  // (c) Node completion without a local child: node 2 is done, its updates wait, the tail stays.
  buffer.complete(2);
  EXPECT_EQ(table(buffer), "[0:D0] 1:P0 [2:D0] 3:W1");
  EXPECT_EQ(buffer.tail(), 1u);
  EXPECT_EQ(buffer.pending().entriesFor(4), 1u);
  EXPECT_EQ(buffer.pending().entriesFor(5), 1u);
  // (d) Node 1 completes: node 3 is ready, the update of node 4 waits, the tail skips node 2.
  buffer.complete(1);
  EXPECT_EQ(table(buffer), "[0:D0] [1:D0] [2:D0] 3:R0");
  EXPECT_EQ(buffer.tail(), 3u);
  EXPECT_EQ(buffer.edgeTail(), 6u);
  EXPECT_EQ(buffer.pending().size(), 3u);
  EXPECT_EQ(buffer.pending().entriesFor(4), 2u);
  EXPECT_EQ(buffer.firstReady(), Dgb::kNone) << "node 3 is the head, and has a child";
  // (e) Nodes 4 and 5 are loaded. Node 3 begins.
  load(buffer);
  buffer.issue(buffer.firstReady());
  EXPECT_EQ(table(buffer), "4:W2 5:W1 [2:D0] 3:P0");
  EXPECT_EQ(buffer.pending().size(), 3u);
  // (f) The updates of node 4 are applied and removed.
  buffer.applyPending(4);
  EXPECT_EQ(table(buffer), "4:R0 5:W1 [2:D0] 3:P0");
  EXPECT_EQ(buffer.pending().size(), 1u);
  // (g) Node 5 becomes ready.
  buffer.applyPending(5);
  EXPECT_EQ(table(buffer), "4:R0 5:R0 [2:D0] 3:P0");
  EXPECT_EQ(buffer.pending().size(), 0u);
  EXPECT_EQ(buffer.pending().highWater(), 3u);
}

TEST(Dgb, SizesInBytes) {
  EXPECT_EQ(DgbSizes::levelBounded().entryBits(), 2u + 16 + 16 + 16 + 9) << "the paper adds these up to 58";
  EXPECT_EQ(DgbSizes::levelBounded().entryBytes(), 8u);
  EXPECT_EQ(DgbSizes::levelBounded().bytes(), 2304u);
  EXPECT_EQ(DgbSizes::looseRoundRobin().bytes(), 512u * 8 + 2048 * 2 + 128 + 128);
  // The sizes of section 5.1, where nothing else is said.
  DgbSizes usual;
  EXPECT_EQ(usual.nodes, 128u);
  EXPECT_EQ(usual.edges, 512u);
  EXPECT_EQ(usual.pending, 64u);
  EXPECT_TRUE(usual.spill);
}

TEST(Dgb, TheHeadIsIssuedOnlyWithoutChildren) {
  DatsGraph graph = square(2);
  Dgb buffer(figureSizes(), graph);
  load(buffer); // nodes 0 and 1
  EXPECT_EQ(buffer.firstReady(), 0u);
  buffer.issue(0);
  buffer.complete(0);
  EXPECT_EQ(buffer.firstReady(), Dgb::kNone);
  load(buffer); // nodes 2 and 3; node 3 is the last one
  buffer.applyPending(2);
  for (uint64_t node : {1, 2, 3}) {
    EXPECT_EQ(buffer.firstReady(), node);
    buffer.issue(node);
    buffer.complete(node);
  }
  EXPECT_TRUE(buffer.isFinished());
}

TEST(Dgb, AFullPendingBufferSpills) {
  DatsGraph graph = datsGraph(fan(12)); // node 0 has ten children
  DgbSizes sizes = figureSizes();
  sizes.pending = 3;
  sizes.edges = 32;
  Dgb buffer(sizes, graph);
  load(buffer);
  load(buffer);
  buffer.issue(0);
  EXPECT_EQ(buffer.updatesOutside(0), 7u);
  EXPECT_FALSE(buffer.fitsPending(0));
  EXPECT_EQ(buffer.complete(0), 4u);
  EXPECT_EQ(buffer.pending().free(), 0u);
  EXPECT_EQ(buffer.globalParents(6), 1u) << "its update is pending";
  EXPECT_EQ(buffer.globalParents(7), 0u) << "its update is in global memory";
}

TEST(Dgb, EdgesThatNeverFitSpill) {
  DatsGraph graph = datsGraph(fan(100));
  DgbSizes sizes = figureSizes();
  Dgb spilling(sizes, graph);
  EXPECT_TRUE(spilling.reserve());
  EXPECT_TRUE(spilling.entry(0).areEdgesSpilled);
  sizes.spill = false;
  Dgb waiting(sizes, graph);
  EXPECT_FALSE(waiting.reserve());
}

TEST(PendingUpdates, CountsEntries) {
  PendingUpdates updates(3, 10);
  updates.add(4);
  updates.add(5);
  updates.add(4);
  EXPECT_EQ(updates.free(), 0u);
  EXPECT_EQ(updates.take(4), 2u);
  EXPECT_EQ(updates.take(4), 0u);
  EXPECT_EQ(updates.size(), 1u);
  EXPECT_EQ(updates.highWater(), 3u);
}

TEST(RingBits, FindsTheFirstMemberAroundTheEnd) {
  RingBits bits(130);
  EXPECT_EQ(bits.distanceFrom(7), RingBits::kNone);
  bits.add(3);
  EXPECT_EQ(bits.distanceFrom(3), 0u);
  EXPECT_EQ(bits.distanceFrom(4), 129u);
  bits.add(129);
  EXPECT_EQ(bits.distanceFrom(4), 125u);
  bits.remove(129);
  EXPECT_FALSE(bits.has(129));
}

} // namespace
