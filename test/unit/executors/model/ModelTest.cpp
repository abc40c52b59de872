// Tests that the modelled machine has the results of simple recursion, in bounded space, under every setting. Its
// numbers depend on settings and seed only.
#include "executors/model/Model.h"
#include "Programs.h"
#include "QueueProgram.h"
#include "process/HostEnvironment.h"

#include <cstring>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace cilk2gpu::rt;
using namespace cilk2gpu::test;

namespace {

ModelSettings defaults(uint32_t wave = 64, uint64_t width = 4096, uint32_t cus = 8) {
  ModelSettings settings;
  settings.limits = {wave, width};
  settings.machine = {{cus, 4, 40}, Schedule::RoundRobin, ProgressModel::Fair, 1, 256 << 10};
  return settings;
}

class Device {
public:
  explicit Device(const ModelSettings &settings, const Environment &given = hostEnvironment())
      : environment(given), tasks(environment), model(environment, settings) {}
  ~Device() {
    for (const Program *program : allPrograms)
      forget(program->root);
    model.destroy();
    tasks.destroy();
  }

  void enqueue(cilk2gpu::abi::TaskRecord *task, int32_t argument, int64_t *result) {
    cilk2gpu::abi::Cursor *root = model.root(tasks.add(task));
    if (!root) {
      model.run();
      root = model.root(tasks.add(task));
    }
    static_cast<int32_t *>(root->columns[0])[root->next] = argument;
    static_cast<int64_t **>(root->columns[1])[root->next] = result;
    ++root->next;
    model.publishRoot();
  }

  int64_t run(const Program &program, int32_t argument) {
    int64_t result = -1;
    enqueue(program.root, argument, &result);
    model.run();
    return result;
  }

  Counters counters() const { return model.counters(tasks); }

private:
  static void forget(cilk2gpu::abi::TaskRecord *task) {
    task->state = nullptr;
    for (uint32_t t = 0; t < task->numTargets; ++t)
      if (task->targets[t]->state)
        forget(task->targets[t]);
  }

