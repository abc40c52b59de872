// Scenarios of runtime/device/BlockQueue.h: leaders of workgroups that run a small graph of thread blocks. What a block
// writes is a plain variable of Relacy's, so a missing order is a data race.
#ifndef CILK2GPU_TEST_MODEL_GROUPSCENARIOS_H
#define CILK2GPU_TEST_MODEL_GROUPSCENARIOS_H

#include "device/BlockQueue.h" // before Relacy, which redefines keywords

#include "RelacyDevice.h"

namespace model {

/// A graph of a few nodes: children[node] is a set of bits. Edges lead to larger numbers.
template <unsigned N> struct BlocksOfGroups {
  unsigned children[N];

  constexpr bool isEdge(unsigned parent, unsigned child) const { return children[parent] >> child & 1; }
  constexpr unsigned levelOf(unsigned node) const {
    unsigned level = 0;
    for (unsigned parent = 0; parent < node; ++parent)
      if (isEdge(parent, node) && levelOf(parent) + 1 > level)
        level = levelOf(parent) + 1;
    return level;
  }
};
inline constexpr BlocksOfGroups<4> kGroupDiamond = {{0b0110, 0b1000, 0b1000, 0}};
inline constexpr BlocksOfGroups<5> kGroupFanIn = {{0b11000, 0b11000, 0b10000, 0, 0}};
inline constexpr BlocksOfGroups<4> kGroupChains = {{0b0100, 0b1000, 0, 0}};          // 0 to 2, 1 to 3
inline constexpr BlocksOfGroups<5> kGroupTail = {{0b00100, 0, 0b01000, 0b10000, 0}}; // 1 stays behind a chain

/// A graph in the form that workgroups share.
template <unsigned N, const BlocksOfGroups<N> &Graph> struct GroupRun {
  using Machine = RelacyMachine;

  uint64_t starts[N + 1];
  uint32_t children[N * N];
  rl::atomic<uint32_t> parents[N], slots[N];
  rl::var<int> runs[N];

  device::BlockRows<Machine> rows() { return {starts, children, parents}; }

  void prepare() {
    uint64_t edges = 0;
    for (unsigned node = 0; node < N; ++node) {
      slots[node].store(0, rl::mo_relaxed, $);
      runs[node]($) = 0;
      starts[node] = edges;
      unsigned count = 0;
      for (unsigned other = 0; other < N; ++other) {
        count += Graph.isEdge(other, node);
        if (Graph.isEdge(node, other))
          children[edges++] = other;
      }
      parents[node].store(count, rl::mo_relaxed, $);
    }
    starts[N] = edges;
  }
  void runBlock(unsigned node) {
    for (unsigned parent = 0; parent < N; ++parent)
      if (Graph.isEdge(parent, node))
        RL_ASSERT(runs[parent]($) == 1);
    runs[node]($) += 1;
  }
  void check() {
    for (unsigned node = 0; node < N; ++node)
      RL_ASSERT(runs[node]($) == 1);
  }
};

/// The policy LRR.
template <unsigned N, const BlocksOfGroups<N> &Graph, unsigned Groups>
struct ReadyGroups : rl::test_suite<ReadyGroups<N, Graph, Groups>, Groups> {
  GroupRun<N, Graph> graph;
  device::ReadyQueue<RelacyMachine> queue;

  void before() {
    graph.prepare();
    uint64_t ready = 0;
    for (unsigned node = 0; node < N; ++node)
      if (!Graph.levelOf(node))
        graph.slots[ready++].store(node + 1, rl::mo_relaxed, $);
    queue.initialise(N, graph.slots, ready);
  }
  void thread(unsigned) {
    for (uint64_t node; (node = queue.take()) != device::kNoBlock;) {
      graph.runBlock(unsigned(node));
      queue.complete(node, graph.rows());
    }
  }
  void after() { graph.check(); }
};

/// The policy LVL.
template <unsigned N, const BlocksOfGroups<N> &Graph, unsigned Groups, unsigned Bound>
struct LevelGroups : rl::test_suite<LevelGroups<N, Graph, Groups, Bound>, Groups> {
  using Queue = device::LevelQueue<RelacyMachine>;

  GroupRun<N, Graph> graph;
  Queue queue;
  Queue::Level levels[N];
  uint32_t levelOf[N];
  uint64_t firstSlot[N + 1];
  int running[Groups]; ///< level; -1: none. Not part of the model

  void before() {
    graph.prepare();
    unsigned sizes[N] = {}, count = 0;
    for (unsigned node = 0; node < N; ++node) {
      levelOf[node] = Graph.levelOf(node);
      count = std::max(count, levelOf[node] + 1);
      if (!levelOf[node])
        graph.slots[sizes[0]].store(node + 1, rl::mo_relaxed, $);
      ++sizes[levelOf[node]];
    }
    firstSlot[0] = 0;
    for (unsigned level = 0; level < count; ++level) {
      firstSlot[level + 1] = firstSlot[level] + sizes[level];
      levels[level].taken.store(0, rl::mo_relaxed, $);
      levels[level].pushed.store(level ? 0 : sizes[0], rl::mo_relaxed, $);
      levels[level].left.store(sizes[level], rl::mo_relaxed, $);
      levels[level].hasEnded.store(0, rl::mo_relaxed, $);
    }
    for (int &level : running)
      level = -1;
    queue.initialise({.numLevels = count,
                      .bound = Bound,
                      .levelOf = levelOf,
                      .firstSlot = firstSlot,
                      .slots = graph.slots,
                      .levels = levels});
  }
  void thread(unsigned group) {
    for (uint64_t node; (node = queue.take()) != device::kNoBlock;) {
      running[group] = int(levelOf[node]);
      for (int other : running)
        RL_ASSERT(other < 0 || unsigned(std::abs(other - running[group])) <= Bound);
      graph.runBlock(unsigned(node));
      running[group] = -1;
      queue.complete(node, graph.rows());
    }
  }
  void after() { graph.check(); }
};

} // namespace model

#endif // CILK2GPU_TEST_MODEL_GROUPSCENARIOS_H
