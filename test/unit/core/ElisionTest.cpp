// Tests that the tasks of a level run as their serial elisions if that takes less time, and not otherwise. The tests
// have a clock of their own.
#include "Programs.h"
#include "core/Scheduler.h"
#include "process/HostEnvironment.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <vector>

using namespace cilk2gpu::test;

namespace cilk2gpu {
namespace {

constexpr int32_t kDepth = 12;
constexpr uint64_t kLeaves = uint64_t(1) << kDepth, kTasks = 2 * kLeaves - 1, kRuns = 40;

uint64_t now, graphTime, elidedTime; // nanoseconds of each task
uint64_t startTime = 0;              // nanoseconds of an elision, in addition to those of its tasks
uint64_t away = 0; // nanoseconds in which other programs have the processor, after each 200 microseconds
uint64_t leaves, elidedTasks, largestElided;
std::map<uint64_t, uint64_t> elidedTrees; // number of elided trees, by their tasks

constexpr int32_t kChain = 1000;

// node(n): if (n) spawn node(n - 1) twice; else count a base case
// node(kChain + n): if (n) spawn node(kChain + n - 1)

void nodeStart(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    now += graphTime;
    int32_t n = load<int32_t>(wave, lane, 0);
    leaves += n == 0;
    int32_t children = n >= kChain ? n > kChain : n ? 2 : 0;
    for (int32_t child = 0; child < children; ++child)
      ASSERT_TRUE(spawn(wave, 0, n - 1));
  }
}

void nodeElided(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    int32_t n = load<int32_t>(wave, lane, 0);
    uint64_t below = n < kChain ? uint64_t(1) << n : 0, tasks = n < kChain ? 2 * below - 1 : uint64_t(n - kChain) + 1;
    now += startTime + elidedTime * tasks;
    leaves += below;
    elidedTasks += tasks;
    largestElided = std::max(largestElided, tasks);
    ++elidedTrees[tasks];
  }
}

const abi::FieldRecord fields[] = {{4, 4}};
const abi::VectorForm nodeVectors = {nodeStart, abi::Isa::X86_64_V4, 0};
const abi::KernelRecord kernels[] = {{.name = "node.k0", .run = nodeStart, .forms = &nodeVectors, .numForms = 1},
                                     {.name = "node.elided", .run = nodeElided}};

struct Outcome {
  uint64_t elided;  ///< tasks run as elisions, with all that they would have spawned
  uint64_t largest; ///< most tasks of one lane
  uint64_t counted; ///< Counters::elided
};

