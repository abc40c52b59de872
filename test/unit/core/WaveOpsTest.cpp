// Tests that a host wave's operations have the results of a simple loop, for every number of lanes and any active mask.
#include "core/WaveOps.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace cilk2gpu::rt;

namespace {

std::vector<uint64_t> masks(unsigned lanes, std::mt19937_64 &random) {
  uint64_t all = lanes == 64 ? ~uint64_t(0) : (uint64_t(1) << lanes) - 1;
  return {all, 0, uint64_t(1) << (lanes - 1), random() & all, random() & random() & all};
}

TEST(WaveOps, VisitsActiveLanesInOrder) {
  std::mt19937_64 random(1);
  for (unsigned lanes = 1; lanes <= 64; ++lanes)
    for (uint64_t mask : masks(lanes, random)) {
      uint64_t seen = 0;
      int previous = -1;
      HostWave(lanes, mask).forEachLane([&](unsigned lane) {
        EXPECT_GT(int(lane), previous);
        previous = int(lane);
        seen |= uint64_t(1) << lane;
      });
      EXPECT_EQ(seen, mask);
      EXPECT_EQ(HostWave(lanes, mask).activeMask(), mask);
    }
}

TEST(WaveOps, IgnoresActiveBitsBeyondTheLanes) {
  EXPECT_EQ(HostWave(3).activeMask(), 7u);
  EXPECT_EQ(HostWave(64).activeMask(), ~uint64_t(0));
  EXPECT_EQ(HostWave(1, 6).activeMask(), 0u);
}

TEST(WaveOps, SumsAndVotesOverActiveLanesOnly) {
  std::mt19937_64 random(2);
  for (unsigned lanes = 1; lanes <= 64; ++lanes)
    for (uint64_t mask : masks(lanes, random)) {
      HostWave wave(lanes, mask);
      HostWave::PerLane<uint32_t> in;
      HostWave::PerLane<uint64_t> out;
      HostWave::PerLane<bool> odd;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        in[lane] = uint32_t(random());
        odd[lane] = in[lane] & 1;
      }
      uint64_t total = wave.exclusiveSum(in, out), sum = 0, votes = 0;
      for (unsigned lane = 0; lane < lanes; ++lane)
        if (mask >> lane & 1) {
          EXPECT_EQ(out[lane], sum);
          sum += in[lane];
          votes |= uint64_t(in[lane] & 1) << lane;
          EXPECT_EQ(wave.broadcastFrom(in, lane), in[lane]);
        }
      EXPECT_EQ(total, sum);
      EXPECT_EQ(wave.ballot(odd), votes);
    }
}

TEST(WaveOps, ScalarWaveIsAWaveOfOneLane) {
  ScalarWave wave;
  ScalarWave::PerLane<uint64_t> out(7);
  EXPECT_EQ(wave.exclusiveSum(5, out), 5u);
  EXPECT_EQ(out[0], 0u);
  EXPECT_EQ(wave.ballot(true), 1u);
  EXPECT_EQ(wave.ballot(false), 0u);
  EXPECT_EQ(wave.activeMask(), 1u);
}

} // namespace
