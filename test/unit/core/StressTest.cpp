// Tests of the shared channel with several threads: no element is lost or comes twice, elements hold the written
// values, and the channel drains. ThreadSanitizer also checks that plain data is handed over with an order.
#include "ChannelUnderTest.h"

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

using namespace cilk2gpu::rt;
using namespace cilk2gpu::rt::test;

namespace {

/// Returns a producer's number of elements for a width: the channel goes round some fifty times. On a busy machine,
/// each hand-over takes several time slices.
constexpr uint64_t elementsFor(uint64_t width) { return std::min<uint64_t>(50 * width, 5'000); }

/// Passes a dispatched range from the aggregator to one consumer thread.
struct alignas(64) Mailbox {
  ControlRange range;
  std::atomic<int> state{0}; // 0 empty, 1 full, 2 over
};

template <class Layout> class Stress {
public:
  Stress(uint64_t width, uint32_t granularity, unsigned producers, unsigned consumers)
      : c(width, granularity), width(width), elements(elementsFor(width)), producers(producers), mailboxes(consumers),
        seen(producers * elements) {}

  /// Returns the counts of compare-and-swap operations of all producers.
  CasCounts run(bool perLane) {
    std::vector<std::thread> threads;
    std::vector<CasCounts> counts(producers);
    for (unsigned p = 0; p < producers; ++p)
      threads.emplace_back([this, p, perLane, &counts] { produce(p, perLane, counts[p]); });
    for (Mailbox &mailbox : mailboxes)
      threads.emplace_back([this, &mailbox] { consume(mailbox); });
    aggregate();
    for (std::thread &thread : threads)
      thread.join();
    check();
    CasCounts sum;
    for (const CasCounts &one : counts)
      sum = {sum.attempted + one.attempted, sum.failed + one.failed};
    return sum;
  }

private:
  void produce(unsigned index, bool perLane, CasCounts &cas) {
    std::mt19937_64 random(index);
    uint64_t next = index * elements, end = next + elements;
    while (next < end) {
      HostWave wave(unsigned(random() % 64 + 1), random());
      HostWave::PerLane<uint32_t> counts;
      uint64_t left = end - next;
      wave.forEachLane([&](unsigned lane) {
        counts[lane] = uint32_t(std::min<uint64_t>(left, random() % 3));
        left -= counts[lane];
      });
      Grant mode = random() % 4 ? Grant::Partial : Grant::Whole;
      auto grant =
          perLane ? c.channel.tallocPerLane(wave, counts, mode, cas) : c.channel.talloc(wave, counts, mode, cas);
      wave.forEachLane([&](unsigned lane) {
        for (uint32_t i = 0; i < grant.count[lane]; ++i)
          c.write(grant.first[lane] + i, next++);
      });
      if (perLane)
        c.channel.enqPerLane(wave, grant.first, grant.count, cas);
      else
        c.channel.enq(wave, grant.first, grant.count, cas);
      if (!grant.granted)
        std::this_thread::yield();
    }
  }

  void consume(Mailbox &mailbox) {
    for (;;) {
      int state = mailbox.state.load(std::memory_order_acquire);
      if (state == 2)
        return;
      if (state == 0) {
        std::this_thread::yield();
        continue;
      }
      for (uint64_t value : c.consume(mailbox.range))
        seen[value].fetch_add(1, std::memory_order_relaxed);
      mailbox.state.store(0, std::memory_order_release);
    }
  }

  void aggregate() {
    uint64_t dispatched = 0;
    std::mt19937_64 random(width);
    while (dispatched < producers * elements) {
      bool idle = c.channel.reclaim(random() % 2 ? Reclaim::Drained : Reclaim::FullGroups) == 0;
      EXPECT_LE(c.channel.live(), width);
      for (Mailbox &mailbox : mailboxes)
        if (mailbox.state.load(std::memory_order_acquire) == 0) {
          ControlRange range = c.channel.dispatch(random() % 64 + 1);
          if (!range.count)
            continue;
          idle = false;
          dispatched += range.count;
          mailbox.range = range;
          mailbox.state.store(1, std::memory_order_release);
        }
      if (idle)
        std::this_thread::yield();
    }
    for (Mailbox &mailbox : mailboxes) {
      while (mailbox.state.load(std::memory_order_acquire) != 0)
        std::this_thread::yield();
      mailbox.state.store(2, std::memory_order_release);
    }
  }

  void check() {
    for (size_t i = 0; i < seen.size(); ++i)
      ASSERT_EQ(seen[i].load(std::memory_order_relaxed), 1) << "element " << i;
    EXPECT_EQ(c.channel.ready(), 0u);
    c.channel.reclaim(Reclaim::Drained);
    EXPECT_EQ(c.channel.live(), 0u);
  }

  ChannelUnderTest<Layout> c;
  uint64_t width, elements;
  unsigned producers;
  std::vector<Mailbox> mailboxes;
  std::vector<std::atomic<uint8_t>> seen;
};

TEST(SharedChannelStress, OneProducerOneConsumer) {
  for (uint64_t width : {64, 130, 1000})
    Stress<StructureOfArrays>(width, 64, 1, 1).run(false);
}

TEST(SharedChannelStress, TwoProducersOneConsumer) {
  Stress<StructureOfArrays>(3, 1, 2, 1).run(false);
  Stress<StructureOfArrays>(100, 64, 2, 1).run(false);
  Stress<ArrayOfStructures>(100, 2, 2, 1).run(false);
  Stress<StructureOfArrays>(4096, 64, 2, 1).run(false);
}

TEST(SharedChannelStress, OneProducerTwoConsumers) {
  Stress<ArrayOfStructures>(200, 64, 1, 2).run(false);
  Stress<PaddedStructures>(200, 2, 1, 2).run(false);
}

TEST(SharedChannelStress, WidthOne) { Stress<StructureOfArrays>(1, 64, 1, 1).run(false); }

TEST(SharedChannelStress, AggregationSavesCompareAndSwaps) {
  CasCounts aggregated = Stress<StructureOfArrays>(4096, 64, 2, 1).run(false);
  CasCounts baseline = Stress<StructureOfArrays>(4096, 64, 2, 1).run(true);
  EXPECT_LE(aggregated.failed, aggregated.attempted);
  EXPECT_LT(4 * aggregated.attempted, baseline.attempted);
}

} // namespace
