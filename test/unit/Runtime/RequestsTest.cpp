// Tests of requests from a GPU's lanes to the host: a thread serves while lanes, as fibers, wait for it.
#include "device/HostLanes.h"
#include "device/RequestClient.h"
#include "host/RequestServer.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <sched.h>
#include <string>
#include <thread>
#include <vector>

namespace cilk2gpu {
namespace {

using abi::HostFunction;

std::unique_ptr<abi::RequestQueue> queue;
uint32_t locks[abi::kRequestSlots];
std::vector<uint64_t> results;

device::RequestClient client() { return device::RequestClient(queue.get(), locks); }

/// Runs `lanes` lanes while another thread serves them; returns how many requests that thread saw.
uint64_t runServed(abi::LaneFn body, uint32_t lanes, uint32_t wave, uint64_t seed) {
  queue = std::make_unique<abi::RequestQueue>();
  memset(queue.get(), 0, sizeof *queue);
  results.assign(lanes, 0);
  std::atomic<bool> isDone = false;
  uint64_t served = 0;
  std::thread host([&] {
    rt::RequestServer server(*queue, /*allocates=*/true);
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

/// What `print` writes to a stream.
template <class Print> std::string written(Print print) {
  char *text = nullptr;
  size_t bytes = 0;
  FILE *stream = open_memstream(&text, &bytes);
  int printed = print(stream);
  fclose(stream);
  std::string result(text, bytes);
  free(text);
  EXPECT_EQ(printed, int(bytes));
  return result;
}

std::string formatted(const char *format, std::vector<uint64_t> words) {
  return written([&](FILE *stream) { return rt::printWords(stream, format, words.data(), uint32_t(words.size())); });
}

uint64_t word(double value) { return __builtin_bit_cast(uint64_t, value); }
uint64_t word(const char *text) { return reinterpret_cast<uint64_t>(text); }

class Requests : public testing::TestWithParam<uint32_t> {};

} // namespace

TEST_P(Requests, EachLaneGetsItsOwnAnswer) {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    uint64_t served = runServed(
        [](abi::Wave *, uint64_t lane, uint32_t) {
          auto *memory = reinterpret_cast<uint64_t *>(client().call(HostFunction::Call_malloc, sizeof(uint64_t)));
          *memory = lane;
          // Some lanes grow it, at the same time as others give theirs back.
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

TEST_P(Requests, LanesPrint) {
  std::string text = written([](FILE *stream) {
    static FILE *to;
    to = stream;
    runServed(
        [](abi::Wave *, uint64_t lane, uint32_t) {
          uint64_t words[] = {reinterpret_cast<uint64_t>(to), word("lane %d of %s\n"), lane, word("a wave")};
          results[lane] = client().ask(HostFunction::Print, words, 4);
        },
        20, GetParam(), 3);
    int total = 0;
    for (uint64_t each : results)
      total += int(each);
    return total;
  });
  for (int lane = 0; lane < 20; ++lane)
    EXPECT_NE(text.find("lane " + std::to_string(lane) + " of a wave\n"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Waves, Requests, testing::Values(1u, 3u, 32u, 64u));

TEST(PrintWords, IsWhatPrintfPrints) {
  EXPECT_EQ(formatted("plain %% text\n", {}), "plain % text\n");
  EXPECT_EQ(formatted("%d %u %x %hhd", {uint64_t(-5), uint64_t(-1), 255, uint64_t(-3)}), "-5 4294967295 ff -3");
  // An int's upper half is what the lane's register had.
  EXPECT_EQ(formatted("%d|%u", {0xffffffff00000007, 0xffffffff00000007}), "7|7");
  EXPECT_EQ(formatted("%ld %lu %llx %zu", {uint64_t(-5), uint64_t(-1), ~uint64_t(0), 9}), "-5 18446744073709551615 ffffffffffffffff 9");
  EXPECT_EQ(formatted("[%5d] [%-5d] [%05d] [%+d]", {42, 42, 42, 42}), "[   42] [42   ] [00042] [+42]");
  EXPECT_EQ(formatted("[%*d] [%.*f] [%*.*f]", {6, 42, 2, word(3.14159), 8, 3, word(2.5)}), "[    42] [3.14] [   2.500]");
  EXPECT_EQ(formatted("%s %.2s %c %p", {word("abc"), word("xyz"), 'q', 0x10}), "abc xy q 0x10");
  EXPECT_EQ(formatted("%g %e %a", {word(0.5), word(1e10), word(1.0)}), "0.5 1.000000e+10 0x1p+0");
}

TEST(PrintWords, LeavesWhatItCannotPrint) {
  EXPECT_EQ(formatted("%d %d", {1}), "1 %d");
  EXPECT_EQ(formatted("100%", {}), "100%");
  EXPECT_EQ(formatted("%n %k", {1, 2}), "%n %k");
}

TEST(RequestsDeathTest, AllocationIsRefusedWhereTheDeviceCouldNotUseIt) {
  auto requests = std::make_unique<abi::RequestQueue>();
  memset(requests.get(), 0, sizeof *requests);
  abi::RequestSlot &slot = requests->slots[5];
  slot.lanes = 1;
  slot.calls[0] = {HostFunction::Call_malloc, 1};
  slot.posted = 1;
  EXPECT_EXIT(rt::RequestServer(*requests, /*allocates=*/false).serve(), testing::ExitedWithCode(1),
              "a task on the GPU allocates memory, but the device does not reach pageable memory");
}

} // namespace cilk2gpu
