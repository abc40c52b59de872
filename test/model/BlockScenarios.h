// Scenarios of runtime/blocks/ReadyBlocks.h: workers that run a small graph of thread blocks, and one that goes to
// sleep. What a block writes is a plain variable of Relacy's, so a missing order is a data race.
#ifndef CILK2GPU_TEST_MODEL_BLOCKSCENARIOS_H
#define CILK2GPU_TEST_MODEL_BLOCKSCENARIOS_H

#include "blocks/ReadyBlocks.h" // before Relacy, which redefines keywords

#include "RelacyOrder.h"

namespace model {

using namespace cilk2gpu::rt;

struct RelacyWords {
  template <class T> using Cell = rl::atomic<T>;
  /// Relacy places objects itself, without regard to larger alignments.
  static constexpr unsigned kLine = 8;

  template <class T> static T load(const rl::atomic<T> &cell, int order) { return cell.load(orderOf(order), $); }
  template <class T> static void store(rl::atomic<T> &cell, T value, int order) {
    cell.store(value, orderOf(order), $);
  }
  template <class T> static T exchange(rl::atomic<T> &cell, T value, int order) {
    return cell.exchange(value, orderOf(order), $);
  }
  template <class T> static T add(rl::atomic<T> &cell, T value, int order) {
    return cell.fetch_add(value, orderOf(order), $);
  }
  template <class T> static bool compareExchange(rl::atomic<T> &cell, T &expected, T value, int order) {
    return cell.compare_exchange_weak(expected, value, orderOf(order), $, rl::mo_relaxed, $);
  }
};

using Ready = ReadyBlocks<RelacyWords>;

/// A graph of a few nodes: children[node] is a set of bits.
template <unsigned N> struct SmallGraph {
  unsigned children[N];
};
inline constexpr SmallGraph<4> kDiamond = {{0b0110, 0b1000, 0b1000, 0}};
inline constexpr SmallGraph<5> kFanIn = {{0b11000, 0b11000, 0b10000, 0, 0}}; // 3 has two parents, and 4 has three
/// Two blocks, each with two children of its own: two workers share a block at the same time.
inline constexpr SmallGraph<6> kTwoFans = {{0b001100, 0b110000, 0, 0, 0, 0}};
inline constexpr SmallGraph<6> kFanOut = {{0b001110, 0b110000, 0, 0, 0, 0}}; // 2 and 3 are shared together, then 5
inline constexpr SmallGraph<6> kWavefront = {{0b001010, 0b010100, 0b100000, 0b010000, 0b100000, 0}};

/// Workers run all blocks of a graph as SharedBlocks does: a worker goes on with a child, and shares the others.
template <unsigned N, const SmallGraph<N> &Graph, unsigned Workers>
struct RunGraph : rl::test_suite<RunGraph<N, Graph, Workers>, Workers> {
  Ready ready;
  rl::atomic<uint32_t> slots[N], counts[N];
  rl::atomic<unsigned> finished;
  rl::var<int> runs[N];

  static bool isEdge(unsigned parent, unsigned child) { return Graph.children[parent] >> child & 1; }

  void before() {
    ready.initialise(slots, N);
    finished.store(0, rl::mo_relaxed, $);
    for (unsigned node = 0; node < N; ++node) {
      slots[node].store(0, rl::mo_relaxed, $);
      runs[node]($) = 0;
      unsigned parents = 0;
      for (unsigned parent = 0; parent < N; ++parent)
        parents += isEdge(parent, node);
      counts[node].store(parents, rl::mo_relaxed, $);
    }
    for (unsigned node = 0; node < N; ++node)
      if (!counts[node].load(rl::mo_relaxed, $))
        ready.push(node);
  }

  void runBlock(unsigned node) {
    for (unsigned parent = 0; parent < N; ++parent)
      if (isEdge(parent, node))
        RL_ASSERT(runs[parent]($) == 1);
    runs[node]($) += 1;
  }

  uint64_t complete(unsigned node) {
    uint64_t kept = Ready::kNone;
    uint32_t others[N], numOthers = 0;
    for (unsigned child = 0; child < N; ++child)
      if (isEdge(node, child) && countDown<RelacyWords>(counts[child])) {
        if (kept == Ready::kNone)
          kept = child;
        else
          others[numOthers++] = child;
      }
    if (numOthers == 1)
      ready.push(others[0]);
    else if (numOthers)
      ready.push(others, numOthers);
    finished.fetch_add(1, rl::mo_acq_rel, $);
    return kept;
  }

  void thread(unsigned) {
    while (finished.load(rl::mo_acquire, $) != N) {
      uint64_t node = ready.pop();
      if (node == Ready::kNone)
        rl::yield(1, $);
      for (; node != Ready::kNone; node = complete(unsigned(node)))
        runBlock(unsigned(node));
    }
    for (unsigned node = 0; node < N; ++node) // who sees that the run is over has seen all blocks
      RL_ASSERT(runs[node]($) == 1);
  }
};

/// One worker pushes a block while another goes to sleep. A block that the sleeper did not find wakes it.
struct Sleep : rl::test_suite<Sleep, 2> {
  Ready ready;
  rl::atomic<uint32_t> slots[1];
  rl::var<int> isTold, isFound;

  void before() {
    slots[0].store(0, rl::mo_relaxed, $);
    ready.initialise(slots, 1);
    isTold($) = isFound($) = 0;
  }
  void thread(unsigned index) {
    if (index == 0) {
      isTold($) = ready.push(0);
      return;
    }
    ready.beginSleep();
    isFound($) = ready.pop() == 0;
  }
  void after() { RL_ASSERT(isTold($) || isFound($)); }
};

/// One worker pushes two blocks at once while two others go to sleep. Each block that they did not find wakes them.
struct SleepTogether : rl::test_suite<SleepTogether, 3> {
  Ready ready;
  rl::atomic<uint32_t> slots[2];
  rl::var<int> isTold, isFound[2];

  void before() {
    for (rl::atomic<uint32_t> &slot : slots)
      slot.store(0, rl::mo_relaxed, $);
    ready.initialise(slots, 2);
    isTold($) = isFound[0]($) = isFound[1]($) = 0;
  }
  void thread(unsigned index) {
    if (index == 0) {
      const uint32_t blocks[] = {0, 1};
      isTold($) = ready.push(blocks, 2);
      return;
    }
    ready.beginSleep();
    isFound[index - 1]($) = ready.pop() != Ready::kNone;
  }
  void after() { RL_ASSERT(isTold($) || (isFound[0]($) && isFound[1]($))); }
};

} // namespace model

#endif // CILK2GPU_TEST_MODEL_BLOCKSCENARIOS_H
