// Tests that a launch never takes more memory than its bound, and that the bound is not far above.
#include "blocks/BlockMemory.h"
#include "GraphShapes.h"
#include "blocks/BlockRunner.h"
#include "blocks/OffsetGraph.h"
#include "blocks/dats/DatsLaunch.h"
#include "core/Tunables.h"

#include <gtest/gtest.h>
#include <malloc.h>

namespace cilk2gpu {
namespace {

void runParts(void *, void (*work)(void *, uint64_t), void *context, uint64_t parts) {
  for (uint64_t part = parts; part-- > 0;)
    work(context, part);
}

struct Machine {
  void (*run)(rt::BlockRun &run);
  uint64_t (*bound)(const rt::BlockRun &run);
  bool needsLevels = false;
};
constexpr Machine kNative = {rt::runBlocks, rt::boundOfBlocks};
constexpr Machine kSerial = {rt::runElidedBlocks, rt::boundOfElidedBlocks, true};
constexpr Machine kModel = {rt::runModelledBlocks, rt::boundOfModelledBlocks, true};

/// Runs a graph that `build(memory)` returns. Compares the memory with its bound.
template <class Build> void runOn(const Machine &machine, rt::BlockPolicy policy, bool isCounting, const Build &build) {
  for (uint32_t workers : {1u, 3u})
    for (uint64_t above : {0, 40}) {
      rt::BlockMemory memory;
      rt::BlockGraph graph = build(memory);
      const rt::BlockLaunch launch = {.graph = graph,
                                      .policy = policy,
                                      .threads = 1,
                                      .run = [](void *, uint64_t) {},
                                      .context = nullptr,
                                      .name = ""};
      rt::BlockRun run = {.launch = launch,
                          .memory = memory,
                          .levels = {},
                          .workers = workers,
                          .isCounting = isCounting,
                          .counters = {},
                          .sharing = {.above = above, .piece = above ? 0u : 2u}};
      if (!graph.isAscending || machine.needsLevels || policy.kind == WF::LVL || isCounting)
        run.levels = rt::findLevels(memory, graph);
      machine.run(run);
      uint64_t bound = rt::boundOfLaunch(run, machine.bound(run));
      EXPECT_LE(memory.highWater(), bound) << graph.nodes << " nodes, " << graph.edges << " edges";
      EXPECT_LE(bound, 3 * memory.highWater() + 4096) << graph.nodes << " nodes, " << graph.edges << " edges";
    }
}

template <class Build> void runAll(const Build &build) {
  for (rt::BlockPolicy policy : {rt::BlockPolicy{WF::LRR, 0}, rt::BlockPolicy{WF::LVL, 2}})
    for (bool isCounting : {false, true})
      runOn(kNative, policy, isCounting, build);
  runOn(kSerial, {}, true, build);
}

template <class Integer> std::vector<Integer> copyOf(const auto &numbers) { return {numbers.begin(), numbers.end()}; }

/// Arrays of all types.
void runArrays(const TestGraph &test) {
  runAll([&](rt::BlockMemory &memory) { return rt::buildFromArrays(memory, test.nodes, test.arrays()); });
  auto starts = copyOf<uint32_t>(test.starts);
  auto children = copyOf<uint64_t>(test.children);
  wf::detail::Arrays arrays = {starts.data(), children.data(), starts.size(), children.size(), 4, 8, false, false};
  runAll([&](rt::BlockMemory &memory) { return rt::buildFromArrays(memory, test.nodes, arrays); });
}

template <class L> void runLinks(dim3 grid, const L &links) {
  for (bool takesOffsets : {false, true})
    runAll([&](rt::BlockMemory &memory) {
      wf::detail::PolicyChoice policy;
      return rt::buildFromLinks(memory, grid, dim3(1), wf::detail::Mapping<L>{links}.function(), policy, runParts,
                                nullptr, takesOffsets);
    });
}

TEST(BlockMemoryTest, Arrays) {
  for (unsigned seed = 0; seed < 60; ++seed)
    runArrays(randomGraph(seed));
  runArrays(wavefront(150, 130));
  runArrays(barriers(10, 60));
  runArrays(fan(5000));
  runArrays(descendingChain(3000));
}

TEST(BlockMemoryTest, MappingFunctions) {
  runLinks(dim3(300, 200), [] {
    WF::AddDependency({blockIdx.x - 1, blockIdx.y});
    WF::AddDependency({blockIdx.x, blockIdx.y - 1});
  });
  runLinks(dim3(20000), [] { WF::AddDependency({blockIdx.x / 2 - (blockIdx.x < 2)}); });
  runLinks(dim3(1000), [] {
    for (unsigned x = blockIdx.x; x-- > 0 && x % 100;) // many parents: lists grow
      WF::AddDependency({x});
  });
  runLinks(dim3(20000), [] {
    for (unsigned i = 0; i < 7; ++i) // duplicates
      WF::AddDependency({blockIdx.x - 1 - i % 2});
  });
  runLinks(dim3(5000), [] {});
}

TEST(BlockMemoryTest, Offsets) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    auto [grid, offsets] = randomOffsets(random);
    grid.x *= 1 + random() % 100;
    auto build = [grid = grid, &offsets = offsets](rt::BlockMemory &memory) {
      return rt::buildFromOffsets(memory, grid, offsets.data(), uint32_t(offsets.size() / 3));
    };
    for (rt::BlockPolicy policy : {rt::BlockPolicy{WF::LRR, 0}, rt::BlockPolicy{WF::LVL, 2}})
      runOn(kNative, policy, true, build);
    runOn(kSerial, {}, true, build);
  }
}

