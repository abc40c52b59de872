// Tests that results depend neither on the number of workers nor on hand-overs. Threads start only for runs that take
// long enough. Tasks on these threads have the signals and rounding modes of the host thread. The tests also fork.
#include "Machine.h"

#include <atomic>
#include <fenv.h>
#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <signal.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace cilk2gpu {
namespace {

using namespace cilk2gpu::test;

/// Hands over at every opportunity: far more often than a program would.
constexpr rt::Sharing kAlways = {0, 0, 0};

class ManyWorkers : public testing::TestWithParam<std::tuple<uint32_t, uint32_t, uint64_t>> {
protected:
  void check(const Program &program, int32_t argument) {
    auto [workers, wave, width] = GetParam();
    Expected expected = program.plain(argument);
    Machine machine(wave, width, workers, kAlways);
    for (int round = 0; round < 3; ++round)
      ASSERT_EQ(machine.run(program, argument), expected.result) << program.name << " round " << round;
    rt::Counters counters = machine.counters();
    EXPECT_EQ(counters.tasks, 3 * expected.tasks);
    EXPECT_EQ(counters.spawned, 3 * (expected.tasks - 1));
    EXPECT_EQ(counters.post_sync_lanes, 3 * expected.resumed);
    EXPECT_EQ(counters.yields, counters.restarted_lanes);
    EXPECT_LE(counters.threads, workers - 1);
    EXPECT_EQ(counters.stolen_blocks == 0, counters.stolen_elements == 0);
    stolen += counters.stolen_blocks;
  }
  uint64_t stolen = 0;
};

TEST_P(ManyWorkers, ResultsAndCountsAreThoseOfOneWorker) {
  check(fib, 19);
  check(loop, 3000);
  check(mutual, 17);
  check(syncInLoop, 12);
  check(twoSyncs, 18);
  check(chain, 500);
  if (std::get<2>(GetParam()) > 1)
    EXPECT_GT(stolen, 0u) << "nothing was stolen: this tests nothing";
}

INSTANTIATE_TEST_SUITE_P(Shapes, ManyWorkers,
                         testing::Combine(testing::Values(2, 3, 8), testing::Values(1, 4, 64),
                                          testing::Values(1, 2, 64, 8192)),
                         [](const auto &info) {
                           return "Workers" + std::to_string(std::get<0>(info.param)) + "Wave" +
                                  std::to_string(std::get<1>(info.param)) + "Width" +
                                  std::to_string(std::get<2>(info.param));
                         });

TEST(Workers, ShortRunsStartNoThreads) {
  Machine machine(64, 4096, 8, {1'000'000'000, 0, 0});
  EXPECT_EQ(machine.run(fib, 20), 6765);
  EXPECT_EQ(machine.counters().threads, 0u);
}

TEST(Workers, LongRunsStartThemOnce) {
  Machine machine(64, 4096, 3);
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(machine.run(fib, 27), 196418);
  rt::Counters counters = machine.counters();
  EXPECT_EQ(counters.threads, 2u);
  EXPECT_GT(counters.stolen_blocks, 0u);
}

TEST(Workers, BarredOnesStartNoThreads) {
  Machine machine(64, 4096, 3, kAlways);
  EXPECT_TRUE(machine.pool.limit(1));
  EXPECT_EQ(machine.pool.available(), 1u);
  EXPECT_EQ(machine.run(fib, 22), 17711);
  EXPECT_EQ(machine.counters().threads, 0u);
  EXPECT_TRUE(machine.pool.limit(2));
  EXPECT_EQ(machine.run(fib, 22), 17711);
  EXPECT_EQ(machine.counters().threads, 1u);
  EXPECT_FALSE(machine.pool.limit(3)) << "a thread has been started";
  EXPECT_EQ(machine.pool.available(), 2u);
}

/// Runs `count` children with the given kernel. Returns the sum of the values that they add to their results.
template <abi::KernelFn kernel> int64_t runChildren(Machine &machine, int32_t count) {
  static const abi::KernelRecord kernels[] = {{.name = "child.k0", .run = kernel}};
  static abi::TaskRecord child, parent;
  static abi::TaskRecord *const targets[] = {&child};
  child = *loop.root->targets[0];
  child.kernels = kernels;
  child.state = nullptr;
  parent = *loop.root;
  parent.targets = targets;
  parent.state = nullptr;
  return machine.run({"children", &parent, nullptr}, count);
}

std::mutex nappersLock;
std::set<std::thread::id> nappers;

/// Children that take 20 ms each without a CPU, and then run `action`.
template <int64_t (*action)()> void napRun(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    usleep(20000);
    {
      std::scoped_lock guard(nappersLock);
      nappers.insert(std::this_thread::get_id());
    }
    __atomic_fetch_add(load<int64_t *>(wave, lane, 1), action(), __ATOMIC_RELAXED);
  }
}

/// Runs `count` children until `threads` threads have run some of them, at most twenty times: on a busy machine, a
/// thread may get no CPU while the others do all the work. Checks the sum of each run.
template <int64_t (*action)()> void napUntilSpread(Machine &machine, int32_t count, size_t threads, int64_t sum) {
  nappers.clear();
  for (int i = 0; i < 20 && nappers.size() < threads; ++i) {
    nappers.clear();
    EXPECT_EQ((runChildren<napRun<action>>(machine, count)), sum);
  }
  EXPECT_GE(nappers.size(), threads);
}

TEST(Workers, FewLongTasksAreSpread) {
  // 48 tasks fit one wavefront.
  Machine machine(64, 4096, 4);
  napUntilSpread<[]() -> int64_t { return 1; }>(machine, 48, 3, 48);
  EXPECT_GE(machine.counters().stolen_blocks, 2u);
}

std::atomic<int> handled;

TEST(Workers, TasksGetTheSignalsThatTheyRaise) {
  struct sigaction action = {}, before;
  action.sa_handler = [](int) { ++handled; };
  sigaction(SIGUSR1, &action, &before);
  Machine machine(64, 4096, 4);
  handled = 0;
  napUntilSpread<[]() -> int64_t { return raise(SIGUSR1); }>(machine, 12, 2, 0);
  EXPECT_GE(handled, 12);
  EXPECT_EQ(handled % 12, 0) << "each task raises one signal";
  sigaction(SIGUSR1, &before, nullptr);
}

/// Returns whether one third is rounded upward.
int64_t roundsUpward() {
  volatile double one = 1, three = 3;
  return one / three * three > 1;
}

TEST(Workers, TasksRoundAsTheThreadThatRunsTheGraph) {
  Machine machine(64, 4096, 4);
  napUntilSpread<roundsUpward>(machine, 12, 2, 0);
  // Its threads exist by now, with other modes.
  fesetround(FE_UPWARD);
  int64_t upward = runChildren<napRun<roundsUpward>>(machine, 12);
  fesetround(FE_TONEAREST);
  EXPECT_EQ(upward, 12);
  EXPECT_EQ((runChildren<napRun<roundsUpward>>(machine, 12)), 0);
}

TEST(Workers, ForkedChildRunsGraphsToo) {
  Machine machine(64, 4096, 3, kAlways);
  EXPECT_EQ(machine.run(fib, 24), 46368);
  for (int i = 0; i < 20; ++i) {
    machine.pool.beforeFork();
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      machine.pool.afterForkInChild();
      bool right = machine.run(fib, 24) == 46368 && machine.counters().threads > 2;
      _exit(right ? 0 : 1);
    }
    machine.pool.afterForkInParent();
    EXPECT_EQ(machine.run(fib, 20), 6765);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
}

[[gnu::noinline]] int64_t descend(int32_t depth) {
  volatile char frame[4096];
  frame[0] = char(depth);
  return depth ? descend(depth - 1) + frame[0] - char(depth) + 1 : 0;
}

const abi::FieldRecord deepFields[] = {{4, 4}, {8, 8}};
void deepStart(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane)
    spawn(wave, 0, load<int32_t>(wave, lane, 0), load<int64_t *>(wave, lane, 1));
}
void deepElided(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane)
    *load<int64_t *>(wave, lane, 1) = descend(load<int32_t>(wave, lane, 0));
}
const abi::KernelRecord deepKernels[] = {{.name = "deep.k0", .run = deepStart},
                                         {.name = "deep.elided", .run = deepElided}};

// 160 MB or more, although a thread's stack has 8 MB.
TEST(Workers, ElisionsMayBeDeep) {
  static abi::TaskRecord deep;
  static abi::TaskRecord *const targets[] = {&deep};
  deep = {.name = "deep",
          .fields = deepFields,
          .kernels = deepKernels,
          .targets = targets,
          .numFields = 2,
          .numKernels = 1,
          .numTargets = 1,
          .hasElision = 1};
  rt::Limits limits{64, 64};
  limits.elide = rt::Elide::Always;
  Machine machine(limits);
  for (int round = 0; round < 2; ++round) {
    int64_t result = -1;
    machine.enqueue(&deep, 40'000, &result);
    machine.pool.run();
    EXPECT_EQ(result, 40'000);
  }
  EXPECT_EQ(machine.counters().elided, 2u);
}

} // namespace
} // namespace cilk2gpu