/// Runs the tree several times with one scheduler, after some runs of chains that have these lengths.
Outcome runTrees(uint64_t graph, uint64_t elided, rt::Limits limits, bool hasElision = true, bool hasStack = true,
                 uint64_t chains = 0, bool inVectors = true, uint64_t runs = kRuns,
                 std::vector<int32_t> chain = {kDepth + 3}) {
  static abi::TaskRecord node;
  static abi::TaskRecord *const targets[] = {&node};
  node = {.name = "node",
          .fields = fields,
          .kernels = kernels,
          .targets = targets,
          .numFields = 1,
          .numKernels = 1,
          .numTargets = 1,
          .hasElision = hasElision};
  now = 1, graphTime = graph, elidedTime = elided, elidedTasks = largestElided = 0;
  elidedTrees.clear();
  rt::Environment environment = rt::hostEnvironment();
  environment.clock = [](void *) { return now + now / 200'000 * away; };
  environment.ownClock = [](void *) { return now; };
  environment.isas = inVectors ? 1u << uint32_t(abi::Isa::X86_64_V4) : 0;
  if (!hasStack)
    environment.callElided = [](void *, abi::KernelFn, abi::Wave *) { return false; };
  rt::TaskTable tasks(environment);
  rt::Scheduler scheduler(environment, limits);
  for (uint64_t run = 0; run < chains + runs; ++run) {
    leaves = 0;
    for (int32_t length : run < chains ? chain : std::vector<int32_t>{kDepth - kChain}) {
      abi::Cursor *root = scheduler.root(tasks.add(&node));
      static_cast<int32_t *>(root->columns[0])[root->next++] = kChain + length;
    }
    EXPECT_TRUE(scheduler.run(0));
    EXPECT_EQ(leaves, run < chains ? 0 : kLeaves);
  }
  Outcome result = {elidedTasks, largestElided, scheduler.counters(tasks).elided};
  EXPECT_LE(scheduler.counters(tasks).memory_high_water, scheduler.memoryBounds().bound);
  scheduler.destroy();
  tasks.destroy();
  return result;
}

rt::Limits limits(uint32_t wave = 64) {
  rt::Limits result{wave, 4096};
  result.policy = rt::PolicyKind::Adaptive;
  return result;
}

TEST(Elision, IsTakenWhereItCostsLess) {
  Outcome run = runTrees(100, 10, limits());
  EXPECT_GT(run.elided, kRuns * kTasks / 2);
  EXPECT_GT(run.counted, 0u);
}

TEST(Elision, WaitsForNoLevelThatHardlyEverRuns) {
  EXPECT_GT(runTrees(100, 10, limits(), /*hasElision=*/true, /*hasStack=*/true, /*chains=*/20).elided,
            kRuns * kTasks / 2);
}

TEST(Elision, IsOnlyTriedWhereTheGraphCostsLess) {
  Outcome run = runTrees(10, 20, limits());
  EXPECT_GT(run.elided, 0u);
  EXPECT_LT(run.elided, kRuns * kTasks / 10);
}

TEST(Elision, IsNotTakenBecauseOthersHaveTheProcessor) {
  // Other programs have it more often in the graph's part of a trial, which is longer.
  away = 2'000'000;
  Outcome run = runTrees(100, 200, limits());
  away = 0;
  EXPECT_LT(run.elided, kRuns * kTasks / 4);
}

TEST(Elision, IsNotTakenForALittle) { EXPECT_LT(runTrees(100, 95, limits()).elided, kRuns * kTasks / 8); }

TEST(Elision, IsTakenForALittleIfNoTaskRunsInVectors) {
  Outcome run = runTrees(100, 95, limits(), /*hasElision=*/true, /*hasStack=*/true, /*chains=*/0, /*inVectors=*/false);
  EXPECT_GT(run.elided, kRuns * kTasks / 4 * 3);
}

// Above levels that run as elisions, a level of the graph saves nothing, so the elisions become larger.
TEST(Elision, IsTakenAboveElisions) { EXPECT_GT(runTrees(100, 70, limits()).elided, kRuns * kTasks / 2); }

TEST(Elision, IsTakenLevelByLevelWithoutDelay) {
  Outcome run = runTrees(100, 70, limits(), /*hasElision=*/true, /*hasStack=*/true, /*chains=*/0, /*inVectors=*/false,
                         /*runs=*/4);
  EXPECT_GT(run.elided, 4 * kTasks / 2);
}

Outcome runShort(uint64_t graph, uint64_t elided, bool inVectors, uint64_t runs) {
  return runTrees(graph, elided, limits(), /*hasElision=*/true, /*hasStack=*/true, /*chains=*/0, inVectors, runs);
}

TEST(Elision, IsTakenSoonIfItIsClearlyFaster) {
  EXPECT_GT(runShort(100, 50, /*inVectors=*/true, /*runs=*/6).elided, 6 * kTasks / 5);
}

// No trial is needed, since a graph that runs lane after lane is not faster.
TEST(Elision, IsTakenSoonIfNoTaskRunsInVectors) {
  EXPECT_GT(runShort(100, 95, /*inVectors=*/false, /*runs=*/2).elided, 2 * kTasks / 4 * 3);
}

TEST(Elision, TrialsOfLongLanesCostLittleIfVectorsAreFaster) {
  for (uint64_t runs : {40, 100}) {
    Outcome run = runShort(20, 100, /*inVectors=*/true, runs);
    EXPECT_GT(run.elided, 0u);
    EXPECT_LT(run.elided * 100, runs * kTasks * 20 / 10);
  }
}

TEST(Elision, IsDecidedByTheVisitsOfNeighbouringDeepLevels) {
  Outcome run = runTrees(100, 10, limits(), /*hasElision=*/true, /*hasStack=*/true, /*chains=*/6, /*inVectors=*/true,
                         /*runs=*/0, /*chain=*/std::vector<int32_t>(8, 5'000));
  EXPECT_GT(run.elided, 10'000u);
}

TEST(Elision, IsNotTriedWithLongSubtrees) {
  // One of 31 tasks takes more than 20 microseconds in the graph.
  Outcome run = runTrees(1'000, 900, limits());
  EXPECT_LE(run.largest, 63u);
}

TEST(Elision, MayTakeLongIfEachElisionIsExpensive) {
  // Two elisions of 127 tasks and their parent take 26 microseconds, a seventh more than one elision of 255 tasks.
  startTime = 4'000;
  Outcome run = runTrees(300, 70, limits(4));
  startTime = 0;
  EXPECT_GE(run.largest, 255u);
  EXPECT_GT(elidedTrees[255] + elidedTrees[511], 16u);
  EXPECT_LE(elidedTrees[1023], 8u) << "one elision of 1023 tasks saves less, so it is only tried";
}

TEST(Elision, IsTakenAtWidthOfOneLane) { EXPECT_GT(runTrees(100, 10, limits(1)).elided, kRuns * kTasks / 2); }

TEST(Elision, NeedsOne) { EXPECT_EQ(runTrees(100, 10, limits(), /*hasElision=*/false).counted, 0u); }

TEST(Elision, NeedsAStack) {
  rt::Limits always = limits();
  always.elide = rt::Elide::Always;
  for (const rt::Limits &wanted : {limits(), always}) {
    Outcome run = runTrees(100, 10, wanted, /*hasElision=*/true, /*hasStack=*/false);
    EXPECT_EQ(run.counted, 0u);
    EXPECT_EQ(run.elided, 0u);
  }
}

TEST(Elision, CanBeTurnedOff) {
  rt::Limits never = limits();
  never.elide = rt::Elide::Never;
  EXPECT_EQ(runTrees(100, 10, never).counted, 0u);
}

TEST(Elision, CanBeForcedForAllButRoots) {
  rt::Limits always = limits();
  always.elide = rt::Elide::Always;
  Outcome run = runTrees(10, 20, always);
  EXPECT_EQ(run.elided, kRuns * (kTasks - 1));
  EXPECT_EQ(run.counted, 2 * kRuns);
}

TEST(Elision, IsNotTakenLevelByLevel) {
  rt::Limits levelized = limits();
  levelized.policy = rt::PolicyKind::Levelized;
  EXPECT_EQ(runTrees(100, 10, levelized).counted, 0u);
}

TEST(Elision, IsTheSeedsInARandomSchedule) {
  rt::Limits shuffled{64, 4096};
  shuffled.order = rt::TaskOrder::Shuffled;
  Outcome first = runTrees(10, 20, shuffled), second = runTrees(20, 10, shuffled);
  EXPECT_GT(first.counted, 0u);
  EXPECT_EQ(first.counted, second.counted);
  EXPECT_EQ(first.elided, second.elided);
  shuffled.seed = 2;
  EXPECT_NE(runTrees(10, 20, shuffled).elided, first.elided);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Narrow levels
//===--------------------------------------------------------------------------------------------------------------===//

uint64_t linkTime, elidedLinkTime, visited, linksElided;

// link(n, depth): if (n) spawn link(n - 1, depth); else if (depth) spawn bush(depth)
// bush(depth): if (--depth) spawn bush(depth) twice

void linkStart(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane, ++visited) {
    now += linkTime;
    int32_t n = load<int32_t>(wave, lane, 0), depth = load<int32_t>(wave, lane, 1);
    if (n)
      ASSERT_TRUE(spawn(wave, 0, n - 1, depth));
    else if (depth)
      ASSERT_TRUE(spawn(wave, 1, depth));
  }
}

void bushStart(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane, ++visited) {
    now += 10;
    int32_t depth = load<int32_t>(wave, lane, 0);
    for (int child = 0; depth > 1 && child < 2; ++child)
      ASSERT_TRUE(spawn(wave, 0, depth - 1));
  }
}

void linkElided(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    uint64_t links = uint64_t(load<int32_t>(wave, lane, 0)) + 1,
             bush = (uint64_t(1) << load<int32_t>(wave, lane, 1)) - 1;
    now += elidedLinkTime * links + 10 * bush;
    visited += links + bush;
    linksElided += links;
  }
}

struct Links {
  int32_t length, depth;
};

/// Runs chains one after the other with one scheduler. Returns the number of links of each chain that ran as elisions.
std::vector<uint64_t> runLinks(const std::vector<Links> &runs, bool spawnsOne, bool hasBush, uint64_t time = 100,
                               uint64_t timeElided = 10) {
  static const abi::FieldRecord linkFields[] = {{4, 4}, {4, 4}};
  static const abi::KernelRecord bushKernels[] = {{.name = "bush.k0", .run = bushStart}};
  static abi::TaskRecord link, bush;
  static abi::TaskRecord *const linkTargets[] = {&link, &bush}, *const bushTargets[] = {&bush};
  const abi::KernelRecord linkKernels[] = {{.name = "link.k0", .run = linkStart, .spawnsOne = spawnsOne},
                                           {.name = "link.elided", .run = linkElided}};
  bush = {.name = "bush",
          .fields = fields,
          .kernels = bushKernels,
          .targets = bushTargets,
          .numFields = 1,
          .numKernels = 1,
          .numTargets = 1};
  link = {.name = "link",
          .fields = linkFields,
          .kernels = linkKernels,
          .targets = linkTargets,
          .numFields = 2,
          .numKernels = 1,
          .numTargets = 1u + hasBush,
          .hasElision = 1};
  now = 1, linkTime = time, elidedLinkTime = timeElided, elidedTime = 0;
  rt::Environment environment = rt::hostEnvironment();
  environment.clock = environment.ownClock = [](void *) { return now; };
  rt::TaskTable tasks(environment);
  rt::Scheduler scheduler(environment, limits());
  std::vector<uint64_t> result;
  for (Links run : runs) {
    visited = linksElided = 0;
    abi::Cursor *root = scheduler.root(tasks.add(&link));
    static_cast<int32_t *>(root->columns[0])[root->next] = run.length;
    static_cast<int32_t *>(root->columns[1])[root->next++] = run.depth;
    EXPECT_TRUE(scheduler.run(0));
    EXPECT_EQ(visited, uint64_t(run.length) + 1 + (uint64_t(1) << run.depth) - 1);
    result.push_back(linksElided);
  }
  EXPECT_LE(scheduler.counters(tasks).memory_high_water, scheduler.memoryBounds().bound);
  scheduler.destroy();
  tasks.destroy();
  return result;
}

TEST(Elision, IsTakenForTheRestOfAChain) {
  EXPECT_GT(runLinks({{100'000, 0}}, /*spawnsOne=*/true, /*hasBush=*/false)[0], 99'000u);
}

TEST(Elision, IsNotTakenForAShortChain) {
  EXPECT_EQ(runLinks({{100, 0}}, /*spawnsOne=*/true, /*hasBush=*/false)[0], 0u);
}

uint64_t sumOf(const std::vector<uint64_t> &elided) {
  return std::accumulate(elided.begin(), elided.end(), uint64_t(0));
}

TEST(Elision, IsOnlyTriedForAChainOfLongTasks) {
  std::vector<Links> runs(200, {1'000, 0});
  for (bool spawnsOne : {false, true}) {
    uint64_t tried = sumOf(runLinks(runs, spawnsOne, /*hasBush=*/false, /*time=*/10'000, /*timeElided=*/10'000));
    EXPECT_GT(tried, 0u);
    EXPECT_LE(tried, 200'200 / rt::tunables::kLongTrialsPart);
  }
}

TEST(Elision, IsTakenForAChainOfLongTasksIfTheGraphLosesClearly) {
  std::vector<Links> runs(200, {1'000, 0});
  std::vector<uint64_t> twice = runLinks(runs, /*spawnsOne=*/false, /*hasBush=*/false, 10'000, /*timeElided=*/5'000),
                        often = runLinks(runs, /*spawnsOne=*/false, /*hasBush=*/false, 10'000, /*timeElided=*/2'000);
  EXPECT_LT(sumOf(twice), 200'200u / 20);
  for (size_t run = 150; run < 200; ++run)
    ASSERT_GT(often[run], 300u); // above these links, the graph takes less than three times as long
}

TEST(Elision, IsOnlyTriedForAChainAboveATree) {
  std::vector<Links> runs(40, {10'000, 14});
  std::vector<uint64_t> elided = runLinks(runs, /*spawnsOne=*/true, /*hasBush=*/true, /*time=*/100, /*timeElided=*/100);
  EXPECT_LT(sumOf(elided), 400'040u / 9);
}

TEST(Elision, IsTakenWhereLevelsStayNarrow) {
  std::vector<uint64_t> elided = runLinks(std::vector<Links>(20, {10'000, 0}), /*spawnsOne=*/false, /*hasBush=*/true);
  EXPECT_EQ(elided[0], 0u); // nothing is known yet
  for (size_t run = 12; run < 20; ++run)
    EXPECT_GT(elided[run], 9'000u);
}

TEST(Elision, IsTakenSoonWhereTheGraphLosesFarFromItsEnd) {
  // The second run tries the elision of the root. In the third run, the graph soon loses, and the rest is elided.
  std::vector<uint64_t> elided =
      runLinks(std::vector<Links>(3, {100'000, 0}), /*spawnsOne=*/false, /*hasBush=*/true, /*time=*/500);
  EXPECT_EQ(elided[1], 100'001u);
  EXPECT_GT(elided[2], 80'000u);
}

TEST(Elision, IsGivenUpWhereNarrowLevelsBecomeWide) {
  std::vector<Links> runs(20, {10'000, 0});
  runs.insert(runs.end(), 5, {10'000, 17});
  std::vector<uint64_t> elided = runLinks(runs, /*spawnsOne=*/false, /*hasBush=*/true);
  EXPECT_GT(elided[19], 9'000u);
  for (size_t run = 21; run < 25; ++run)
    EXPECT_EQ(elided[run], 0u);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Long childless tasks
//===--------------------------------------------------------------------------------------------------------------===//

constexpr uint64_t kParts = 512;

// loop(n): spawn part(i) for each i < n; a part takes graphTime in vectors, elidedTime as its elision

void loopStart(abi::Wave *wave) {
  for (int32_t i = 0; i < load<int32_t>(wave, 0, 0); ++i)
    ASSERT_TRUE(spawn(wave, 0, i));
}

void partsInVectors(abi::Wave *wave) { now += wave->lanes * graphTime; }

void partsElided(abi::Wave *wave) {
  now += wave->lanes * elidedTime;
  elidedTasks += wave->lanes;
}

/// Returns the number of parts of each of some loops that ran as elisions.
std::vector<uint64_t> runLoops(uint64_t graph, uint64_t elided, bool inVectors) {
  static const abi::VectorForm form = {partsInVectors, abi::Isa::X86_64_V4, 0};
  const abi::KernelRecord partKernels[] = {
      {.name = "part.k0", .run = partsInVectors, .forms = &form, .numForms = inVectors},
      {.name = "part.elided", .run = partsElided}};
  static const abi::KernelRecord loopKernels[] = {{.name = "loop.k0", .run = loopStart}};
  static abi::TaskRecord loop, part;
  static abi::TaskRecord *const parts[] = {&part};
  part = {.name = "part", .fields = fields, .kernels = partKernels, .numFields = 1, .numKernels = 1, .hasElision = 1};
  loop = {.name = "loop",
          .fields = fields,
          .kernels = loopKernels,
          .targets = parts,
          .numFields = 1,
          .numKernels = 1,
          .numTargets = 1};
  now = 1, graphTime = graph, elidedTime = elided;
  rt::Environment environment = rt::hostEnvironment();
  environment.clock = environment.ownClock = [](void *) { return now; };
  environment.isas = 1u << uint32_t(abi::Isa::X86_64_V4);
  rt::TaskTable tasks(environment);
  rt::Scheduler scheduler(environment, limits());
  std::vector<uint64_t> result;
  for (int run = 0; run < 20; ++run) {
    elidedTasks = 0;
    abi::Cursor *root = scheduler.root(tasks.add(&loop));
    static_cast<int32_t *>(root->columns[0])[root->next++] = kParts;
    EXPECT_TRUE(scheduler.run(0));
    result.push_back(elidedTasks);
  }
  EXPECT_LE(scheduler.counters(tasks).memory_high_water, scheduler.memoryBounds().bound);
  scheduler.destroy();
  tasks.destroy();
  return result;
}

TEST(Elision, IsTakenForLongLeavesThatVectorsMakeSlower) {
  std::vector<uint64_t> elided = runLoops(100'000, 30'000, /*inVectors=*/true);
  for (size_t run = 10; run < 20; ++run)
    EXPECT_EQ(elided[run], kParts);
}

TEST(Elision, IsTriedWithFewLongLeavesThatVectorsMakeFaster) {
  uint64_t all = 0;
  for (uint64_t elided : runLoops(30'000, 300'000, /*inVectors=*/true))
    all += elided;
  EXPECT_GT(all, 0u);
  EXPECT_LE(all, 8u);
}

TEST(Elision, IsOnlyTriedWithLongLeavesThatRunOneByOne) {
  uint64_t tried = sumOf(runLoops(100'000, 100'000, /*inVectors=*/false));
  EXPECT_GT(tried, 0u);
  EXPECT_LE(tried, 20 * kParts / rt::tunables::kLongTrialsPart);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Ranges of loops
//===--------------------------------------------------------------------------------------------------------------===//

constexpr uint64_t kIterations = 1024;

// all(n): spawn range(0, n, 1)
// range(low, high, grain): an iteration that takes graphTime, or spawn range(low, middle, 1), range(middle, high, 1)
// As its elision, an iteration takes elidedTime.

const abi::FieldRecord rangeFields[] = {{8, 8}, {8, 8}, {8, 8}};

void allStart(abi::Wave *wave) { ASSERT_TRUE(spawn(wave, 0, uint64_t(0), load<uint64_t>(wave, 0, 0), uint64_t(1))); }

void rangeStart(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    uint64_t low = load<uint64_t>(wave, lane, 0), high = load<uint64_t>(wave, lane, 1), middle = low + (high - low) / 2;
    now += graphTime;
    if (high - low == 1)
      continue;
    ASSERT_TRUE(spawn(wave, 0, low, middle, uint64_t(1)));
    ASSERT_TRUE(spawn(wave, 0, middle, high, uint64_t(1)));
  }
}

void rangeElided(abi::Wave *wave) {
  elidedTasks += wave->lanes;
  for (uint32_t lane = 0; lane < wave->lanes; ++lane)
    now += (load<uint64_t>(wave, lane, 1) - load<uint64_t>(wave, lane, 0)) * elidedTime;
}

/// Returns the number of ranges that ran as elisions in each of some loops. `each`: nanoseconds that an iteration takes
/// as its elision.
/// `spawns`: iterations may spawn tasks. `inVectors`: the graph runs them in vectors.
std::vector<uint64_t> runRanges(uint64_t each, const uint32_t *hungry, bool spawns = false, bool inVectors = false) {
  static const abi::VectorForm form = {rangeStart, abi::Isa::X86_64_V4, 0};
  const abi::KernelRecord rangeKernels[] = {
      {.name = "range.k0", .run = rangeStart, .forms = &form, .numForms = inVectors},
      {.name = "range.elided", .run = rangeElided}};
  static const abi::KernelRecord allKernels[] = {{.name = "all.k0", .run = allStart}};
  static abi::TaskRecord all, range;
  static abi::TaskRecord *const targets[] = {&range, &all};
  range = {.name = "range",
           .fields = rangeFields,
           .kernels = rangeKernels,
           .targets = targets,
           .numFields = 3,
           .numKernels = 1,
           .numTargets = spawns ? 2u : 1u,
           .hasElision = 1,
           .isRange = 1};
  all = {.name = "all",
         .fields = rangeFields,
         .kernels = allKernels,
         .targets = targets,
         .numFields = 1,
         .numKernels = 1,
         .numTargets = 1};
  now = 1, graphTime = 150, elidedTime = each;
  rt::Environment environment = rt::hostEnvironment();
  environment.clock = environment.ownClock = [](void *) { return now; };
  environment.hungry = hungry;
  environment.isas = 1u << uint32_t(abi::Isa::X86_64_V4);
  environment.share = [](void *, rt::Scheduler &) {};
  rt::TaskTable tasks(environment);
  rt::Scheduler scheduler(environment, limits());
  std::vector<uint64_t> result;
  for (int run = 0; run < 40; ++run) {
    elidedTasks = 0;
    abi::Cursor *root = scheduler.root(tasks.add(&all));
    static_cast<uint64_t *>(root->columns[0])[root->next++] = kIterations;
    EXPECT_TRUE(scheduler.run(0));
    result.push_back(elidedTasks);
  }
  scheduler.destroy();
  tasks.destroy();
  return result;
}

TEST(Elision, IsTakenForWholeLoopsWithoutOtherWorkers) {
  EXPECT_EQ(runRanges(100, nullptr), std::vector<uint64_t>(40, 1));
  EXPECT_EQ(runRanges(100'000, nullptr), std::vector<uint64_t>(40, 1));
}

TEST(Elision, IsTakenForShortPartsOfLoopsBesideOtherWorkers) {
  static const uint32_t hungry = 1;
  // 64 iterations of 100 ns are the longest range of at most kElidedRange nanoseconds.
  std::vector<uint64_t> elided = runRanges(100, &hungry);
  for (size_t run = 20; run < 40; ++run)
    EXPECT_EQ(elided[run], kIterations / 64);
}

TEST(Elision, IsNotTakenForLongIterationsThatSpawn) {
  static const uint32_t hungry = 1;
  for (uint64_t elided : runRanges(2 * rt::tunables::kElidedRange, &hungry, /*spawns=*/true))
    EXPECT_LE(elided, kIterations / rt::tunables::kAskAgain);
}

TEST(Elision, IsTakenForIterationsOfWhichNothingCanBeHandedOver) {
  static const uint32_t hungry = 1;
  EXPECT_EQ(runRanges(2 * rt::tunables::kElidedRange, &hungry), std::vector<uint64_t>(40, kIterations));
}

TEST(Elision, IsTakenSoonForLoopsThatVectorsMakeSlower) {
  std::vector<uint64_t> elided = runRanges(50, nullptr, /*spawns=*/false, /*inVectors=*/true);
  for (size_t run = 8; run < 40; ++run)
    EXPECT_EQ(elided[run], 1u) << "run " << run;
}

TEST(Elision, IsOnlyTriedForLoopsThatVectorsMakeFaster) {
  uint64_t all = 0;
  for (uint64_t elided : runRanges(600, nullptr, /*spawns=*/false, /*inVectors=*/true))
    all += elided;
  EXPECT_GT(all, 0u);
  EXPECT_LE(all, kIterations / 4); // a 160th of all iterations
}

uint32_t offers;

TEST(Elision, ThatIsShortIsNotHandedOver) {
  static const uint32_t hungry = 1;
  static abi::TaskRecord node;
  static abi::TaskRecord *const targets[] = {&node};
  node = {.name = "node",
          .fields = fields,
          .kernels = kernels,
          .targets = targets,
          .numFields = 1,
          .numKernels = 1,
          .numTargets = 1,
          .hasElision = 1};
  now = 1, graphTime = 100, elidedTime = 10;
  rt::Environment environment = rt::hostEnvironment();
  environment.clock = environment.ownClock = [](void *) { return now; };
  environment.hungry = &hungry;
  environment.isas = 0;
  environment.share = [](void *, rt::Scheduler &scheduler) {
    offers += scheduler.stealing().find(/*small=*/true, /*parts=*/2).from != nullptr;
  };
  rt::TaskTable tasks(environment);
  rt::Scheduler scheduler(environment, limits());
  auto run = [&] {
    offers = 0;
    abi::Cursor *root = scheduler.root(tasks.add(&node));
    static_cast<int32_t *>(root->columns[0])[root->next++] = 1;
    EXPECT_TRUE(scheduler.run(0));
    return offers;
  };
  EXPECT_EQ(run(), 1u); // both childless tasks wait, and nothing is known of them
  for (int i = 0; i < 1'000; ++i)
    run();
  EXPECT_GT(scheduler.counters(tasks).elided, 900u);
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(run(), 0u);
  scheduler.destroy();
  tasks.destroy();
}

// A chain of single tasks runs in the graph up to the narrow dispatch with this number. The rest is one elision.
TEST(Elision, IsTakenInAChainAfterManyNarrowDispatches) {
  static abi::TaskRecord node;
  static abi::TaskRecord *const targets[] = {&node};
  static const abi::KernelRecord chainKernels[] = {{.name = "node.k0", .run = nodeStart, .spawnsOne = 1},
                                                   {.name = "node.elided", .run = nodeElided, .spawnsOne = 1}};
  node = {.name = "node",
          .fields = fields,
          .kernels = chainKernels,
          .targets = targets,
          .numFields = 1,
          .numKernels = 1,
          .numTargets = 1,
          .hasElision = 1};
  now = 1, graphTime = 100, elidedTime = 10, elidedTasks = 0;
  elidedTrees.clear();
  rt::Environment environment = rt::hostEnvironment();
  environment.clock = environment.ownClock = [](void *) { return now; };
  rt::TaskTable tasks(environment);
  rt::Scheduler scheduler(environment, limits());
  constexpr uint64_t kRest = 50;
  abi::Cursor *root = scheduler.root(tasks.add(&node));
  static_cast<int32_t *>(root->columns[0])[root->next++] =
      kChain + int32_t(rt::tunables::kNarrowDispatches + kRest) - 2;
  EXPECT_TRUE(scheduler.run(0));
  EXPECT_EQ(elidedTasks, kRest);
  EXPECT_EQ(elidedTrees.size(), 1u);
  scheduler.destroy();
  tasks.destroy();
}

} // namespace
} // namespace cilk2gpu