TEST(BlockMemoryTest, TheModelledMachine) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    TestGraph test = randomGraph(seed);
    runOn(kModel, {}, true,
          [&](rt::BlockMemory &memory) { return rt::buildFromArrays(memory, test.nodes, test.arrays()); });
  }
  std::vector<int32_t> offsets = {-1, 0, 0, 0, -1, 0};
  runOn(kModel, {}, true, [&](rt::BlockMemory &memory) {
    return rt::withRows(memory, rt::buildFromOffsets(memory, dim3(30, 40), offsets.data(), 2));
  });
}

TEST(BlockMemoryTest, KeptArraysAreAtMostAnEighthLarger) {
  {
    rt::BlockMemory memory;
    memory.array<char>(1 << 20, "a test");
  }
  for (uint64_t bytes : {1 << 20, 1000000, 940000, 930000, 600000}) {
    rt::BlockMemory memory;
    memory.array<char>(bytes, "a test");
    EXPECT_GE(memory.highWater(), bytes);
    EXPECT_LE(memory.highWater(), rt::BlockMemory::boundOf<char>(bytes));
  }
}

// The allocators of sanitizers say 0.
TEST(BlockMemoryTest, LaunchesLeaveNoMoreThanTheLimitBehind) {
  auto inUse = [] {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
  };
  const uint64_t before = inUse();
  {
    rt::BlockMemory memory;
    for (int i = 0; i != 9; ++i)
      memory.array<char>(rt::tunables::kKeptArrayBytes / 4, "a test");
  }
  EXPECT_LE(inUse(), before + rt::tunables::kKeptArrayBytes);
}

/// Returns how many of four arrays, of a third of what is kept at most, a later launch finds with their contents.
/// Arrays that were released come from the system, with zeros.
uint32_t arraysKeptOfFour() {
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  constexpr uint64_t kWords = rt::tunables::kKeptArrayBytes / 3 / sizeof(uint64_t) - 64;
  uint64_t *arrays[4];
  rt::BlockMemory first, second;
  for (uint64_t *&array : arrays) {
    array = first.array<uint64_t>(kWords, "a test");
    array[kWords / 2] = 42;
  }
  for (const uint64_t *array : arrays)
    first.release(array);
  uint32_t kept = 0;
  for (uint64_t *&array : arrays) {
    array = second.array<uint64_t>(kWords, "a test");
    kept += array[kWords / 2] == 42;
  }
  return kept;
}

// The process is new, so that no earlier test has left arrays.
TEST(BlockMemoryDeathTest, AsManyBytesAreKeptAsTheLimitSays) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(_exit(int(arraysKeptOfFour())), testing::ExitedWithCode(3), "");
}

} // namespace
} // namespace cilk2gpu
