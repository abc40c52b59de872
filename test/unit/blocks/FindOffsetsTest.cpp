// Tests that constant distances are found in what a mapping function names, and that nothing else passes for them.
#include "blocks/FindOffsets.h"
#include "GraphShapes.h"
#include "blocks/OffsetGraph.h"

#include <gtest/gtest.h>

namespace cilk2gpu {
namespace {

void runParts(void *, void (*work)(void *, uint64_t), void *context, uint64_t parts) {
  for (uint64_t part = parts; part-- > 0;)
    work(context, part);
}

/// A graph of a mapping function, with offsets if they are found.
struct Found {
  rt::BlockMemory memory;
  rt::BlockGraph graph;

  template <class L> Found(dim3 grid, const L &links, bool takesOffsets = true) {
    wf::detail::PolicyChoice policy;
    graph = rt::buildFromLinks(memory, grid, dim3(1), wf::detail::Mapping<L>{links}.function(), policy, runParts,
                               nullptr, takesOffsets);
  }
  uint32_t count() const { return graph.offsets ? graph.offsets->count : ~0u; }
};

/// Expects that a mapping function has offsets, and that the graph is that of its rows.
template <class L> void expectOffsets(dim3 grid, uint32_t count, const L &links) {
  Found found(grid, links), rows(grid, links, false);
  ASSERT_EQ(found.count(), count);
  ASSERT_EQ(rows.graph.offsets, nullptr);
  rt::BlockGraph other = rt::withRows(found.memory, found.graph);
  ASSERT_EQ(found.graph.edges, rows.graph.edges);
  for (uint64_t node = 0; node < rows.graph.nodes; ++node) {
    ASSERT_EQ(other.parents[node], rows.graph.parents[node]);
    ASSERT_EQ(other.starts[node + 1], rows.graph.starts[node + 1]);
  }
  for (uint64_t edge = 0; edge < rows.graph.edges; ++edge)
    ASSERT_EQ(other.children[edge], rows.graph.children[edge]);
}

template <class L> void expectRows(dim3 grid, const L &links) {
  Found found(grid, links);
  EXPECT_EQ(found.graph.offsets, nullptr);
  EXPECT_NE(found.graph.starts, nullptr);
}

void wavefrontLinks() {
  WF::AddDependency({blockIdx.x - 1, blockIdx.y});
  WF::AddDependency({blockIdx.x, blockIdx.y - 1});
}

TEST(FindOffsetsTest, Wavefronts) {
  for (dim3 grid : {dim3(2, 2), dim3(3, 5), dim3(200, 300), dim3(16384, 3), dim3(16383, 2), dim3(5, 20000)})
    expectOffsets(grid, 2, [] { wavefrontLinks(); });
  expectOffsets(dim3(40000), 1, [] { WF::AddDependency({blockIdx.x - 3}); });
  expectOffsets(dim3(1), 0, [] { wavefrontLinks(); });
  expectOffsets(dim3(30, 30), 0, [] {});
}

TEST(FindOffsetsTest, ManyDistances) {
  expectOffsets(dim3(20, 30, 10), 5, [] {
    WF::AddDependency({blockIdx.x + 2, blockIdx.y + 3, blockIdx.z - 1});
    WF::AddDependency({blockIdx.x - 1, blockIdx.y, blockIdx.z});
    WF::AddDependency({blockIdx.x + 7, blockIdx.y - 1, blockIdx.z});
    WF::AddDependency({blockIdx.x, blockIdx.y, blockIdx.z - 3});
    WF::AddDependency({blockIdx.x - 2, blockIdx.y - 2, blockIdx.z - 2});
  });
}

TEST(FindOffsetsTest, RandomDistances) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    auto [small, offsets] = randomOffsets(random);
    const dim3 grid(small.x + 1, small.y + 1, small.z + 1); // where an extent is 1, the coordinate 1 means 0
    TestGraph expected = gridGraph(grid, offsets);
    Found found(grid, [&offsets = offsets] {
      for (size_t i = 0; i < offsets.size(); i += 3)
        WF::AddDependency({blockIdx.x + unsigned(offsets[i]), blockIdx.y + unsigned(offsets[i + 1]),
                           blockIdx.z + unsigned(offsets[i + 2])});
    });
    rt::BlockGraph rows = found.graph.offsets ? rt::withRows(found.memory, found.graph) : found.graph;
    ASSERT_EQ(std::vector<uint64_t>(rows.starts, rows.starts + rows.nodes + 1), expected.starts);
    ASSERT_EQ(std::vector<uint32_t>(rows.children, rows.children + rows.edges), expected.children);
  }
}

TEST(FindOffsetsTest, OneBlockIsDifferent) {
  for (dim3 odd : {dim3(0, 0), dim3(7, 0), dim3(0, 9), dim3(19, 19), dim3(10, 10), dim3(3, 4)}) {
    auto isOdd = [=] { return blockIdx.x == odd.x && blockIdx.y == odd.y; };
    expectRows(dim3(20, 20), [=] { // one parent more
      wavefrontLinks();
      if (isOdd())
        WF::AddDependency({(odd.x + 2) % 20, odd.y});
    });
    expectRows(dim3(20, 20), [=] { // another parent
      WF::AddDependency({isOdd() ? (odd.x + 2) % 20 : blockIdx.x - 1, blockIdx.y});
      WF::AddDependency({blockIdx.x, blockIdx.y - 1});
    });
    if (odd.x || odd.y)
      expectRows(dim3(20, 20), [=] { // no parent
        if (!isOdd())
          wavefrontLinks();
      });
  }
}

TEST(FindOffsetsTest, OtherGraphsHaveRows) {
  expectRows(dim3(20), [] { WF::AddDependency({blockIdx.x + 1}); }); // to larger IDs
  expectRows(dim3(20), [] { WF::AddDependency({blockIdx.x / 2 - 1}); });
  expectRows(dim3(20), [] {
    WF::AddDependency({blockIdx.x - 1});
    WF::AddDependency({blockIdx.x - 1});
  });
  expectRows(dim3(100), [] {
    for (unsigned i = 1; i < 40; ++i) // more than are looked for
      WF::AddDependency({blockIdx.x - i});
  });
  expectRows(dim3(100), [] { // each block may have its parents in an order of its own
    WF::AddDependency({blockIdx.x - 1 - blockIdx.x % 2});
    WF::AddDependency({blockIdx.x - 2 + blockIdx.x % 2});
  });
}

} // namespace
} // namespace cilk2gpu
