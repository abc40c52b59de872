// Tests of the shared channel in one thread: states, wrapping, full and empty channels, grants, order of freeing. They
// run with every width up to 130 in every layout, and check the exact number of compare-and-swap operations.
#include "ChannelUnderTest.h"

#include <algorithm>
#include <deque>
#include <random>

using namespace cilk2gpu::rt;
using namespace cilk2gpu::rt::test;

namespace {

using Soa = ChannelUnderTest<StructureOfArrays>;
using Values = std::vector<uint64_t>;

HostWave::PerLane<uint32_t> perLane(std::initializer_list<uint32_t> counts) {
  HostWave::PerLane<uint32_t> result;
  unsigned lane = 0;
  for (uint32_t count : counts)
    result[lane++] = count;
  return result;
}

TEST(ElementState, ListsTheLegalTransitions) {
  using S = ElementState;
  const std::pair<S, S> legal[] = {{S::Available, S::Reserved}, {S::Reserved, S::Ready}, {S::Ready, S::Dispatched},
                                   {S::Dispatched, S::Done},    {S::Reserved, S::Done},  {S::Done, S::Available}};
  int count = 0;
  for (int from = 0; from < 5; ++from)
    for (int to = 0; to < 5; ++to)
      count += isLegal(S(from), S(to));
  EXPECT_EQ(count, 6);
  for (auto [from, to] : legal)
    EXPECT_TRUE(isLegal(from, to));
}

TEST(SharedChannel, TakesAnElementThroughItsStates) {
  Soa c(2, 1);
  ScalarWave wave;
  CasCounts cas;
  EXPECT_EQ(c.state(0), ElementState::Available);
  auto grant = c.channel.talloc(wave, ScalarWave::PerLane<uint32_t>(1), Grant::Whole, cas);
  EXPECT_EQ(c.state(0), ElementState::Reserved);
  EXPECT_EQ(c.channel.ready(), 0u);
  c.write(grant.first[0], 5);
  c.channel.enq(wave, grant.first, grant.count, cas);
  EXPECT_EQ(c.state(0), ElementState::Ready);
  EXPECT_EQ(c.channel.ready(), 1u);
  ControlRange range = c.channel.dispatch(64);
  EXPECT_EQ(c.state(0), ElementState::Dispatched);
  EXPECT_EQ(c.channel.reclaim(Reclaim::Drained), 0u);
  EXPECT_EQ(c.consume(range), Values{5});
  EXPECT_EQ(c.state(0), ElementState::Done);
  EXPECT_EQ(c.channel.live(), 1u);
  EXPECT_EQ(c.channel.reclaim(Reclaim::FullGroups), 1u);
  EXPECT_EQ(c.state(0), ElementState::Available);
  EXPECT_EQ(c.channel.live(), 0u);
}

TEST(SharedChannel, IsEmptyUntilSomethingIsPublished) {
  Soa c(8, 64);
  EXPECT_EQ(c.channel.ready(), 0u);
  EXPECT_EQ(c.channel.dispatch(64).count, 0u);
  EXPECT_EQ(c.channel.reclaim(Reclaim::FullGroups), 0u);
  EXPECT_EQ(c.channel.reclaim(Reclaim::Drained), 0u);
  EXPECT_EQ(c.channel.live(), 0u);
}

TEST(SharedChannel, NothingAskedForCostsNothing) {
  Soa c(8, 64);
  HostWave wave(64), none(64, 0);
  CasCounts cas;
  EXPECT_EQ(c.produce(wave, perLane({}), 0, Grant::Whole, cas), 0u);
  EXPECT_EQ(c.produce(none, perLane({1, 1}), 0, Grant::Whole, cas), 0u);
  EXPECT_EQ(cas.attempted, 0u);
}

TEST(SharedChannel, WholeGrantsAreAllOrNothing) {
  Soa c(5, 1);
  EXPECT_EQ(c.produceOnes(3, 0, Grant::Whole), 3u);
  EXPECT_EQ(c.produceOnes(3, 3, Grant::Whole), 0u);
  EXPECT_EQ(c.channel.live(), 3u);
  EXPECT_EQ(c.produceOnes(2, 3, Grant::Whole), 2u);
  EXPECT_EQ(c.produceOnes(6, 5, Grant::Whole), 0u);
  EXPECT_EQ(c.take(64), (Values{0, 1, 2, 3, 4}));
}

TEST(SharedChannel, PartialGrantsGoToTheFirstLanes) {
  Soa c(5, 1);
  HostWave wave(4);
  CasCounts cas;
  auto grant = c.channel.talloc(wave, perLane({2, 0, 4, 1}), Grant::Partial, cas);
  EXPECT_TRUE(grant.isPartial());
  EXPECT_EQ(grant.asked, 7u);
  EXPECT_EQ(grant.granted, 5u);
  EXPECT_EQ(grant.count[0], 2u);
  EXPECT_EQ(grant.count[1], 0u);
  EXPECT_EQ(grant.count[2], 3u);
  EXPECT_EQ(grant.count[3], 0u);
  EXPECT_EQ(grant.first[2], grant.first[0] + 2);
  auto refused = c.channel.talloc(wave, perLane({1}), Grant::Partial, cas);
  EXPECT_EQ(refused.granted, 0u);
  EXPECT_TRUE(refused.isPartial());
  EXPECT_EQ(cas.attempted, 1u); // the refused reservation does not try
}

TEST(SharedChannel, ALaterReservationMayBePublishedFirst) {
  Soa c(8, 1);
  ScalarWave wave;
  CasCounts cas;
  ScalarWave::PerLane<uint32_t> two(2);
  auto early = c.channel.talloc(wave, two, Grant::Whole, cas), late = c.channel.talloc(wave, two, Grant::Whole, cas);
  c.write(late.first[0], 10), c.write(late.first[0] + 1, 11);
  c.channel.enq(wave, late.first, late.count, cas);
  EXPECT_EQ(c.take(64), (Values{10, 11}));
  EXPECT_EQ(c.channel.reclaim(Reclaim::Drained), 0u); // freed in the order of reservation
  c.write(early.first[0], 20), c.write(early.first[0] + 1, 21);
  c.channel.enq(wave, early.first, early.count, cas);
  EXPECT_EQ(c.take(64), (Values{20, 21}));
  EXPECT_EQ(c.channel.reclaim(Reclaim::FullGroups), 4u);
}

TEST(SharedChannel, FreesWholeGroupsInOrder) {
  Soa c(130, 64); // groups of 64, 64 and 2
  EXPECT_EQ(c.produceOnes(64, 0) + c.produceOnes(64, 64) + c.produceOnes(64, 128), 130u);
  ControlRange first = c.channel.dispatch(1), rest = c.channel.dispatch(63), second = c.channel.dispatch(64);
  c.consume(second);
  c.take(64);
  EXPECT_EQ(c.channel.reclaim(Reclaim::FullGroups), 0u);
  c.consume(rest);
  EXPECT_EQ(c.channel.reclaim(Reclaim::Drained), 0u);
  EXPECT_EQ(c.produceOnes(1, 0), 0u);
  c.consume(first);
  EXPECT_EQ(c.channel.reclaim(Reclaim::FullGroups), 130u);
  EXPECT_EQ(c.channel.live(), 0u);
}

TEST(SharedChannel, ClosesAnUnfilledGroupOnlyWhenAllIsDone) {
  Soa c(64, 64);
  c.produceOnes(10, 0);
  EXPECT_EQ(c.produceOnes(64, 0, Grant::Whole), 0u);
  ControlRange nine = c.channel.dispatch(9), last = c.channel.dispatch(9);
  c.consume(nine);
  EXPECT_EQ(c.channel.reclaim(Reclaim::Drained), 0u);
  c.consume(last);
  EXPECT_EQ(c.channel.reclaim(Reclaim::FullGroups), 0u);
  EXPECT_EQ(c.produceOnes(64, 0, Grant::Whole), 0u); // done, but not freed
  EXPECT_EQ(c.channel.reclaim(Reclaim::Drained), 64u);
  EXPECT_EQ(c.channel.live(), 0u);
  EXPECT_EQ(c.produceOnes(64, 100, Grant::Whole), 64u);
  EXPECT_EQ(c.take(64).size(), 64u);
  EXPECT_EQ(c.channel.reclaim(Reclaim::FullGroups), 64u);
}

TEST(SharedChannel, GivenBackElementsCountAsDone) {
  Soa c(4, 2);
  HostWave wave(4), half(4, 10);
  CasCounts cas;
  auto grant = c.channel.talloc(wave, perLane({1, 1, 1, 1}), Grant::Whole, cas);
  c.channel.giveBack(half, grant.first, grant.count);
  EXPECT_EQ(c.state(1), ElementState::Done);
  EXPECT_EQ(c.channel.reclaim(Reclaim::Drained), 0u);
  HostWave others(4, 5);
  c.write(grant.first[0], 1), c.write(grant.first[2], 2);
  c.channel.enq(others, grant.first, grant.count, cas);
  EXPECT_EQ(c.take(64), (Values{1, 2}));
  EXPECT_EQ(c.channel.reclaim(Reclaim::FullGroups), 4u);
}

TEST(SharedChannel, OneCompareAndSwapPerWaveAndStep) {
  for (unsigned lanes = 1; lanes <= 64; ++lanes) {
    Soa c(256, 64);
    HostWave wave(lanes);
    HostWave::PerLane<uint32_t> counts;
    for (unsigned lane = 0; lane < lanes; ++lane)
      counts[lane] = lane % 3 + 1;
    CasCounts reserve, publish;
    auto grant = c.channel.talloc(wave, counts, Grant::Whole, reserve);
    EXPECT_EQ(reserve.attempted, 1u);
    c.channel.enq(wave, grant.first, grant.count, publish);
    EXPECT_EQ(publish.attempted, 2u); // reserveTail and tail
    EXPECT_EQ(reserve.failed + publish.failed, 0u);
  }
}

TEST(SharedChannel, TheBaselineNeedsOnePerLaneAndStep) {
  for (unsigned lanes = 1; lanes <= 64; ++lanes) {
    Soa c(256, 64);
    HostWave wave(lanes);
    HostWave::PerLane<uint32_t> counts;
    uint64_t active = 0, total = 0;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      counts[lane] = lane % 3;
      active += counts[lane] != 0;
      total += counts[lane];
    }
    CasCounts reserve, publish;
    auto grant = c.channel.tallocPerLane(wave, counts, Grant::Whole, reserve);
    EXPECT_EQ(grant.granted, total);
    EXPECT_EQ(grant.asked, total);
    EXPECT_EQ(reserve.attempted, active);
    c.channel.enqPerLane(wave, grant.first, grant.count, publish);
    EXPECT_EQ(publish.attempted, 2 * active);
    EXPECT_EQ(c.channel.ready(), total);
  }
}

