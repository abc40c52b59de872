// A shared channel with memory of its own, elements of three fields in a given layout, and an observer that checks
// every transition. The observer's states are plain variables: under ThreadSanitizer, they also check the ordering.
#ifndef CILK2GPU_TEST_UNIT_CORE_CHANNELUNDERTEST_H
#define CILK2GPU_TEST_UNIT_CORE_CHANNELUNDERTEST_H

#include "core/ChannelLayout.h"
#include "core/SharedChannel.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace cilk2gpu::rt::test {

struct CheckTransitions {
  static constexpr bool kObserves = true;
  ElementState *states = nullptr;
  uint8_t *entries = nullptr; // plain, like the states
  void transition(uint64_t slot, ElementState to) {
    if (!isLegal(states[slot], to)) {
      ADD_FAILURE() << "slot " << slot << ": state " << int(states[slot]) << " -> " << int(to);
      abort();
    }
    states[slot] = to;
  }
  void controlWrite(uint64_t entry) { entries[entry] = 1; }
  void controlRead(uint64_t entry) { EXPECT_EQ(entries[entry], 1); }
};

/// Fields: 0 uint8_t, 1 uint64_t, 2 uint32_t; all three hold the element's value.
template <class Layout> class ChannelUnderTest {
public:
  using Channel = SharedChannel<BuiltinAtomics<>, CheckTransitions>;
  Channel channel;

  ChannelUnderTest(uint64_t width, uint32_t granularity, uint64_t origin = 0)
      : shape{width, granularity}, control(shape.controlEntries()), done(shape.doneCounts()),
        states(width, ElementState::Available), entries(shape.controlEntries()) {
    static const abi::FieldRecord fields[] = {{1, 1}, {8, 8}, {4, 4}};
    EXPECT_TRUE(shape.isValid());
    StoreSize size = Layout::place(fields, 3, width, places);
    memory.reset(aligned_alloc(size.align, (size.bytes + size.align - 1) / size.align * size.align));
    store = {static_cast<char *>(memory.get()), places};
    channel.initialise(shape, control.data(), done.data(), origin);
    channel.observer.states = states.data();
    channel.observer.entries = entries.data();
  }

  void write(uint64_t position, uint64_t value) {
    uint64_t slot = channel.slotOf(position);
    store.template field<uint8_t>(0, slot) = uint8_t(value);
    store.template field<uint64_t>(1, slot) = value;
    store.template field<uint32_t>(2, slot) = uint32_t(3 * value);
  }

  uint64_t read(uint64_t slot) const {
    uint64_t value = store.template field<uint64_t>(1, slot);
    EXPECT_EQ(store.template field<uint8_t>(0, slot), uint8_t(value));
    EXPECT_EQ(store.template field<uint32_t>(2, slot), uint32_t(3 * value));
    return value;
  }

  /// Makes a wave reserve counts[i] elements for each active lane, write value, value + 1, ... in lane order, and
  /// publish.
  template <class Wave>
  uint64_t produce(Wave &wave, typename Wave::template PerLane<uint32_t> counts, uint64_t value, Grant grant,
                   CasCounts &cas) {
    auto result = channel.talloc(wave, counts, grant, cas);
    wave.forEachLane([&](unsigned lane) {
      for (uint32_t i = 0; i < result.count[lane]; ++i)
        write(result.first[lane] + i, value++);
    });
    channel.enq(wave, result.first, result.count, cas);
    return result.granted;
  }

  /// Makes `lanes` lanes ask for an element each; returns the number of lanes that got one.
  uint64_t produceOnes(unsigned lanes, uint64_t value, Grant grant = Grant::Partial) {
    HostWave wave(lanes);
    CasCounts cas;
    HostWave::PerLane<uint32_t> counts;
    for (unsigned lane = 0; lane < lanes; ++lane)
      counts[lane] = 1;
    return produce(wave, counts, value, grant, cas);
  }

  /// Makes a wave of at most 64 lanes take a range; returns the values in lane order.
  std::vector<uint64_t> consume(ControlRange range) {
    std::vector<uint64_t> values;
    if (!range.count)
      return values;
    HostWave wave{unsigned(range.count)};
    HostWave::PerLane<uint64_t> slots;
    wave.forEachLane([&](unsigned lane) {
      slots[lane] = channel.deq(range.first + lane);
      values.push_back(read(slots[lane]));
    });
    channel.tfree(wave, slots);
    return values;
  }

  std::vector<uint64_t> take(uint64_t most) { return consume(channel.dispatch(most)); }
  ElementState state(uint64_t slot) const { return states[slot]; }

private:
  struct Free {
    void operator()(void *pointer) const { free(pointer); }
  };
  ChannelShape shape;
  std::vector<Channel::ControlCell> control;
  std::vector<Channel::CountCell> done;
  std::vector<ElementState> states;
  std::vector<uint8_t> entries;
  FieldLayout places[3];
  std::unique_ptr<void, Free> memory;
  ElementStore store;
};

} // namespace cilk2gpu::rt::test

#endif // CILK2GPU_TEST_UNIT_CORE_CHANNELUNDERTEST_H
