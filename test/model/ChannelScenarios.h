// The scenarios: each has a few threads around one channel, with assertions at every step and at the end. Values are
// small integers, each produced once, so bit masks can hold sets of them.
#ifndef CILK2GPU_TEST_MODEL_CHANNELSCENARIOS_H
#define CILK2GPU_TEST_MODEL_CHANNELSCENARIOS_H

#include "RelacyChannel.h"

namespace model {

/// The life of one element: reserve, write, publish; dispatch, consume, free.
struct Lifecycle : rl::test_suite<Lifecycle, 2> {
  ModelChannel<2, 1> c;
  void before() { c.initialise(); }
  void thread(unsigned index) {
    if (index == 0)
      c.produce(1, 0);
    else
      c.consumeAll(1);
  }
  void after() { c.checkDrained(); }
};

/// More elements than fit: slots and control entries are used again, over two laps of the control array.
template <unsigned Width, unsigned Granularity, unsigned Count>
struct Wrap : rl::test_suite<Wrap<Width, Granularity, Count>, 2> {
  ModelChannel<Width, Granularity> c;
  void before() { c.initialise(); }
  void thread(unsigned index) {
    if (index == 0)
      for (unsigned i = 0; i < Count; ++i)
        c.produce(1, int(i));
    else
      c.consumeAll((1u << Count) - 1);
  }
  void after() { c.checkDrained(); }
};

/// Two producers want one free element, and nobody frees. One gets it, the other is refused at once.
struct Full : rl::test_suite<Full, 2> {
  ModelChannel<2, 1> c;
  rl::var<unsigned> granted[2];
  void before() {
    c.initialise();
    c.publish(c.reserve(1, Grant::Whole));
  }
  void thread(unsigned index) {
    Span span = c.reserve(1, Grant::Whole);
    granted[index]($) = unsigned(span.count);
    c.write(span, int(index));
    c.publish(span);
  }
  void after() {
    RL_ASSERT(granted[0]($) + granted[1]($) == 1);
    RL_ASSERT(c.channel.ready() == 2 && c.channel.live() == 2);
    RL_ASSERT(c.reserve(1, Grant::Whole).count == 0);
  }
};

/// An aggregator looks a few times, with or without success. It never sees an element that is not published, and none
/// twice. Elements that it has not seen are still there at the end.
struct Empty : rl::test_suite<Empty, 2> {
  ModelChannel<2, 2> c;
  rl::var<unsigned> seen;
  void before() {
    c.initialise();
    RL_ASSERT(c.channel.ready() == 0 && c.channel.dispatch(1).count == 0);
  }
  void thread(unsigned index) {
    if (index == 0) {
      c.produce(1, 0);
      c.produce(1, 1);
    } else {
      unsigned all = 0;
      for (int look = 0; look < 2; ++look) {
        unsigned now = c.step(1, Reclaim::Drained);
        RL_ASSERT(!(all & now));
        all |= now;
      }
      seen($) = all;
    }
  }
  void after() {
    unsigned rest = c.step(2) | c.step(2);
    RL_ASSERT((rest | seen($)) == 3 && !(rest & seen($)));
    c.checkDrained();
  }
};

/// A producer returns reserved elements as soon as there is room again. A done count must be reset before its slots can
/// be reserved. Otherwise a return is lost, and the slots are never freed.
struct GiveBacks : rl::test_suite<GiveBacks, 2> {
  ModelChannel<1, 1> c;
  void before() { c.initialise(); }
  void thread(unsigned index) {
    for (unsigned i = 0; i < 3;) {
      if (index == 0) {
        Span span = c.reserve(1, Grant::Whole);
        c.giveBack(span);
        i += unsigned(span.count);
      } else {
        i += unsigned(c.channel.reclaim(Reclaim::FullGroups));
      }
      pause();
    }
  }
  void after() { c.checkDrained(); }
};

/// A consumer is slow to look at its control entry. Meanwhile, elements that were reserved before its own and published
/// after it go through, and others after them. The entry is still there.
struct SlowConsumer : rl::test_suite<SlowConsumer, 1> {
  ModelChannel<2, 1> c;
  void before() { c.initialise(); }
  void thread(unsigned) {
    Span first = c.reserve(1, Grant::Whole), second = c.reserve(1, Grant::Whole);
    c.write(first, 0);
    c.write(second, 1);
    c.publish(second);
    ControlRange slow = c.channel.dispatch(1);
    c.publish(first);
    RL_ASSERT(c.step(1) == 1 << 0);
    c.channel.reclaim(Reclaim::FullGroups);
    c.produce(1, 2);
    RL_ASSERT(c.consume(slow.first) == 1);
    RL_ASSERT(c.step(1) == 1 << 2);
  }
  void after() { c.checkDrained(); }
};

/// Two producers publish in either order; an earlier reservation never hides a later one.
struct TwoProducers : rl::test_suite<TwoProducers, 3> {
  ModelChannel<2, 1> c;
  void before() { c.initialise(); }
  void thread(unsigned index) {
    if (index < 2)
      c.produce(1, int(index));
    else
      c.consumeAll(3);
  }
  void after() { c.checkDrained(); }
};

/// Two producers of `Each` elements, a separate consumer, the aggregator: dispatched positions go through a mailbox.
template <unsigned Width, unsigned Each> struct FourParties : rl::test_suite<FourParties<Width, Each>, 4> {
  static constexpr unsigned kAll = (1u << 2 * Each) - 1;
  ModelChannel<Width, 1> c;
  rl::atomic<uint64_t> mailbox; // control position + 1; 0: none
  void before() {
    c.initialise();
    mailbox.store(0, rl::mo_relaxed, $);
  }
  void thread(unsigned index) {
    if (index < 2) {
      for (unsigned i = 0; i < Each; ++i)
        c.produce(1, int(Each * index + i));
    } else if (index == 2) {
      consumeAll();
    } else {
      for (unsigned sent = 0; sent < 2 * Each;) {
        c.channel.reclaim(Reclaim::FullGroups);
        if (mailbox.load(rl::mo_acquire, $) != 0) {
          pause();
          continue;
        }
        ControlRange range = c.channel.dispatch(1);
        if (range.count)
          mailbox.store(range.first + 1, rl::mo_release, $);
        else
          pause();
        sent += unsigned(range.count);
      }
    }
  }
  void consumeAll() {
    for (unsigned seen = 0; seen != kAll;) {
      uint64_t position = mailbox.load(rl::mo_acquire, $);
      if (!position) {
        pause();
        continue;
      }
      unsigned bit = 1u << c.consume(position - 1);
      RL_ASSERT(!(seen & bit));
      seen |= bit;
      mailbox.store(0, rl::mo_release, $);
    }
  }
  void after() { c.checkDrained(); }
};

/// The same four threads, but none waits. Each looks a few times, and the rest is still there at the end. Without
/// loops, the search reaches far.
template <unsigned Width> struct FourLooks : rl::test_suite<FourLooks<Width>, 4> {
  ModelChannel<Width, 1> c;
  rl::atomic<uint64_t> mailbox; // control position + 1; 0: none
  rl::var<bool> produced[2];
  rl::var<unsigned> seen;
  void before() {
    c.initialise();
    mailbox.store(0, rl::mo_relaxed, $);
    seen($) = 0;
  }
  void thread(unsigned index) {
    if (index < 2) {
      Span span = c.reserve(1, Grant::Whole);
      if (!span.count)
        span = c.reserve(1, Grant::Whole);
      produced[index]($) = span.count != 0;
      if (span.count) {
        c.write(span, int(index));
        c.publish(span);
      }
    } else {
      for (int look = 0; look < 2; ++look)
        index == 2 ? receive() : send();
    }
  }
  void receive() {
    if (uint64_t position = mailbox.load(rl::mo_acquire, $)) {
      seen($) = seen($) | 1u << c.consume(position - 1);
      mailbox.store(0, rl::mo_release, $);
    }
  }
  void send() {
    c.channel.reclaim(Reclaim::FullGroups);
    if (mailbox.load(rl::mo_acquire, $) != 0)
      return;
    ControlRange range = c.channel.dispatch(1);
    if (range.count)
      mailbox.store(range.first + 1, rl::mo_release, $);
  }
  void after() {
    receive();
    unsigned rest = c.step(1), last = c.step(1), all = unsigned(produced[0]($)) | unsigned(produced[1]($)) << 1;
    RL_ASSERT(all && (seen($) | rest | last) == all && !(seen($) & (rest | last)) && !(rest & last));
    c.checkDrained();
  }
};

/// Two waves of two lanes ask for four elements of three. They get three, in lane order, and publish them.
struct PartialGrants : rl::test_suite<PartialGrants, 2> {
  ModelChannel<3, 2> c;
  rl::var<unsigned> granted[2];
  void before() { c.initialise(); }
  void thread(unsigned index) {
    HostWave wave(2);
    HostWave::PerLane<uint32_t> counts;
    counts[0] = counts[1] = 1;
    CasCounts cas;
    auto grant = c.channel.talloc(wave, counts, Grant::Partial, cas);
    RL_ASSERT(grant.asked == 2 && grant.isPartial() == (grant.granted < 2));
    RL_ASSERT(grant.count[0] >= grant.count[1] && grant.count[0] + grant.count[1] == grant.granted);
    granted[index]($) = unsigned(grant.granted);
    for (unsigned lane = 0; lane < 2; ++lane)
      c.write({grant.first[lane], grant.count[lane]}, int(2 * index + lane));
    c.channel.enq(wave, grant.first, grant.count, cas);
  }
  void after() {
    RL_ASSERT(granted[0]($) + granted[1]($) == 3);
    unsigned seen = c.step(3);
    RL_ASSERT(seen == (granted[0]($) == 2 ? 7u : 13u));
    c.checkDrained();
  }
};

/// Two waves publish, and nobody else looks. A compare-and-swap fails only if the other wave's came between, once. A
/// wave whose turn it is not does not touch the tail.
struct PublishCounts : rl::test_suite<PublishCounts, 2> {
  ModelChannel<4, 4> c;
  Span spans[2];
  rl::var<unsigned> attempted[2], failed[2];
  void before() {
    c.initialise();
    for (unsigned i = 0; i < 2; ++i) {
      spans[i] = c.reserve(2, Grant::Whole);
      c.write(spans[i], int(2 * i));
    }
  }
  void thread(unsigned index) {
    CasCounts cas;
    c.publish(spans[index], cas);
    attempted[index]($) = unsigned(cas.attempted);
    failed[index]($) = unsigned(cas.failed);
  }
  void after() {
    unsigned failures = failed[0]($) + failed[1]($), successes = attempted[0]($) + attempted[1]($) - failures;
    RL_ASSERT(failures <= 1);
    RL_ASSERT(successes == 3 || successes == 4); // two reservations; the first wave moves the tail, the second perhaps
    RL_ASSERT(c.step(4) == 15);
    c.checkDrained();
  }
};

/// The last, unfilled group is closed while a producer reserves in it. The producer then wants the whole width.
template <unsigned Width, unsigned Granularity> struct CloseGroup : rl::test_suite<CloseGroup<Width, Granularity>, 2> {
  ModelChannel<Width, Granularity> c;
  void before() { c.initialise(); }
  void thread(unsigned index) {
    if (index == 0) {
      c.produce(1, 0);
      c.produce(Width, 1);
    } else {
      c.consumeAll((2u << Width) - 1, Reclaim::Drained);
    }
  }
  void after() { c.checkDrained(); }
};

/// Different threads free elements that share a done count. A third thread then reserves their slots again. Elements
/// given back count like consumed elements.
struct SharedDoneCount : rl::test_suite<SharedDoneCount, 3> {
  ModelChannel<3, 3> c;
  ControlRange range;
  Span unused;
  void before() {
    c.initialise();
    Span span = c.reserve(2, Grant::Whole);
    c.write(span, 0);
    c.publish(span);
    unused = c.reserve(1, Grant::Whole);
    range = c.channel.dispatch(2);
    RL_ASSERT(range.count == 2);
  }
  void thread(unsigned index) {
    if (index == 0) {
      RL_ASSERT(c.consume(range.first) == 0);
    } else if (index == 1) {
      RL_ASSERT(c.consume(range.first + 1) == 1);
      c.write(unused, 7);
      c.giveBack(unused);
    } else {
      while (!c.channel.reclaim(Reclaim::FullGroups))
        pause();
      c.produce(3, 2);
    }
  }
  void after() {
    RL_ASSERT(c.step(3) == 4 + 8 + 16);
    c.checkDrained();
  }
};

/// A producer sleeps between reserving and publishing. Meanwhile, there is as much control traffic as the data array
/// permits. The producer then overwrites a control entry whose element was freed, as only the other producer has seen.
/// Phases are relaxed: they order nothing but the schedule.
struct LatePublisher : rl::test_suite<LatePublisher, 2> {
  ModelChannel<3, 1> c;
  rl::atomic<int> phase;
  void before() {
    c.initialise();
    phase.store(0, rl::mo_relaxed, $);
  }
  void waitFor(int value) {
    while (phase.load(rl::mo_relaxed, $) != value)
      pause();
  }
  Span one() {
    Span span = c.reserve(1, Grant::Whole);
    RL_ASSERT(span.count == 1);
    return span;
  }
  void put(Span span, int value) {
    c.write(span, value);
    c.publish(span);
  }
  void takeOne(int value) {
    ControlRange range = c.channel.dispatch(1);
    RL_ASSERT(range.count == 1 && c.consume(range.first) == value);
    c.channel.reclaim(Reclaim::FullGroups);
  }
  void thread(unsigned index) {
    if (index == 1) {
      waitFor(1);
      Span late = c.reserve(1, Grant::Whole); // position 4
      if (late.count == 0) {                  // may not see yet that elements were freed
        phase.store(9, rl::mo_relaxed, $);
        return;
      }
      RL_ASSERT(late.first == 4);
      phase.store(2, rl::mo_relaxed, $);
      waitFor(3);
      put(late, 5);
      phase.store(4, rl::mo_relaxed, $);
      return;
    }
    Span p0 = one(), p1 = one(), p2 = one();
    put(p2, 0);
    ControlRange first = c.channel.dispatch(1);
    put(p0, 1);
    put(p1, 2);
    takeOne(1);
    takeOne(2);
    Span p3 = one(); // position 2 is still dispatched: 3 and 4 are free
    phase.store(1, rl::mo_relaxed, $);
    int next = 0;
    while ((next = phase.load(rl::mo_relaxed, $)) == 1)
      pause();
    if (next == 9)
      return;
    RL_ASSERT(c.consume(first.first) == 0); // the element is done here
    put(p3, 3);
    takeOne(3);
    Span p5 = one(), p6 = one();
    put(p5, 4);
    put(p6, 6);
    phase.store(3, rl::mo_relaxed, $);
    waitFor(4);
    unsigned seen = 0;
    while (seen != (1u << 4 | 1u << 5 | 1u << 6)) {
      unsigned now = c.step(1);
      if (!now)
        pause();
      seen |= now;
    }
  }
};

/// Everything at once, for long random runs: waves of two lanes, partial grants, returned elements, closed groups.
struct Mixed : rl::test_suite<Mixed, 4> {
  ModelChannel<4, 3> c;
  rl::atomic<int> mailbox; // control position + 1; 0: none; -1: over
  rl::atomic<int> consumed, produced, finished;
  void before() {
    c.initialise();
    mailbox.store(0, rl::mo_relaxed, $);
    consumed.store(0, rl::mo_relaxed, $);
    produced.store(0, rl::mo_relaxed, $);
    finished.store(0, rl::mo_relaxed, $);
  }
  void producer(unsigned index) {
    int value = int(index) * 8;
    for (unsigned round = 0; round < 3; ++round) {
      HostWave wave(2);
      HostWave::PerLane<uint32_t> counts;
      counts[0] = 1;
      counts[1] = round == 1 ? 2 : 1;
      CasCounts cas;
      auto grant = c.channel.talloc(wave, counts, Grant::Partial, cas);
      if (!grant.granted) {
        pause();
        continue;
      }
      if (round == 2 && grant.count[1]) {
        HostWave second(2, 2);
        c.channel.giveBack(second, grant.first, grant.count);
        grant.count[1] = 0;
      }
      for (unsigned lane = 0; lane < 2; ++lane) {
        c.write({grant.first[lane], grant.count[lane]}, value);
        value += int(grant.count[lane]);
      }
      produced.fetch_add(int(grant.count[0] + grant.count[1]), rl::mo_relaxed, $);
      c.channel.enq(wave, grant.first, grant.count, cas);
    }
    finished.fetch_add(1, rl::mo_release, $);
  }
  void consumer() {
    unsigned seen = 0;
    for (;;) {
      int position = mailbox.load(rl::mo_acquire, $);
      if (position < 0)
        return;
      if (!position) {
        pause();
        continue;
      }
      unsigned bit = 1u << c.consume(uint64_t(position) - 1);
      RL_ASSERT(!(seen & bit));
      seen |= bit;
      consumed.fetch_add(1, rl::mo_relaxed, $);
      mailbox.store(0, rl::mo_release, $);
    }
  }
  void thread(unsigned index) {
    if (index < 2)
      return producer(index);
    if (index == 2)
      return consumer();
    for (bool over = false; !over;) {
      over = finished.load(rl::mo_acquire, $) == 2;
      c.channel.reclaim(Reclaim::Drained);
      ControlRange range = c.channel.dispatch(1);
      over = over && !range.count;
      if (range.count)
        mailbox.store(int(range.first + 1), rl::mo_release, $);
      do
        pause();
      while (mailbox.load(rl::mo_acquire, $) != 0);
    }
    mailbox.store(-1, rl::mo_release, $);
  }
  void after() {
    RL_ASSERT(consumed.load(rl::mo_relaxed, $) == produced.load(rl::mo_relaxed, $));
    c.checkDrained();
  }
};

} // namespace model

#endif // CILK2GPU_TEST_MODEL_CHANNELSCENARIOS_H
