// Tests of the device runtime (runtime/device) with lanes as fibers. Whatever groups lanes form, each gets an element
// or a frame of its own, and a full channel refuses.
#include "cilk2gpu/abi/Device.h"
#include "device/DeviceMachine.h"
#include "device/WaveFolds.h"
#include "executors/gpu-host/HostLanes.h"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <set>
#include <type_traits>
#include <vector>

namespace cilk2gpu {
namespace {

/// A wave of lanes over one channel, one post-sync kernel and a store of frames.
struct Dispatch {
  explicit Dispatch(uint32_t lanes, uint64_t room)
      : results(lanes, 0), free(lanes), returns(lanes), published(lanes), yielded(lanes), sites(lanes) {
    spawn = {nullptr, 0, room};
    syncColumn[0] = published.data();
    sync = {syncColumn, 0, lanes};
    restartColumns[0] = yielded.data();
    restartColumns[1] = sites.data();
    restart = {restartColumns, 0, lanes};
    for (uint32_t i = 0; i < lanes; ++i)
      free[i] = &free[i];
    frames = {free.data(), lanes, 0, returns.data(), 0};
    wave = {nullptr, 0, lanes, 0, spawns, syncs, &restart, &frames};
    columns[0] = results.data();
    wave.columns = columns;
  }

  std::vector<uint64_t> results;
  std::vector<void *> free, returns, published, yielded;
  std::vector<uint32_t> sites;
  abi::Cursor spawn, sync, restart;
  void *syncColumn[1], *restartColumns[2], *columns[1];
  abi::Cursor *spawns[1] = {&spawn}, *syncs[2] = {nullptr, &sync};
  abi::FrameStore frames;
  abi::Wave wave;
};

void run(Dispatch &dispatch, abi::LaneFn body, uint32_t wave, uint64_t seed) {
  device::HostLanes lanes(wave, seed, 1 << 16);
  lanes.run(body, &dispatch.wave, /*restarts=*/false);
}

uint64_t &resultOf(abi::Wave *wave, uint64_t lane) { return static_cast<uint64_t *>(wave->columns[0])[lane]; }

class DeviceLanes : public testing::TestWithParam<uint32_t> {};

} // namespace

TEST_P(DeviceLanes, EachElementIsReservedOnceAndTheRestRefused) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Dispatch dispatch(100, 150);
    // One or two elements each, with lanes at different places at the same time.
    run(
        dispatch,
        [](abi::Wave *wave, uint64_t lane, uint32_t) {
          if (lane % 3 == 0)
            resultOf(wave, lane) += __cilk2gpu_device_talloc(wave, 0) != abi::kRefused;
          for (uint64_t i = 0; i <= lane % 2; ++i)
            resultOf(wave, lane) += __cilk2gpu_device_talloc(wave, 0) != abi::kRefused;
        },
        GetParam(), seed);
    uint64_t granted = 0;
    for (uint64_t each : dispatch.results)
      granted += each;
    EXPECT_EQ(granted, 150u);
    EXPECT_EQ(dispatch.spawn.next, 184u); // 34 + 100 + 50 were asked for
  }
}

TEST_P(DeviceLanes, LanesOfAGroupMayWantDifferentThings) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Dispatch dispatch(120, 1000);
    run(
        dispatch,
        [](abi::Wave *wave, uint64_t lane, uint32_t) {
          // A single call in the code, with several counters.
          void *frame = &wave->frames->free[lane];
          if (lane % 2)
            __cilk2gpu_device_publish(wave, 1, frame);
          else if (lane % 4)
            __cilk2gpu_device_yield(wave, frame, 3);
          else
            resultOf(wave, lane) = __cilk2gpu_device_talloc(wave, 0);
        },
        GetParam(), seed);
    EXPECT_EQ(dispatch.sync.next, 60u);
    EXPECT_EQ(dispatch.restart.next, 30u);
    EXPECT_EQ(dispatch.spawn.next, 30u);
    std::set<void *> all(dispatch.published.begin(), dispatch.published.begin() + 60);
    all.insert(dispatch.yielded.begin(), dispatch.yielded.begin() + 30);
    EXPECT_EQ(all.size(), 90u);
  }
}

TEST_P(DeviceLanes, IndicesAreDistinct) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Dispatch dispatch(130, 130);
    run(
        dispatch,
        [](abi::Wave *wave, uint64_t lane, uint32_t) { resultOf(wave, lane) = __cilk2gpu_device_talloc(wave, 0); },
        GetParam(), seed);
    std::sort(dispatch.results.begin(), dispatch.results.end());
    for (uint64_t i = 0; i < 130; ++i)
      EXPECT_EQ(dispatch.results[i], i);
  }
}

