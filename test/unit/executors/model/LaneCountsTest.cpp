// Tests of the alignment of lanes. Random structured functions are executed lane by lane through the interface of
// counted code. The reference is an interpreter that runs all lanes in lockstep under masks.
#include "executors/model/LaneCounts.h"
#include "process/HostEnvironment.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <vector>

namespace cilk2gpu::rt {
namespace {

enum class Shape { Block, Sequence, Branch, Loop, Call };

/// A statement. Blocks, branches, loops and calls have a block of their own; for a loop, it is the header.
struct Node {
  Shape shape;
  uint32_t id = 0, block = 0;
  std::vector<std::unique_ptr<Node>> parts;
  struct Body *callee = nullptr;
};

struct Body {
  std::unique_ptr<Node> code;
  std::vector<abi::BlockRecord> blocks;
  std::vector<abi::LoopRecord> loops;
  abi::CountedFunction record;
};

class Maker {
public:
  explicit Maker(unsigned seed) : random(seed) {}

  /// Makes a function that calls functions made before it.
  void make() {
    auto body = std::make_unique<Body>();
    body->code = statement(4);
    body->loops = {{}};
    std::map<uint32_t, std::vector<Node *>> byLoop;
    place(*body->code, 0, *body, byLoop);
    for (auto &[loop, nodes] : byLoop) {
      body->loops[loop].firstBlock = uint32_t(body->blocks.size());
      body->loops[loop].numBlocks = uint32_t(nodes.size());
      for (Node *node : nodes) {
        node->block = uint32_t(body->blocks.size());
        abi::BlockRecord block = {loop, node->shape == Shape::Loop, {}, 0};
        block.counts[below(abi::kInstructionClasses)] = 1 + below(5);
        body->blocks.push_back(block);
      }
    }
    body->record = {body->loops.data(), body->blocks.data()};
    bodies.push_back(std::move(body));
  }

  std::vector<std::unique_ptr<Body>> bodies;
  uint32_t nodes = 0;

private:
  uint32_t below(uint32_t limit) { return uint32_t(random() % limit); }

  std::unique_ptr<Node> statement(unsigned depth) {
    auto node = std::make_unique<Node>();
    node->id = nodes++;
    node->shape = depth ? Shape(below(5)) : Shape::Block;
    if (node->shape == Shape::Call && bodies.empty())
      node->shape = Shape::Block;
    unsigned parts = node->shape == Shape::Sequence ? 2 + below(3)
                     : node->shape == Shape::Branch ? 2
                     : node->shape == Shape::Loop   ? 1
                                                    : 0;
    for (unsigned i = 0; i < parts; ++i)
      node->parts.push_back(statement(depth - 1));
    if (node->shape == Shape::Call)
      node->callee = bodies[below(uint32_t(bodies.size()))].get();
    return node;
  }

  void place(Node &node, uint32_t loop, Body &body, std::map<uint32_t, std::vector<Node *>> &byLoop) {
    if (node.shape == Shape::Loop) {
      body.loops.push_back({loop, 0, 0, 0});
      loop = uint32_t(body.loops.size() - 1);
    }
    if (node.shape != Shape::Sequence)
      byLoop[loop].push_back(&node);
    for (auto &part : node.parts)
      place(*part, loop, body, byLoop);
  }

  std::mt19937 random;
};

/// Decisions of lanes. They depend on the lane, the place and the number of visits, not on other lanes.
class Decisions {
public:
  explicit Decisions(uint32_t nodes) : visits(65, std::vector<uint32_t>(nodes)) {}
  bool holds(uint32_t lane, const Node &node) {
    uint64_t n = ++visits[lane][node.id];
    uint64_t z = (lane * 0x9e3779b97f4a7c15 + node.id * 0xbf58476d1ce4e5b9 + n * 0x94d049bb133111eb) ^ node.id;
    z = (z ^ z >> 29) * 0xbf58476d1ce4e5b9;
    return (z >> 33) % 8 < (node.shape == Shape::Loop ? 5 : 3);
  }

private:
  std::vector<std::vector<uint32_t>> visits;
};

/// Runs all lanes at once, with a mask of active lanes.
struct Lockstep {
  Decisions decisions;
  uint32_t wave;
  IssueCounts counts = {};

  uint64_t chosen(const Node &node, uint64_t mask) {
    uint64_t result = 0;
    for (uint32_t lane = 0; lane < 64; ++lane)
      if (mask >> lane & 1 && decisions.holds(lane, node))
        result |= uint64_t(1) << lane;
    return result;
  }
  void issue(const Body &body, const Node &node, uint64_t mask) {
    uint32_t lanes = uint32_t(__builtin_popcountll(mask));
    uint32_t quarter = 4 * lanes <= wave ? 0 : 2 * lanes <= wave ? 1 : 4 * lanes <= 3 * wave ? 2 : 3;
    for (uint32_t c = 0; c < abi::kInstructionClasses; ++c) {
      counts.issued[c] += body.blocks[node.block].counts[c];
      counts.lanes[c] += uint64_t(body.blocks[node.block].counts[c]) * lanes;
      counts.byLanes[quarter] += body.blocks[node.block].counts[c];
    }
  }
  void run(const Body &body, const Node &node, uint64_t mask) {
    if (!mask)
      return;
    if (node.shape == Shape::Loop) {
      for (;;) {
        issue(body, node, mask);
        if (!(mask = chosen(node, mask)))
          return;
        run(body, *node.parts[0], mask);
      }
    }
    if (node.shape != Shape::Sequence)
      issue(body, node, mask);
    if (node.shape == Shape::Call)
      return run(*node.callee, *node.callee->code, mask);
    if (node.shape == Shape::Branch) {
      uint64_t taken = chosen(node, mask);
      run(body, *node.parts[0], taken);
      return run(body, *node.parts[1], mask & ~taken);
    }
    for (auto &part : node.parts)
      run(body, *part, mask);
  }
};

/// Runs one lane, as counted code.
struct OneLane {
  Decisions &decisions;
  uint32_t lane;

