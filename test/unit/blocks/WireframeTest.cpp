// Tests programs that include <cilk2gpu/Wireframe.h>. They run with several values of CILK2GPU_WORKERS, and
// with several of CILK2GPU_DEVICE.
#include <cilk2gpu/Wireframe.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <gtest/gtest.h>
#include <numeric>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern "C" uint64_t runChainInC(void);

namespace {

void wavefrontLinks() {
  WF::AddDependency({blockIdx.x - 1, blockIdx.y});
  WF::AddDependency({blockIdx.x, blockIdx.y - 1});
}

/// As a mapping function of the paper, which has a result.
void *boundedLinks() {
  wavefrontLinks();
  WF::SetPolicy(WF::LVL, 3);
  return nullptr;
}

/// Pascal's triangle modulo 2^64, in a table.
template <class T> __WF__ void pascal(T *table, int n) {
  unsigned x = blockIdx.x, y = blockIdx.y;
  table[y * n + x] = x && y ? table[y * n + x - 1] + table[(y - 1) * n + x] : 1;
}

std::vector<uint64_t> pascalSerially(int n) {
  std::vector<uint64_t> table(n * n, 1);
  for (int y = 1; y < n; ++y)
    for (int x = 1; x < n; ++x)
      table[y * n + x] = table[y * n + x - 1] + table[(y - 1) * n + x];
  return table;
}

TEST(WireframeTest, Wavefronts) {
  for (int n : {1, 2, 17, 200}) {
    std::vector<uint64_t> plain(n * n), bounded(n * n), captured(n * n);
    wf::launch(dim3(n, n), dim3(1), wavefrontLinks, pascal<uint64_t>, plain.data(), n);
    wf::launch(dim3(n, n), dim3(1), boundedLinks, pascal<uint64_t>, bounded.data(), n);
    unsigned step = 1;
    wf::launch(
        dim3(n, n), 1,
        [step] {
          WF::AddDependency({blockIdx.x - step, blockIdx.y});
          WF::AddDependency({blockIdx.x, blockIdx.y - step});
        },
        &pascal<uint64_t>, captured.data(), n);
    EXPECT_EQ(plain, pascalSerially(n));
    EXPECT_EQ(bounded, plain);
    EXPECT_EQ(captured, plain);
  }
}

struct Seen {
  dim3 block, thread, blockExtents, gridExtents;
};
void see(Seen *seen) {
  unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  seen[block * (blockDim.x * blockDim.y * blockDim.z) + thread] = {blockIdx, threadIdx, blockDim, gridDim};
}

TEST(WireframeTest, IndicesOfBlocksAndThreads) {
  const dim3 grid(3, 4, 5), block(2, 3, 4), before = gridDim;
  std::vector<Seen> seen(60 * 24);
  wf::launch(grid, block, [] {}, see, seen.data());
  for (unsigned i = 0; i < seen.size(); ++i) {
    unsigned b = i / 24, t = i % 24;
    EXPECT_EQ(seen[i].block.x, b % 3);
    EXPECT_EQ(seen[i].block.y, b / 3 % 4);
    EXPECT_EQ(seen[i].block.z, b / 12);
    EXPECT_EQ(seen[i].thread.x, t % 2);
    EXPECT_EQ(seen[i].thread.y, t / 2 % 3);
    EXPECT_EQ(seen[i].thread.z, t / 6);
    EXPECT_EQ(seen[i].gridExtents.z, 5u);
    EXPECT_EQ(seen[i].blockExtents.y, 3u);
  }
  EXPECT_EQ(gridDim.x, before.x);
}

void count(std::atomic<int> *counter) { ++*counter; }

TEST(WireframeTest, ZeroExtentsRunNothing) {
  std::atomic<int> runs = 0, maps = 0;
  auto links = [&] { ++maps; };
  wf::launch(dim3(4, 0), dim3(1), links, count, &runs);
  wf::launch(dim3(4), dim3(1, 1, 0), links, count, &runs);
  wf::launch(wf::Graph(0, std::vector<int>{0}, std::vector<int>{}), dim3(1), count, &runs);
  EXPECT_EQ(runs + maps, 0);
  wf::launch(dim3(4), dim3(2), links, count, &runs);
  EXPECT_EQ(runs, 8);
  EXPECT_EQ(maps, 4);
}

void follow(const unsigned *parentOf, std::atomic<bool> *done, std::atomic<int> *errors) {
  unsigned node = blockIdx.x;
  *errors += parentOf[node] != ~0u && !done[parentOf[node]];
  done[node] = true;
}

template <class S, class C> void runTree(const S &starts, const C &children, const std::vector<unsigned> &parentOf) {
  std::vector<std::atomic<bool>> done(parentOf.size());
  std::atomic<int> errors = 0;
  wf::launch(wf::Graph(parentOf.size(), starts, children).policy(WF::LVL, 2), dim3(1), follow, parentOf.data(),
             done.data(), &errors);
  wf::Graph graph(parentOf.size(), starts, children);
  for (auto &one : done)
    errors += !one.exchange(false);
  wf::launch(graph.policy(WF::LRR), dim3(1), follow, parentOf.data(), done.data(), &errors);
  for (auto &one : done)
    errors += !one;
  EXPECT_EQ(errors, 0);
}

TEST(WireframeTest, GraphsOfRunTime) {
  // A binary tree whose root is the last node.
  const unsigned n = 1000;
  std::vector<unsigned> parentOf(n, ~0u);
  std::vector<uint32_t> starts32 = {0}, children32;
  for (unsigned node = 0; node < n; ++node) {
    unsigned heap = n - 1 - node;
    for (unsigned child : {2 * heap + 1, 2 * heap + 2})
      if (child < n) {
        children32.push_back(n - 1 - child);
        parentOf[n - 1 - child] = node;
      }
    starts32.push_back(uint32_t(children32.size()));
  }
  std::vector<int64_t> starts64(starts32.begin(), starts32.end());
  std::vector<uint64_t> children64(children32.begin(), children32.end());
  runTree(starts32, children32, parentOf);
  runTree(starts64, children64, parentOf);
  runTree(starts64.data(), children32.data(), parentOf);
}

TEST(WireframeTest, GraphsOfArrays) {
  const uint64_t starts[] = {0, 1, 2, 2};
  const std::array<int, 2> children = {1, 2};
  std::vector<std::atomic<bool>> done(3);
  std::atomic<int> errors = 0;
  const unsigned parentOf[] = {~0u, 0, 1};
  wf::launch(wf::Graph{3, starts, children}, dim3(1), follow, parentOf, done.data(), &errors);
  EXPECT_EQ(errors, 0);
}

TEST(WireframeTest, ProgramsInC) { EXPECT_EQ(runChainInC(), 0u); }

TEST(WireframeTest, ManySmallLaunches) {
  std::atomic<int> runs = 0;
  for (int i = 0; i < 2000; ++i)
    wf::launch(dim3(3), dim3(1), [] { WF::AddDependency({blockIdx.x - 1}); }, count, &runs);
  EXPECT_EQ(runs, 6000);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Threads of blocks
//===--------------------------------------------------------------------------------------------------------------===//

/// Sums of a block's threads: a tree in shared memory, with a barrier for each step.
template <class T> void reduce(const T *values, T *sums) {
  WF_SHARED T partial[64];
  unsigned thread = threadIdx.x;
  partial[thread] = values[blockIdx.x * blockDim.x + thread];
  wf::SyncThreads();
  for (unsigned step = blockDim.x / 2; step; step /= 2) {
    if (thread < step)
      partial[thread] += partial[thread + step];
    EXPECT_EQ(threadIdx.x, thread);
    wf::SyncThreads();
    EXPECT_EQ(threadIdx.x, thread);
  }
  if (thread == 0)
    sums[blockIdx.x] = partial[0];
}

TEST(WireframeTest, Barriers) {
  for (unsigned threads : {1u, 2u, 64u}) {
    std::vector<double> values(50 * threads), sums(50), expected(50, 0);
    std::iota(values.begin(), values.end(), 0.5);
    for (unsigned i = 0; i < values.size(); ++i)
      expected[i / threads] += values[i];
    wf::launch(dim3(50), dim3(threads), [] {}, reduce<double>, static_cast<const double *>(values.data()), sums.data());
    EXPECT_EQ(sums, expected);
  }
}

void maybeSync(const int *syncs, int *order, int *next) {
  if (syncs[blockIdx.x])
    wf::SyncThreads();
  order[blockIdx.x * blockDim.x + threadIdx.x] = next[blockIdx.x]++;
}

void loadedCondition(const int *syncs, int *order, int *next) {
  WF_SHARED int all;
  if (threadIdx.x == 0 && threadIdx.y == 0)
    all = syncs[blockIdx.x];
  wf::SyncThreads();
  if (all)
    wf::SyncThreads();
  order[blockIdx.x * 8 + threadIdx.x + 4 * threadIdx.y] = next[blockIdx.x]++;
}

/// Each of the eight threads of a block has ended once: one after the other, but in any order on gpu-host.
void expectEachThread(std::vector<int> order) {
  const char *device = getenv("CILK2GPU_DEVICE");
  for (auto block = order.begin(); device && device == std::string("gpu-host") && block != order.end(); block += 8)
    std::sort(block, block + 8);
  for (size_t i = 0; i < order.size(); ++i)
    EXPECT_EQ(order[i], int(i % 8));
}

TEST(WireframeTest, BarriersUnderAConditionThatIsLoaded) {
  const int syncs[] = {0, 1, 1, 0, 1};
  std::vector<int> order(5 * 8), next(5);
  wf::launch(dim3(5), dim3(4, 2), [] {}, loadedCondition, syncs, order.data(), next.data());
  expectEachThread(order);
}

TEST(WireframeTest, SomeBlocksSynchroniseAndOthersDoNot) {
  const int syncs[] = {0, 1, 1, 0, 1};
  std::vector<int> order(5 * 8), next(5);
  wf::launch(
      dim3(5), dim3(8), [] { WF::AddDependency({blockIdx.x - 1}); }, maybeSync, syncs, order.data(), next.data());
  expectEachThread(order);
}

void manyBarriers(int *table, int rounds) {
  unsigned thread = threadIdx.x, n = blockDim.x;
  for (int round = 0; round < rounds; ++round) {
    int left = table[(thread + n - 1) % n];
    wf::SyncThreads();
    table[thread] = left + 1;
    wf::SyncThreads();
  }
}

TEST(WireframeTest, TheMostThreads) {
#ifdef CILK2GPU_SANITIZED
  const unsigned threads = 64; // a sanitizer knows each stack as a thread, and has room for some thousands
#else
  const unsigned threads = 1024;
#endif
  std::vector<int> table(threads, 0);
  wf::launch(dim3(1), dim3(threads), [] {}, manyBarriers, table.data(), 5);
  EXPECT_EQ(table, std::vector<int>(threads, 5));
}

//===--------------------------------------------------------------------------------------------------------------===//
// Launches in other places
//===--------------------------------------------------------------------------------------------------------------===//

void launchInner(std::atomic<int> *runs) {
  const dim3 block = blockIdx, grid = gridDim;
  wf::launch(dim3(3, 3), dim3(2), wavefrontLinks, count, runs);
  EXPECT_EQ(blockIdx.x, block.x);
  EXPECT_EQ(gridDim.x, grid.x);
}

TEST(WireframeTest, ABlockMayLaunchBlocks) {
  std::atomic<int> runs = 0;
  wf::launch(dim3(5), dim3(2), [] {}, launchInner, &runs);
  EXPECT_EQ(runs, 5 * 2 * 9 * 2);
}

TEST(WireframeTest, LaunchesOfSeveralThreadsTakeTurns) {
  std::vector<uint64_t> expected = pascalSerially(30);
  std::vector<std::thread> threads;
  std::atomic<int> errors = 0;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 20; ++k) {
        std::vector<uint64_t> table(900);
        wf::launch(dim3(30, 30), dim3(1), wavefrontLinks, pascal<uint64_t>, table.data(), 30);
        errors += table != expected;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(errors, 0);
}

#ifndef CILK2GPU_SANITIZED
TEST(WireframeTest, AChildProcessHasWorkersOfItsOwn) {
  std::vector<uint64_t> table(900);
  wf::launch(dim3(30, 30), dim3(1), wavefrontLinks, pascal<uint64_t>, table.data(), 30);
  pid_t child = fork();
  if (child == 0) {
    std::vector<uint64_t> own(900);
    wf::launch(dim3(30, 30), dim3(1), wavefrontLinks, pascal<uint64_t>, own.data(), 30);
    _exit(own == table ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(WireframeTest, AThreadForksWhileAnotherOneLaunches) {
  std::vector<uint64_t> expected = pascalSerially(30);
  std::atomic<bool> isOver = false;
  std::thread launcher([&] {
    for (std::vector<uint64_t> table(900); !isOver;)
      wf::launch(dim3(30, 30), dim3(1), wavefrontLinks, pascal<uint64_t>, table.data(), 30);
  });
  for (int i = 0; i < 20; ++i) {
    pid_t child = fork();
    if (child == 0) {
      alarm(60);
      std::vector<uint64_t> own(900);
      wf::launch(dim3(30, 30), dim3(1), wavefrontLinks, pascal<uint64_t>, own.data(), 30);
      _exit(own == expected ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  isOver = true;
  launcher.join();
}

// A launch looks for its kernel before it has the turn. No lock that it takes there may stay locked in the child.
TEST(WireframeTest, AThreadForksWhileAnotherOneLooksForAKernel) {
  auto launchNothing = [] {
    wf::launch(dim3(0), dim3(1), [] {}, pascal<uint64_t>, static_cast<uint64_t *>(nullptr), 0);
  };
  std::atomic<bool> isOver = false;
  std::thread launcher([&] {
    while (!isOver)
      launchNothing();
  });
  for (int i = 0; i < 300; ++i) {
    pid_t child = fork();
    if (child == 0) {
      alarm(60);
      launchNothing();
      _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  isOver = true;
  launcher.join();
}
#endif

//===--------------------------------------------------------------------------------------------------------------===//
// Mistakes
//===--------------------------------------------------------------------------------------------------------------===//

void noKernel() {}
void neverRuns() { std::fputs("a block ran\n", stderr); }
void divergeEarly() {
  if (threadIdx.x < 2)
    wf::SyncThreads();
}
void divergeLate() {
  if (threadIdx.x != 0)
    wf::SyncThreads();
}
void divergeTwice() {
  wf::SyncThreads();
  if (threadIdx.x != 0)
    wf::SyncThreads();
}

/// The process has threads already, which a forked process would lose: mistakes are made in a process of their own.
class WireframeDeathTest : public testing::Test {
protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_F(WireframeDeathTest, DivergingBarriers) {
  auto exits = testing::ExitedWithCode(1);
  auto launch = [](void (*kernel)()) { wf::launch(dim3(1, 1, 1), dim3(4), [] {}, kernel); };
  EXPECT_EXIT(launch(divergeEarly), exits, "in block \\(0, 0, 0\\), thread 0 waits and thread 2 has ended");
  EXPECT_EXIT(launch(divergeLate), exits, "thread 1 waits and thread 0 has ended.*the same value in all 4 threads");
  EXPECT_EXIT(launch(divergeTwice), exits, "thread 1 waits and thread 0 has ended");
  EXPECT_EXIT(wf::launch(wf::Graph(1, std::vector{0, 0}, std::vector<int>{}), 4, divergeEarly), exits,
              "in node 0, thread");
  EXPECT_EXIT(wf::SyncThreads(), exits, "wf::SyncThreads is for kernels, and none runs on this thread");
}

TEST_F(WireframeDeathTest, NothingRunsOfABadLaunch) {
  auto exits = testing::ExitedWithCode(1);
  EXPECT_EXIT(
      wf::launch(
          dim3(3, 2), dim3(1), [] { WF::AddDependency({(blockIdx.x + 1) % 3, blockIdx.y}); }, neverRuns),
      exits,
      "^cilk2gpu: error: dependencies of blocks have no cycle, but 3 of this launch wait for each other: block "
      "\\(., 0, 0\\) waits for block \\(., 0, 0\\) waits for block \\(., 0, 0\\) waits for block \\(., 0, 0\\); "
      "remove one of these dependencies\n$");
  EXPECT_EXIT(wf::launch(
                  dim3(2), dim3(1), [] { WF::AddDependency(blockIdx); }, neverRuns),
              exits,
              "block \\(0, 0, 0\\) waits for block \\(0, 0, 0\\)|block \\(1, 0, 0\\) waits for block \\(1, 0, 0\\)");
  EXPECT_EXIT(wf::launch(dim3(2), dim3(1025), [] {}, neverRuns), exits, "at most 1024 threads; \\(1025, 1, 1\\) were");
  EXPECT_EXIT(wf::launch(dim3(2), dim3(1 << 16, 1 << 16, 1 << 31), [] {}, neverRuns), exits, "at most 1024 threads");
  EXPECT_EXIT(wf::launch(
                  dim3(1 << 16, 1 << 16), dim3(1), [] {}, neverRuns),
              exits, "a grid has at most 4294967295 blocks; \\(65536, 65536, 1\\) were asked for");
  EXPECT_EXIT(
      wf::launch(dim3(~0u, ~0u, ~0u), dim3(1), [] {}, neverRuns), exits, "a grid has at most 4294967295 blocks");
  EXPECT_EXIT(wf::launch(wf::Graph(-1, std::vector{0, 0}, std::vector<int>{}), 1, neverRuns), exits,
              "a graph has at most 4294967295 nodes");
  EXPECT_EXIT(wf::launch(wf::Graph(1, std::vector{0, 0}, std::vector<int>{}).policy(WF::LRR, 2), 1, neverRuns), exits,
              "LRR takes no bound");
  EXPECT_EXIT(wf::launch(
                  dim3(1), dim3(1), [] {}, static_cast<void (*)()>(nullptr)),
              exits, "a null pointer instead of a kernel");
  EXPECT_EXIT(
      wf::launch(dim3(1), dim3(1), static_cast<void (*)()>(nullptr), neverRuns), exits,
      "a null pointer instead of a mapping function; pass a function, or \\[\\]\\{\\} for blocks without parents");
  EXPECT_EXIT(wf_launch_graph(1, nullptr, nullptr, nullptr, nullptr), exits, "a null pointer instead of a kernel");
  EXPECT_EXIT(wf::launch(
                  dim3(1), dim3(1), [] { wf::launch(dim3(1), dim3(1), [] {}, noKernel); }, neverRuns),
              exits, "a mapping function launched blocks");
}

TEST_F(WireframeDeathTest, GpusNeedCode) {
  auto launchOn = [](const char *device) {
    setenv("CILK2GPU_DEVICE", device, 1);
    wf::launch(dim3(1), dim3(1), [] {}, neverRuns);
  };
  EXPECT_EXIT(launchOn("hip"), testing::ExitedWithCode(1), "CILK2GPU_DEVICE=hip: .*--offload-arch");
}

} // namespace