TEST_P(DeviceLanes, FramesAreTakenReturnedPublishedAndSaved) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Dispatch dispatch(90, 0);
    run(
        dispatch,
        [](abi::Wave *wave, uint64_t lane, uint32_t) {
          if (lane % 10 == 9)
            return;
          void *frame = __cilk2gpu_device_frame(wave);
          if (lane % 3 == 0)
            __cilk2gpu_device_tfree(wave, frame);
          else if (lane % 3 == 1)
            __cilk2gpu_device_publish(wave, 1, frame);
          else
            __cilk2gpu_device_yield(wave, frame, 7);
        },
        GetParam(), seed);
    EXPECT_EQ(dispatch.frames.taken, 81u);
    EXPECT_EQ(dispatch.frames.returned + dispatch.sync.next + dispatch.restart.next, 81u);
    std::vector<void *> all(dispatch.returns.begin(), dispatch.returns.begin() + dispatch.frames.returned);
    all.insert(all.end(), dispatch.published.begin(), dispatch.published.begin() + dispatch.sync.next);
    all.insert(all.end(), dispatch.yielded.begin(), dispatch.yielded.begin() + dispatch.restart.next);
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
    for (uint64_t i = 0; i < dispatch.restart.next; ++i)
      EXPECT_EQ(dispatch.sites[i], 7u);
  }
}

namespace {

/// Returns small, large and negative values, to be folded into `wave->first` accumulators in column 0.
uint64_t foldedValue(uint64_t lane) { return (lane * 0x9e3779b97f4a7c15 + 1) ^ (lane << 7); }
/// Siblings, which share an accumulator, are neighbours in some dispatches.
constexpr uint64_t kSiblings = 10;
uint64_t accumulatorOf(uint64_t lane, uint64_t accumulators) {
  return accumulators == 200 / kSiblings ? lane / kSiblings : lane * lane % accumulators;
}

template <class T, abi::Fold kind> void foldLane(abi::Wave *wave, uint64_t lane, uint32_t) {
  T *to = static_cast<T *>(wave->columns[0]) + accumulatorOf(lane, wave->first);
  if (lane % 11 != 5) // some lanes never fold
    __cilk2gpu_device_fold(to, foldedValue(lane), kind, sizeof(T));
}

template <class T, abi::Fold kind> T foldedInto(T a, T b) {
  using Signed = std::make_signed_t<T>;
  switch (kind) {
  case abi::Fold::Add:
    return T(a + b);
  case abi::Fold::And:
    return a & b;
  case abi::Fold::Or:
    return a | b;
  case abi::Fold::Xor:
    return a ^ b;
  case abi::Fold::Max:
    return std::max(Signed(a), Signed(b));
  case abi::Fold::Min:
    return std::min(Signed(a), Signed(b));
  case abi::Fold::UnsignedMax:
    return std::max(a, b);
  case abi::Fold::UnsignedMin:
    return std::min(a, b);
  }
  return 0;
}

template <class T, abi::Fold kind> void checkFold(uint32_t wave, uint64_t seed) {
  for (uint64_t accumulators : {uint64_t(1), uint64_t(2), 200 / kSiblings, uint64_t(97)}) {
    std::vector<T> actual(accumulators, T(12)), expected(accumulators, T(12));
    Dispatch dispatch(200, 0);
    dispatch.columns[0] = actual.data();
    dispatch.wave.first = accumulators;
    run(dispatch, foldLane<T, kind>, wave, seed);
    for (uint64_t lane = 0; lane < 200; ++lane)
      if (T &to = expected[accumulatorOf(lane, accumulators)]; lane % 11 != 5)
        to = foldedInto<T, kind>(to, T(foldedValue(lane)));
    EXPECT_EQ(actual, expected) << "fold " << uint32_t(kind) << " of " << sizeof(T) << " bytes, wave " << wave
                                << ", seed " << seed;
  }
}

template <abi::Fold kind> void checkFolds(uint32_t wave) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    checkFold<uint8_t, kind>(wave, seed);
    checkFold<uint16_t, kind>(wave, seed);
    checkFold<uint32_t, kind>(wave, seed);
    checkFold<uint64_t, kind>(wave, seed);
  }
}

} // namespace