  void call(const Body &body) {
    void *entered = __cilk2gpu_count_enter(&body.record), *place = entered;
    run(body, *body.code, place);
    __cilk2gpu_count_leave(entered);
  }
  void run(const Body &body, const Node &node, void *&place) {
    auto visit = [&] { place = __cilk2gpu_count_block(place, &body.record, node.block); };
    if (node.shape != Shape::Sequence)
      visit();
    if (node.shape == Shape::Call)
      return call(*node.callee);
    if (node.shape == Shape::Branch)
      return run(body, *node.parts[!decisions.holds(lane, node)], place);
    if (node.shape == Shape::Loop) {
      while (decisions.holds(lane, node)) {
        run(body, *node.parts[0], place);
        visit();
      }
      return;
    }
    for (auto &part : node.parts)
      run(body, *part, place);
  }
};

IssueCounts laneByLane(const Maker &maker, uint32_t lanes, uint32_t wave, uint64_t memory) {
  Environment environment = hostEnvironment();
  LaneMemory pool(environment, memory);
  LaneTree tree;
  Decisions decisions(maker.nodes);
  tree.begin(pool, wave);
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    __cilk2gpu_count_lane(nullptr);
    OneLane{decisions, lane}.call(*maker.bodies.back());
  }
  IssueCounts counts = tree.finish();
  pool.destroy();
  return counts;
}

uint64_t total(const uint64_t (&counts)[abi::kInstructionClasses]) {
  uint64_t result = 0;
  for (uint64_t count : counts)
    result += count;
  return result;
}

TEST(LaneCounts, AreThoseOfAMachineInLockstep) {
  uint64_t divergent = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    Maker maker(seed);
    for (int function = 0; function < 3; ++function)
      maker.make();
    uint32_t wave = seed % 3 ? 64 : 8, lanes = seed % 5 ? wave : wave - 3;
    Lockstep lockstep{Decisions(maker.nodes), wave};
    lockstep.run(*maker.bodies.back(), *maker.bodies.back()->code, ~uint64_t(0) >> (64 - lanes));
    IssueCounts counts = laneByLane(maker, lanes, wave, uint64_t(1) << 30);
    for (uint32_t c = 0; c < abi::kInstructionClasses; ++c) {
      ASSERT_EQ(counts.issued[c], lockstep.counts.issued[c]) << "seed " << seed << " class " << c;
      ASSERT_EQ(counts.lanes[c], lockstep.counts.lanes[c]) << "seed " << seed << " class " << c;
    }
    for (int q = 0; q < 4; ++q)
      ASSERT_EQ(counts.byLanes[q], lockstep.counts.byLanes[q]) << "seed " << seed << " quarter " << q;
    ASSERT_EQ(counts.unaligned, 0u);
    divergent += total(counts.lanes) != counts.all() * lanes;
  }
  EXPECT_GT(divergent, 200u);
}

TEST(LaneCounts, WithoutMemoryNothingIsLost) {
  uint64_t unaligned = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    Maker maker(seed);
    for (int function = 0; function < 4; ++function)
      maker.make();
    IssueCounts all = laneByLane(maker, 64, 64, uint64_t(1) << 30), some = laneByLane(maker, 64, 64, 64 << 10);
    EXPECT_EQ(total(some.lanes) + some.unaligned, total(all.lanes)) << seed;
    EXPECT_EQ(laneByLane(maker, 64, 64, 0).unaligned, total(all.lanes)) << seed;
    unaligned += some.unaligned;
  }
  EXPECT_GT(unaligned, 0u);
}

TEST(LaneCounts, BlocksOutsideOfLanesAreNotCounted) {
  abi::LoopRecord loop = {0, 0, 1, 0};
  abi::BlockRecord block = {0, 0, {1}, 0};
  abi::CountedFunction function = {&loop, &block};
  EXPECT_EQ(__cilk2gpu_count_enter(&function), nullptr);
  EXPECT_EQ(__cilk2gpu_count_block(nullptr, &function, 0), nullptr);
  __cilk2gpu_count_lane(nullptr);
  EXPECT_EQ(__cilk2gpu_count_enter(&function), nullptr);
}

TEST(LaneCounts, CallsByOtherCodeAreAlignedInTheirOrder) {
  abi::LoopRecord loop = {0, 0, 1, 0};
  abi::BlockRecord block = {0, 0, {1}, 0};
  abi::CountedFunction outer = {&loop, &block}, compare = {&loop, &block};
  Environment environment = hostEnvironment();
  LaneMemory pool(environment, 1 << 20);
  LaneTree tree;
  tree.begin(pool, 4);
  for (int lane = 0; lane < 4; ++lane) {
    tree.nextLane();
    void *entered = __cilk2gpu_count_enter(&outer);
    __cilk2gpu_count_block(entered, &outer, 0);
    for (int call = 0; call < 10 * lane; ++call) { // as qsort would
      void *inner = __cilk2gpu_count_enter(&compare);
      __cilk2gpu_count_block(inner, &compare, 0);
      __cilk2gpu_count_leave(inner);
    }
    __cilk2gpu_count_leave(entered);
  }
  IssueCounts counts = tree.finish();
  pool.destroy();
  EXPECT_EQ(counts.issued[0], 1u + 30);
  EXPECT_EQ(counts.lanes[0], 4u + 10 + 20 + 30);
}

} // namespace
} // namespace cilk2gpu::rt
