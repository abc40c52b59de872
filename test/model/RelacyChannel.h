// Common parts of the scenarios: the atomics policy that gives the shipped SharedChannel template to Relacy, an
// observer, and a channel with its data array. The observer checks every transition of every slot. States and data of
// slots are Relacy's plain variables: it reports two accesses without an order as a data race.
#ifndef CILK2GPU_TEST_MODEL_RELACYCHANNEL_H
#define CILK2GPU_TEST_MODEL_RELACYCHANNEL_H

#include "core/SharedChannel.h" // before Relacy, which redefines keywords

#include <relacy/relacy.hpp>

namespace model {

using namespace cilk2gpu::rt;

struct RelacyAtomics {
  /// Relacy places objects itself, without regard to larger alignments.
  static constexpr unsigned kLine = 8;
  template <class T> using Cell = rl::atomic<T>;

  static rl::memory_order orderOf(Order order) {
    switch (order) {
    case Order::Relaxed:
      return rl::mo_relaxed;
    case Order::Acquire:
      return rl::mo_acquire;
    case Order::Release:
      return rl::mo_release;
    case Order::AcquireRelease:
      return rl::mo_acq_rel;
    }
    return rl::mo_seq_cst;
  }
  template <class T> static T load(const rl::atomic<T> &cell, Order order) { return cell.load(orderOf(order), $); }
  template <class T> static void store(rl::atomic<T> &cell, T value, Order order) {
    cell.store(value, orderOf(order), $);
  }
  template <class T> static bool compareExchange(rl::atomic<T> &cell, T &expected, T desired, Order order) {
    return cell.compare_exchange_strong(expected, desired, orderOf(order), $, rl::mo_relaxed, $);
  }
  template <class T> static void add(rl::atomic<T> &cell, T value, Order order) {
    cell.fetch_add(value, orderOf(order), $);
  }
};

struct CheckTransitions {
  static constexpr bool kObserves = true;
  rl::var<int> *states = nullptr;
  rl::var<int> *entries = nullptr; // every access to a control entry accesses this, too
  void transition(uint64_t slot, ElementState to) {
    int from = states[slot]($);
    RL_ASSERT(isLegal(ElementState(from), to));
    states[slot]($) = int(to);
  }
  void controlWrite(uint64_t entry) { entries[entry]($) = 1; }
  void controlRead(uint64_t entry) { RL_ASSERT(entries[entry]($) == 1); }
};

/// Waits in a model: lets another thread run.
inline void pause() { rl::yield(1, $); }

template <unsigned Width, unsigned Granularity> struct ModelChannel {
  SharedChannel<RelacyAtomics, CheckTransitions> channel;
  rl::atomic<uint64_t> control[2 * Width];
  rl::atomic<uint32_t> done[(Width + Granularity - 1) / Granularity];
  rl::var<int> states[Width];
  rl::var<int> entries[2 * Width];
  rl::var<int> data[Width];

  void initialise() {
    channel.initialise({Width, Granularity}, control, done);
    channel.observer.states = states;
    channel.observer.entries = entries;
    for (unsigned i = 0; i < Width; ++i) {
      states[i]($) = int(ElementState::Available);
      data[i]($) = 0;
    }
  }

  /// Reserves up to `count` elements (all or none if Whole), and returns the granted elements.
  Span reserve(unsigned count, Grant grant) {
    ScalarWave wave;
    CasCounts cas;
    auto result = channel.talloc(wave, ScalarWave::PerLane<uint32_t>(count), grant, cas);
    RL_ASSERT(cas.failed <= cas.attempted && result.granted <= count);
    return {result.first[0], result.count[0]};
  }

  /// Writes value, value + 1, ... into reserved elements.
  void write(Span span, int value) {
    for (uint64_t i = 0; i < span.count; ++i)
      data[channel.slotOf(span.first + i)]($) = value + int(i);
  }

  void publish(Span span) {
    CasCounts cas;
    publish(span, cas);
  }
  void publish(Span span, CasCounts &cas) {
    ScalarWave wave;
    ScalarWave::PerLane<uint64_t> first(span.first);
    ScalarWave::PerLane<uint32_t> count{unsigned(span.count)};
    channel.enq(wave, first, count, cas);
  }

  void giveBack(Span span) {
    ScalarWave wave;
    ScalarWave::PerLane<uint64_t> first(span.first);
    ScalarWave::PerLane<uint32_t> count{unsigned(span.count)};
    channel.giveBack(wave, first, count);
  }

  /// Tries again until there is room, which other threads make.
  void produce(unsigned count, int value) {
    Span span = reserve(count, Grant::Whole);
    while (!span.count) {
      pause();
      span = reserve(count, Grant::Whole);
    }
    write(span, value);
    publish(span);
  }

  /// Reads and frees the element at a dispatched control position.
  int consume(uint64_t position) {
    uint64_t slot = channel.deq(position);
    RL_ASSERT(slot < Width);
    int value = data[slot]($);
    ScalarWave wave;
    channel.tfree(wave, ScalarWave::PerLane<uint64_t>(slot));
    return value;
  }

  /// Looks at the channel once: frees, then dispatches and consumes up to `most` elements. Returns the sum of the bits
  /// 1 << value of the consumed values; each value may come once.
  unsigned step(unsigned most, Reclaim mode = Reclaim::FullGroups) {
    channel.reclaim(mode);
    unsigned seen = 0;
    ControlRange range = channel.dispatch(most);
    for (uint64_t i = 0; i < range.count; ++i) {
      unsigned bit = 1u << consume(range.first + i);
      RL_ASSERT(!(seen & bit));
      seen |= bit;
    }
    return seen;
  }

  /// Looks until all the values in `wanted` have come, each once.
  void consumeAll(unsigned wanted, Reclaim mode = Reclaim::FullGroups) {
    unsigned seen = 0;
    while (seen != wanted) {
      unsigned now = step(2, mode);
      RL_ASSERT(!(seen & now) && !(now & ~wanted));
      seen |= now;
      if (!now)
        pause();
    }
  }

  /// Checks the end: the channel drains, and then the whole width can be reserved.
  void checkDrained() {
    RL_ASSERT(channel.ready() == 0);
    channel.reclaim(Reclaim::Drained);
    RL_ASSERT(channel.live() == 0);
    Span all = reserve(Width, Grant::Whole);
    RL_ASSERT(all.count == Width);
  }
};

} // namespace model

#endif // CILK2GPU_TEST_MODEL_RELACYCHANNEL_H