TEST_P(DeviceLanes, FoldsAreThoseOfLanesOneByOne) {
  checkFolds<abi::Fold::Add>(GetParam());
  checkFolds<abi::Fold::And>(GetParam());
  checkFolds<abi::Fold::Or>(GetParam());
  checkFolds<abi::Fold::Xor>(GetParam());
  checkFolds<abi::Fold::Max>(GetParam());
  checkFolds<abi::Fold::Min>(GetParam());
  checkFolds<abi::Fold::UnsignedMax>(GetParam());
  checkFolds<abi::Fold::UnsignedMin>(GetParam());
}

TEST_P(DeviceLanes, FloatingPointNumbersAreSummed) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    struct {
      double wide;
      float narrow;
    } sums[3] = {{0.25, 0.5f}, {0, 0}, {-1, -0.0f}};
    Dispatch dispatch(100, 0);
    dispatch.columns[0] = sums;
    run(
        dispatch,
        [](abi::Wave *wave, uint64_t lane, uint32_t) {
          auto *to = static_cast<decltype(&sums[0])>(wave->columns[0]) + lane / 5 % 3;
          __cilk2gpu_device_fold(&to->wide, std::bit_cast<uint64_t>(lane * 0.5), abi::Fold::FloatAdd, 8);
          __cilk2gpu_device_fold(&to->narrow, std::bit_cast<uint32_t>(lane * -2.0f), abi::Fold::FloatAdd, 4);
        },
        GetParam(), seed);
    for (unsigned i = 0; i < 3; ++i) {
      double expected = 0;
      for (unsigned lane = 0; lane < 100; ++lane)
        expected += lane / 5 % 3 == i ? lane : 0;
      const double first[] = {0.25, 0, -1};
      EXPECT_EQ(sums[i].wide, expected * 0.5 + first[i]);
      EXPECT_EQ(sums[i].narrow, float(expected * -2 + (i == 0 ? 0.5 : 0)));
    }
  }
}

TEST_P(DeviceLanes, FoldsOfDifferentKindsDoNotMix) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Dispatch dispatch(100, 0);
    uint64_t sums[2] = {0, 0};
    dispatch.columns[0] = sums;
    // Calls of one kind come from two places. Calls of another kind, or of another size, to the same address are not
    // joined with them.
    run(
        dispatch,
        [](abi::Wave *wave, uint64_t lane, uint32_t) {
          auto *to = static_cast<uint64_t *>(wave->columns[0]);
          bool half = lane % 2;
          __cilk2gpu_device_fold(&to[half], half ? lane : 1, half ? abi::Fold::Max : abi::Fold::Add, half ? 8 : 4);
        },
        GetParam(), seed);
    EXPECT_EQ(sums[0], 50u);
    EXPECT_EQ(sums[1], 99u);
  }
}

namespace {

uint64_t updates = 0; ///< updates of memory

struct CountingMachine : device::Machine {
  static void update(abi::Fold, uint64_t *to, uint64_t value) {
    *to += value;
    ++updates;
  }
};

} // namespace

TEST(DeviceFolds, MemoryIsUpdatedOncePerAccumulatorWhereSiblingsStandTogether) {
  uint64_t least = ~uint64_t(0);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    uint64_t sums[64 / kSiblings + 1] = {};
    Dispatch dispatch(64, 0);
    dispatch.columns[0] = sums;
    updates = 0;
    run(
        dispatch,
        [](abi::Wave *wave, uint64_t lane, uint32_t) {
          auto *to = static_cast<uint64_t *>(wave->columns[0]);
          device::Folds<CountingMachine>::fold(abi::Fold::Add, &to[lane / kSiblings], lane);
        },
        64, seed);
    EXPECT_EQ(sums[0], 45u);
    EXPECT_EQ(sums[6], 60u + 61 + 62 + 63);
    EXPECT_GE(updates, std::size(sums));
    least = std::min(least, updates);
  }
  EXPECT_EQ(least, 64 / kSiblings + 1); // if the whole wavefront was one group
}

INSTANTIATE_TEST_SUITE_P(Waves, DeviceLanes, testing::Values(1u, 3u, 32u, 64u));

TEST(HostLanes, GroupsPartAsTheSeedSays) {
  auto partial = [](uint64_t seed) {
    Dispatch dispatch(640, 640);
    device::HostLanes lanes(64, seed, 1 << 16);
    lanes.run([](abi::Wave *wave, uint64_t, uint32_t) { __cilk2gpu_device_talloc(wave, 0); }, &dispatch.wave, false);
    return lanes.partialGroups();
  };
  EXPECT_EQ(partial(1), partial(1));
  EXPECT_GT(partial(1) + partial(2) + partial(3), 0u);
}

} // namespace cilk2gpu