TEST(SharedChannel, RefusesShapesOutOfRange) {
  EXPECT_FALSE((ChannelShape{0, 64}.isValid()));
  EXPECT_FALSE((ChannelShape{1, 0}.isValid()));
  EXPECT_FALSE((ChannelShape{(uint64_t(1) << 31) + 1, 64}.isValid()));
  EXPECT_TRUE((ChannelShape{uint64_t(1) << 31}.isValid()));
  EXPECT_EQ((ChannelShape{130, 64}.doneCounts()), 3u);
  EXPECT_EQ((ChannelShape{128, 64}.doneCounts()), 2u);
  EXPECT_EQ((ChannelShape{1, 64}.doneCounts()), 1u);
  EXPECT_EQ((ChannelShape{5, 64}.controlEntries()), 10u);
}

/// Takes random steps, checked against a model. Waves of any size ask, publish late and out of order, or give elements
/// back. Ranges are consumed out of order.
template <class Layout> class RandomSteps {
public:
  RandomSteps(uint64_t width, uint32_t granularity, uint64_t origin)
      : c(width, granularity, origin), width(width), granularity(granularity), random(width * 1000 + granularity) {}

  void run(int steps) {
    for (int step = 0; step < steps && !testing::Test::HasFailure(); ++step)
      oneStep();
    while (!reserved.empty())
      publish();
    while (c.channel.ready())
      dispatched.push_back(c.channel.dispatch(64));
    while (!dispatched.empty())
      consume();
    c.channel.reclaim(Reclaim::Drained);
    EXPECT_EQ(c.channel.live(), 0u);
    EXPECT_EQ(consumed, published);
    EXPECT_TRUE(expected.empty());
    EXPECT_GT(published, width); // went round
  }

private:
  struct Held {
    HostWave wave;
    WaveGrant<HostWave> grant;
  };

  void oneStep() {
    switch (random() % 5) {
    case 0:
      return reserve();
    case 1:
      return reserved.empty() ? reserve() : publish();
    case 2:
      if (ControlRange range = c.channel.dispatch(random() % 64 + 1); range.count)
        dispatched.push_back(range);
      return;
    case 3:
      return dispatched.empty() ? void() : consume();
    default:
      bool drained = random() % 2;
      c.channel.reclaim(drained ? Reclaim::Drained : Reclaim::FullGroups);
      if (granularity == 1 || (drained && inUse == 0)) {
        EXPECT_EQ(c.channel.live() == 0, inUse == 0);
      }
    }
  }

  void reserve() {
    Held held = {HostWave(unsigned(random() % 64 + 1), random()), {}};
    HostWave::PerLane<uint32_t> counts;
    for (unsigned lane = 0; lane < 64; ++lane)
      counts[lane] = random() % 4 ? 0 : uint32_t(random() % 3);
    Grant mode = random() % 2 ? Grant::Partial : Grant::Whole;
    uint64_t room = width - c.channel.live();
    CasCounts cas;
    held.grant = c.channel.talloc(held.wave, counts, mode, cas);
    uint64_t asked = held.grant.asked;
    EXPECT_EQ(held.grant.granted, asked <= room ? asked : mode == Grant::Partial ? room : 0);
    EXPECT_EQ(cas.attempted, held.grant.granted ? 1u : 0u);
    uint64_t sum = 0;
    held.wave.forEachLane([&](unsigned lane) {
      for (uint32_t i = 0; i < held.grant.count[lane]; ++i)
        c.write(held.grant.first[lane] + i, held.grant.first[lane] + i);
      sum += held.grant.count[lane];
    });
    EXPECT_EQ(sum, held.grant.granted);
    inUse += sum;
    if (held.grant.granted)
      reserved.push_back(held);
  }

  void publish() {
    size_t index = random() % reserved.size();
    Held held = reserved[index];
    reserved.erase(reserved.begin() + long(index));
    if (random() % 8 == 0) {
      c.channel.giveBack(held.wave, held.grant.first, held.grant.count);
      inUse -= held.grant.granted;
      return;
    }
    held.wave.forEachLane([&](unsigned lane) {
      for (uint32_t i = 0; i < held.grant.count[lane]; ++i)
        expected.push_back(held.grant.first[lane] + i);
    });
    CasCounts cas;
    c.channel.enq(held.wave, held.grant.first, held.grant.count, cas);
    EXPECT_EQ(cas.attempted, 2u);
    published += held.grant.granted;
  }

  /// Consumes a range. Control positions are given out in the order of publication.
  void consume() {
    size_t index = random() % dispatched.size();
    ControlRange range = dispatched[index];
    dispatched.erase(dispatched.begin() + long(index));
    for (uint64_t value : c.consume(range)) {
      auto found = std::find(expected.begin(), expected.end(), value);
      ASSERT_NE(found, expected.end());
      expected.erase(found);
    }
    consumed += range.count;
    inUse -= range.count;
  }

  ChannelUnderTest<Layout> c;
  uint64_t width, granularity;
  std::mt19937_64 random;
  std::vector<Held> reserved;
  std::vector<ControlRange> dispatched;
  std::deque<uint64_t> expected;
  uint64_t published = 0, consumed = 0, inUse = 0;
};

template <class Layout> class EveryWidth : public testing::Test {};
using Layouts = testing::Types<StructureOfArrays, ArrayOfStructures, PaddedStructures>;
TYPED_TEST_SUITE(EveryWidth, Layouts);

TYPED_TEST(EveryWidth, BehavesLikeTheModel) {
  for (uint64_t width = 1; width <= 130; ++width)
    for (uint32_t granularity : {1, 2, 64}) {
      SCOPED_TRACE(testing::Message() << "width " << width << " granularity " << granularity);
      RandomSteps<TypeParam>(width, granularity, 0).run(600);
      if (this->HasFailure())
        return;
    }
}

TEST(SharedChannel, PositionsPass32BitsAndLapsAreToldApart) {
  for (uint64_t width : {1, 3, 64, 100})
    for (uint64_t laps : {uint64_t(1), (uint64_t(1) << 32) / (2 * width), (uint64_t(1) << 62) / (2 * width) + 1})
      for (uint32_t granularity : {1, 64})
        RandomSteps<StructureOfArrays>(width, granularity, laps * 2 * width).run(1500);
}

} // namespace
