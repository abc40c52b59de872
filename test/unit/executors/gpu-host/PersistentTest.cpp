// Tests of the persistent kernel on the host, with an aggregator and workers that run beside one another. The results
// are those of simple recursion, at every wave size, width and number of workers, and workers end with the run.
#include "Machine.h"
#include "executors/gpu-host/PersistentHost.h"

#include <gtest/gtest.h>
#include <set>

using namespace cilk2gpu::test;

namespace cilk2gpu {
namespace {

constexpr uint64_t kStack = 1 << 17;

/// A machine whose kernels run in a persistent kernel.
struct Persistent {
  Persistent(uint32_t wave, uint64_t width, uint32_t workers, uint64_t seed = 1)
      : kernel(wave, seed, kStack, workers), machine(limits(wave, width), kernel.hooks()) {}

  static rt::Limits limits(uint32_t wave, uint64_t width) {
    rt::Limits result{wave, width};
    result.block = 4096;
    return result;
  }

  void launch() {
    kernel.launch(
        {[](void *pool) { static_cast<rt::WorkerPool *>(pool)->run(); }, &machine.pool, &machine.pool.memory()});
  }

  int64_t run(const Program &program, int32_t argument) {
    int64_t result = -1;
    machine.enqueue(program.root, argument, &result);
    launch();
    return result;
  }

  device::PersistentHost kernel;
  Machine machine;
};

class PersistentShapes : public testing::TestWithParam<std::tuple<uint32_t, uint64_t, uint32_t>> {
protected:
  void check(const Program &program, int32_t argument) {
    auto [wave, width, workers] = GetParam();
    SCOPED_TRACE(testing::Message() << program.name << "(" << argument << ") wave " << wave << " width " << width
                                    << " workers " << workers);
    Expected expected = program.plain(argument);
    Persistent persistent(wave, width, workers);
    EXPECT_EQ(persistent.run(program, argument), expected.result);
    rt::Counters counters = persistent.machine.counters();
    EXPECT_EQ(counters.tasks, expected.tasks);
    EXPECT_EQ(counters.post_sync_lanes, expected.resumed);
    EXPECT_EQ(counters.yields, counters.restarted_lanes);
    EXPECT_EQ(persistent.kernel.launches(), 1u);
    EXPECT_EQ(persistent.kernel.threads(), workers + 1u);
  }
};

TEST_P(PersistentShapes, Fib) { check(fib, 14); }
TEST_P(PersistentShapes, LoopOverManyChildren) { check(loop, 3000); }

INSTANTIATE_TEST_SUITE_P(All, PersistentShapes,
                         testing::Combine(testing::Values(1u, 3u, 32u, 64u), testing::Values(1u, 64u, 8192u),
                                          testing::Values(1u, 2u, 5u)));

TEST(PersistentHost, IsLaunchedOncePerRun) {
  Persistent persistent(32, 4096, 3);
  for (int32_t n = 1; n <= 10; ++n)
    EXPECT_EQ(persistent.run(fib, n), fib.plain(n).result);
  EXPECT_EQ(persistent.kernel.launches(), 10u);
  EXPECT_EQ(persistent.kernel.threads(), 40u);
  persistent.launch(); // with nothing to do
  EXPECT_EQ(persistent.kernel.launches(), 11u);
}

TEST(PersistentHost, HasAsManyWorkersAsItIsLimitedTo) {
  Persistent persistent(4, 4096, 6);
  EXPECT_EQ(persistent.kernel.workers(), 6u);
  persistent.kernel.limit(2);
  EXPECT_EQ(persistent.kernel.workers(), 2u);
  EXPECT_EQ(persistent.kernel.most(), 6u);
  EXPECT_EQ(persistent.run(fib, 12), 144);
  EXPECT_EQ(persistent.kernel.threads(), 3u);
}

/// Workers that ran a dispatch's lanes, by lane.
uint32_t ranOn[1000];

TEST(PersistentHost, SharesOutADispatchInWholeWavefronts) {
  abi::KernelRecord record = {.name = "who.k0", .run = [](abi::Wave *) {}};
  record.lane = [](abi::Wave *, uint64_t lane, uint32_t) { ranOn[lane] = rt::currentWorker(); };
  abi::TaskRecord task = {.name = "who", .kernels = &record, .numKernels = 1};
  struct Dispatches {
    device::PersistentHost kernel{32, 1, kStack, 3};
    rt::Environment environment = rt::hostEnvironment();
    rt::TaskTable tasks{environment};
    rt::Arena arena{environment};
    const rt::TaskInfo *task;
  } test;
  test.task = test.tasks.add(&task);
  auto aggregate = [](void *context) {
    auto &test = *static_cast<Dispatches *>(context);
    for (uint32_t lanes : {1u, 32u, 33u, 96u, 97u, 1000u}) {
      for (uint32_t &each : ranOn)
        each = ~0u;
      abi::Wave wave = {};
      wave.lanes = lanes;
      test.kernel.hooks()->dispatch(test.kernel.hooks()->context, *test.task, false, &wave);
      std::set<uint32_t> workers;
      for (uint32_t lane = 0; lane < lanes; ++lane) {
        workers.insert(ranOn[lane]);
        EXPECT_EQ(ranOn[lane], ranOn[lane / 32 * 32]) << lane;
      }
      EXPECT_EQ(*workers.rbegin() + 1, workers.size()) << lanes;
      EXPECT_LE(workers.size(), 3u);
      EXPECT_EQ(workers.size(), lanes <= 32 ? 1u : lanes <= 64 ? 2u : lanes == 97 ? 2u : 3u) << lanes;
      for (uint32_t lane = lanes; lane < 1000; ++lane)
        EXPECT_EQ(ranOn[lane], ~0u) << lane;
    }
  };
  test.kernel.launch({aggregate, &test, &test.arena});
  test.tasks.destroy();
}

} // namespace
} // namespace cilk2gpu