  Environment environment;

public:
  TaskTable tasks;
  Model model;
};

int32_t argumentOf(const Program &program) { return &program == &fib ? 12 : &program == &chain ? 100 : 9; }

TEST(Model, AllProgramsAgreeWithPlainRecursionUnderAllSettings) {
  uint64_t runs = 0;
  for (uint32_t wave : {1, 3, 64})
    for (uint64_t width : {1, 2, 64, 4096})
      for (uint32_t cus : {1, 8})
        for (PolicyKind policy : {PolicyKind::Levelized, PolicyKind::Hybrid, PolicyKind::Counted})
          for (Schedule schedule : {Schedule::RoundRobin, Schedule::Random, Schedule::Adversarial})
            for (ProgressModel progress : {ProgressModel::Fair, ProgressModel::Occupancy}) {
              ModelSettings settings = defaults(wave, width, cus);
              settings.limits.policy = policy;
              settings.machine.schedule = schedule;
              settings.machine.progress = progress;
              settings.machine.seed = ++runs;
              settings.doneCount = runs % 3 ? 64 : 1;
              for (const Program *program : allPrograms) {
                Device device(settings);
                Expected expected = program->plain(argumentOf(*program));
                ASSERT_EQ(device.run(*program, argumentOf(*program)), expected.result)
                    << program->name << " wave " << wave << " width " << width << " cus " << cus << " policy "
                    << int(policy) << " schedule " << int(schedule) << " progress " << int(progress);
                Counters counters = device.counters();
                ASSERT_EQ(counters.tasks, expected.tasks) << program->name;
                ASSERT_EQ(counters.post_sync_lanes, expected.resumed) << program->name;
                ASSERT_LE(counters.memory_high_water, counters.memory_bound) << program->name << " width " << width;
                ASSERT_EQ(counters.restarted_lanes, counters.yields) << program->name;
              }
            }
}

// When the wavefronts that consumed a channel's elements have ended, all of its slots are free again, however many of
// them have one done count. Each instruction takes a SIMD unit for the same number of cycles.
TEST(Model, FreesAllElementsAndIssuesWholeInstructions) {
  for (uint64_t width : {16, 100, 2048})
    for (uint32_t doneCount : {1, 64})
      for (const Program *program : allPrograms) {
        ModelSettings settings = defaults(64, width, 1);
        settings.doneCount = doneCount;
        Device device(settings);
        device.run(*program, argumentOf(*program));
        ModelCounters counters = device.model.modelCounters();
        EXPECT_GE(counters.elements_freed, device.counters().tasks) << program->name << width << doneCount;
        EXPECT_EQ(counters.issue_cycles % tunables::kModelIssue, 0u) << program->name << width << doneCount;
      }
}

TEST(Model, AllLevelsTogetherHoldNoMoreThanAQueuesCapacity) {
  uint64_t runs = 0;
  for (PolicyKind policy : {PolicyKind::Levelized, PolicyKind::Hybrid, PolicyKind::Counted, PolicyKind::Dataflow})
    for (Schedule schedule : {Schedule::RoundRobin, Schedule::Random, Schedule::Adversarial})
      for (uint64_t width : {1u, 64u})
        for (uint64_t capacity : {1u, 3u, 100u}) {
          ModelSettings settings = defaults(4, width, 2);
          settings.limits.policy = policy;
          settings.machine.schedule = schedule;
          settings.machine.seed = ++runs;
          Environment environment = hostEnvironment();
          TaskTable tasks(environment);
          Model model(environment, settings);
          QueueProgram program(capacity);
          cilk2gpu::abi::Cursor *root = model.root(tasks.add(&program.tree));
          static_cast<int32_t *>(root->columns[0])[root->next++] = 6;
          model.publishRoot();
          model.run();
          EXPECT_EQ(queueTotal, QueueProgram::expected(6)) << int(policy) << " " << int(schedule);
          EXPECT_LE(works.most, capacity) << int(policy) << " " << int(schedule);
          EXPECT_LE(sums.most, capacity) << int(policy) << " " << int(schedule);
          EXPECT_LE(model.counters(tasks).memory_high_water, model.memoryBounds().bound);
          model.destroy();
          tasks.destroy();
        }
}

TEST(Model, WavefrontsOfTheLevelizedPolicyAreTheNativeDevices) {
  for (Schedule schedule : {Schedule::RoundRobin, Schedule::Random, Schedule::Adversarial})
    for (uint32_t cus : {1, 8}) {
      ModelSettings settings = defaults(64, 32768, cus);
      settings.machine.schedule = schedule;
      Device device(settings);
      EXPECT_EQ(device.run(fib, 24), 46368);
      EXPECT_EQ(device.counters().tasks, 92735u);
      EXPECT_EQ(device.counters().wavefronts, 2192u) << "the paper's Table 3";
    }
}

TEST(Model, TheBoundIsNotFarFromWhatNarrowChannelsTake) {
  for (uint64_t width : {1, 4, 64}) {
    Device device(defaults(64, width, 8));
    EXPECT_EQ(device.run(fib, 18), 2584);
    Counters counters = device.counters();
    EXPECT_LE(counters.memory_high_water, counters.memory_bound);
    EXPECT_GE(4 * counters.memory_high_water, counters.memory_bound) << width;
  }
}

/// Runs in a child process in which the `nth` allocation fails. Returns its exit status: 0 if done, 3 if out of memory.
int statusWithFailingAllocation(uint64_t nth) {
  static uint64_t left;
  pid_t child = fork();
  if (child == 0) {
    left = nth;
    ModelSettings settings = defaults(8, 32768, 2);
    Environment environment = hostEnvironment();
    environment.allocate = [](void *, uint64_t bytes, uint64_t align) -> void * {
      return left-- ? hostEnvironment().allocate(nullptr, bytes, align) : nullptr;
    };
    environment.fail = [](void *, const Failure &failure) { _exit(failure.kind == FailureKind::OutOfMemory ? 3 : 4); };
    TaskTable tasks(environment);
    Model model(environment, settings);
    cilk2gpu::abi::Cursor *root = model.root(tasks.add(fib.root));
    int64_t result = -1;
    static_cast<int32_t *>(root->columns[0])[root->next] = 22;
    static_cast<int64_t **>(root->columns[1])[root->next++] = &result;
    model.publishRoot();
    model.run();
    _exit(result == 17711 ? 0 : 5);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    return 2000;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST(Model, EveryAllocationMayFail) {
  uint64_t nth = 0;
  int status;
  while ((status = statusWithFailingAllocation(nth)) == 3)
    ++nth;
  EXPECT_EQ(status, 0) << "after " << nth;
  EXPECT_GT(nth, 5u);
}

TEST(Model, TheSameSeedGivesTheSameNumbersToTheBit) {
  auto run = [](uint64_t seed, bool disturbed) {
    ModelSettings settings = defaults(8, 16, 2);
    settings.machine.schedule = Schedule::Random;
    settings.machine.seed = seed;
    settings.traceEvents = 1000;
    void *moved = disturbed ? malloc(12345) : nullptr; // addresses must not matter
    Device device(settings);
    EXPECT_EQ(device.run(fib, 14), 377);
    free(moved);
    std::vector<uint64_t> numbers;
    ModelCounters counters = device.model.modelCounters();
    numbers.resize(sizeof counters / sizeof(uint64_t));
    memcpy(numbers.data(), &counters, sizeof counters);
    const Trace &trace = device.model.trace();
    for (uint64_t i = 0; i < trace.size(); ++i)
      numbers.insert(numbers.end(), {trace[i].time, trace[i].duration, trace[i].context, trace[i].value});
    return numbers;
  };
  EXPECT_EQ(run(5, false), run(5, true));
  EXPECT_NE(run(5, false), run(6, false));
}

TEST(Model, AHundredSeedsGiveOneResult) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    ModelSettings settings = defaults(4, 3, 2);
    settings.machine.schedule = Schedule::Random;
    settings.machine.seed = seed;
    constexpr PolicyKind policies[] = {PolicyKind::Levelized, PolicyKind::Hybrid, PolicyKind::Counted};
    settings.limits.policy = policies[seed % 3];
    Device device(settings);
    ASSERT_EQ(device.run(syncInLoop, 7), syncInLoop.plain(7).result) << seed;
  }
}

/// Of two tasks that never fill a wavefront, the second waits for the first, unless its time-out is over before.
TEST(Model, TimeoutsDispatchWhatFillsNoWavefront) {
  for (PolicyKind policy : {PolicyKind::Hybrid, PolicyKind::Counted}) {
    auto mostContexts = [&](uint64_t timeout) {
      ModelSettings settings = defaults(64, 4096, 4);
      settings.limits.policy = policy;
      settings.timeout = timeout;
      Device device(settings);
      int64_t results[2] = {};
      device.enqueue(fib.root, 5, &results[0]);
      device.enqueue(chain.root, 5, &results[1]);
      device.model.run();
      EXPECT_EQ(results[0], fib.plain(5).result);
      EXPECT_EQ(results[1], chain.plain(5).result);
      return device.model.modelCounters().contexts_high_water;
    };
    EXPECT_EQ(mostContexts(0), 1u);
    EXPECT_EQ(mostContexts(1'000'000'000), 1u);
    EXPECT_GE(mostContexts(1), 2u);
    EXPECT_GE(mostContexts(100), 2u) << "the aggregator wakes up for it";
  }
}

TEST(Model, APredicateOfTheUsers) {
  struct State {
    uint64_t asked, most, oldest;
  } state = {};
  ModelSettings settings = defaults(16, 4096, 4);
  settings.limits.policy = PolicyKind::Counted;
  settings.predicate = {[](void *context, const ChannelView &channel) {
                          auto &state = *static_cast<State *>(context);
                          ++state.asked;
                          state.most = channel.ready > state.most ? channel.ready : state.most;
                          EXPECT_LE(channel.oldest, channel.now);
                          state.oldest = channel.oldest > state.oldest ? channel.oldest : state.oldest;
                          return channel.ready >= 5;
                        },
                        &state};
  Device device(settings);
  EXPECT_EQ(device.run(fib, 14), 377);
  EXPECT_GT(state.asked, 0u);
  EXPECT_GE(state.most, 5u);
  EXPECT_GT(state.oldest, 0u);
}

TEST(Model, OneReservationServesAWavefront) {
  ModelSettings settings = defaults(64, 32768, 1);
  Device wave(settings);
  settings.reservePerLane = true;
  Device lane(settings);
  EXPECT_EQ(wave.run(fib, 20), 6765);
  EXPECT_EQ(lane.run(fib, 20), 6765);
  auto succeeded = [](const ModelCounters &c) { return c.cas_attempted - c.cas_failed; };
  EXPECT_GT(succeeded(lane.model.modelCounters()), 20 * succeeded(wave.model.modelCounters()));
}

TEST(Model, NarrowChannelsMakeWavefrontsYield) {
  uint64_t before = 0;
  for (uint64_t width : {4096, 512, 64, 8}) {
    Device device(defaults(64, width, 2));
    EXPECT_EQ(device.run(fib, 16), 987);
    ModelCounters counters = device.model.modelCounters();
    EXPECT_GE(counters.wavefront_yields, before) << width;
    EXPECT_EQ(counters.wavefront_yields, counters.aggregator_blocks);
    EXPECT_EQ(counters.wavefront_yields, counters.aggregator_restarts);
    EXPECT_LE(counters.yield_bytes, counters.yield_bytes_everything);
    before = counters.wavefront_yields;
  }
  EXPECT_GT(before, 0u);
}

TEST(Model, RootsBeyondTheWidthRunTheGraph) {
  Device device(defaults(4, 2, 1));
  int64_t results[10];
  for (int i = 0; i < 10; ++i)
    device.enqueue(fib.root, i + 1, &results[i]);
  device.model.run();
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(results[i], fib.plain(i + 1).result);
}

TEST(Model, DeepRecursionAndManyChildren) {
  for (PolicyKind policy : {PolicyKind::Levelized, PolicyKind::Hybrid, PolicyKind::Counted}) {
    ModelSettings settings = defaults(64, 64, 8);
    settings.limits.policy = policy;
    Device deep(settings);
    EXPECT_EQ(deep.run(chain, 100000), chain.plain(100000).result);
    Device broad(settings);
    EXPECT_EQ(broad.run(loop, 120000), loop.plain(120000).result);
  }
}

TEST(Model, TracesAreCutAtTheirLimit) {
  ModelSettings settings = defaults();
  settings.traceEvents = 50;
  Device device(settings);
  device.run(fib, 12);
  EXPECT_EQ(device.model.trace().size(), 50u);
  EXPECT_TRUE(device.model.trace().isCut());
}

TEST(Model, GivesAllMemoryBack) {
  static uint64_t held;
  held = 0;
  Environment environment = hostEnvironment();
  environment.allocate = [](void *, uint64_t bytes, uint64_t align) {
    held += bytes;
    return hostEnvironment().allocate(nullptr, bytes, align);
  };
  environment.release = [](void *, void *memory, uint64_t bytes, uint64_t align) {
    held -= memory ? bytes : 0;
    hostEnvironment().release(nullptr, memory, bytes, align);
  };
  ModelSettings settings = defaults(8, 16, 2);
  settings.traceEvents = 100000;
  {
    Device device(settings, environment);
    EXPECT_EQ(device.run(fib, 14), 377);
    EXPECT_GT(held, 0u);
  }
  EXPECT_EQ(held, 0u);
}

} // namespace
