// Tests of requests from a GPU's lanes to the host: a thread serves while lanes, as fibers, wait for it.
#include "device/RequestClient.h"
#include "executors/gpu-host/HostLanes.h"
#include "process/RequestServer.h"

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <sched.h>
#include <thread>
#include <vector>

namespace cilk2gpu {
namespace {

using abi::HostFunction;

std::unique_ptr<abi::RequestQueue> queue;
uint32_t locks[abi::kRequestSlots];
std::vector<uint64_t> results;

device::RequestClient client() { return device::RequestClient(queue.get(), locks); }

/// Runs `lanes` lanes while another thread serves them. Returns the number of requests that this thread saw.
uint64_t runServed(abi::LaneFn body, uint32_t lanes, uint32_t wave, uint64_t seed) {
  queue = std::make_unique<abi::RequestQueue>();
  memset(queue.get(), 0, sizeof *queue);
  results.assign(lanes, 0);
  std::atomic<bool> isDone = false;
  uint64_t served = 0;
  std::thread host([&] {
    rt::RequestServer server(*queue, rt::ReachableMemory::Any);
    while (!isDone)
      if (uint64_t lanes = server.serve())
        served += lanes;
      else
        sched_yield();
  });
  abi::Wave dispatched = {};
  dispatched.lanes = lanes;
  device::HostLanes hostLanes(wave, seed, 1 << 16);
  hostLanes.run(body, &dispatched, /*restarts=*/false);
  isDone = true;
  host.join();
  return served;
}

class Requests : public testing::TestWithParam<uint32_t> {};

} // namespace

TEST_P(Requests, EachLaneGetsItsOwnAnswer) {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    uint64_t served = runServed(
        [](abi::Wave *, uint64_t lane, uint32_t) {
          auto *memory = reinterpret_cast<uint64_t *>(client().call(HostFunction::Call_malloc, sizeof(uint64_t)));
          *memory = lane;
          // Some lanes grow their memory, while others free theirs.
          if (lane % 3 == 0)
            memory = reinterpret_cast<uint64_t *>(client().call(HostFunction::Call_realloc, memory, 4096));
          results[lane] = *memory;
          client().call(HostFunction::Call_free, memory);
        },
        200, GetParam(), seed);
    EXPECT_EQ(served, 200u + 67u + 200u);
    for (uint64_t lane = 0; lane < 200; ++lane)
      EXPECT_EQ(results[lane], lane);
  }
}

TEST_P(Requests, TheHostCallsThunks) {
  uint64_t served = runServed(
      [](abi::Wave *, uint64_t lane, uint32_t) {
        // Lanes ask for different functions together.
        void (*thunk)(uint64_t *) = lane % 2 ? +[](uint64_t *words) { words[0] = words[0] * 10 + words[1]; }
                                             : +[](uint64_t *words) { words[0] -= words[2]; };
        results[lane] = client().call(HostFunction::Thunk, thunk, lane, uint64_t(7), uint64_t(3));
      },
      100, GetParam(), 5);
  EXPECT_EQ(served, 100u);
  for (uint64_t lane = 0; lane < 100; ++lane)
    EXPECT_EQ(results[lane], lane % 2 ? lane * 10 + 7 : lane - 3);
}

TEST_P(Requests, ThunksHaveTwoResults) {
  runServed(
      [](abi::Wave *, uint64_t lane, uint32_t) {
        void (*divide)(uint64_t *) = [](uint64_t *words) {
          uint64_t number = words[0], divisor = words[1];
          words[0] = number / divisor;
          words[1] = number % divisor;
        };
        uint64_t words[] = {reinterpret_cast<uint64_t>(divide), lane, 7}, rest = 0;
        results[lane] = client().ask(HostFunction::Thunk, words, 3, &rest) * 100 + rest;
      },
      100, GetParam(), 5);
  for (uint64_t lane = 0; lane < 100; ++lane)
    EXPECT_EQ(results[lane], lane / 7 * 100 + lane % 7);
}

INSTANTIATE_TEST_SUITE_P(Waves, Requests, testing::Values(1u, 3u, 32u, 64u));

/// Serves a request of one lane for a device that does not reach pageable memory.
static void serveUnreached(abi::RequestCall call) {
  auto requests = std::make_unique<abi::RequestQueue>();
  memset(requests.get(), 0, sizeof *requests);
  abi::RequestSlot &slot = requests->slots[5];
  slot.lanes = 1;
  slot.calls[0] = call;
  slot.posted = 1;
  rt::RequestServer(*requests, rt::ReachableMemory::None).serve();
}

TEST(RequestsDeathTest, AllocationIsRefusedWhereTheDeviceCouldNotUseIt) {
  EXPECT_EXIT(serveUnreached({HostFunction::Call_malloc, 1}), testing::ExitedWithCode(1),
              "a task on the GPU allocates memory, but the device does not reach pageable memory");
  EXPECT_EXIT(serveUnreached({HostFunction::Share, 2}), testing::ExitedWithCode(1),
              "hands the address of a local variable, .* but the device does not reach pageable memory");
}

} // namespace cilk2gpu
