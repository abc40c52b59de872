// Tests that graphs on one worker have the result of simple recursion, and exactly the counts of levelization, at every
// wave size and channel width.
#include "Machine.h"

#include <gtest/gtest.h>

using namespace cilk2gpu::test;

// The out-of-memory test needs sanitizers' allocators to return null, as the C library's does. The fork test continues
// in its child.
extern "C" const char *__asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" const char *__tsan_default_options() { return "allocator_may_return_null=1:die_after_fork=0"; }

namespace cilk2gpu {
namespace {

class EveryShape : public testing::TestWithParam<std::tuple<uint32_t, uint64_t>> {
protected:
  uint32_t wave() const { return std::get<0>(GetParam()); }
  uint64_t width() const { return std::get<1>(GetParam()); }

  void check(const Program &program, int32_t argument) {
    SCOPED_TRACE(testing::Message() << program.name << "(" << argument << ") wave " << wave() << " width " << width());
    Expected expected = program.plain(argument);
    Machine machine(wave(), width());
    EXPECT_EQ(machine.run(program, argument), expected.result);
    rt::Counters counters = machine.counters();
    EXPECT_EQ(counters.tasks, expected.tasks);
    EXPECT_EQ(counters.spawned, expected.tasks - 1);
    EXPECT_EQ(counters.post_sync_lanes, expected.resumed);
    EXPECT_EQ(counters.yields, counters.restarted_lanes);
    EXPECT_EQ(counters.dispatches, counters.wavefronts + counters.restarted_wavefronts);
    EXPECT_GE(counters.wavefronts * wave(), expected.tasks + expected.resumed);
  }
};

TEST_P(EveryShape, Fib) { check(fib, 16); }
TEST_P(EveryShape, FibBaseCase) { check(fib, 1); }
TEST_P(EveryShape, LoopOverManyChildren) { check(loop, 120000); }
TEST_P(EveryShape, EmptyLoop) { check(loop, 0); }
TEST_P(EveryShape, MutualRecursion) { check(mutual, 15); }
TEST_P(EveryShape, SyncInLoop) { check(syncInLoop, 11); }
TEST_P(EveryShape, SeveralSyncs) { check(twoSyncs, 16); }

TEST_P(EveryShape, DeepChainInLittleMemory) {
  Machine machine(wave(), width());
  EXPECT_EQ(machine.run(chain, 100000), 100000);
  rt::Counters counters = machine.counters();
  EXPECT_EQ(counters.levels, 100001u);
  EXPECT_EQ(counters.frames_high_water, 100000u);
  EXPECT_EQ(counters.yields, 0u);
  EXPECT_EQ(counters.wavefronts, 200001u);
  EXPECT_LT(counters.memory_high_water, 100u << 20);
}

TEST_P(EveryShape, MemoryStaysBounded) {
  // The width bounds the frames of a level, and depth x width bounds memory. A breadth-first run would need 92,735
  // elements.
  Machine machine(wave(), width());
  EXPECT_EQ(machine.run(fib, 24), 46368);
  rt::Counters counters = machine.counters();
  EXPECT_EQ(counters.levels, 23u);
  EXPECT_LE(counters.frames_high_water, 22 * width());
  EXPECT_EQ(counters.spawned, 92734u);
  if (width() <= 64) {
    EXPECT_LT(counters.memory_high_water, 1u << 20);
    EXPECT_GT(counters.yields, 0u);
  }
}

TEST_P(EveryShape, ManyRootsAndRunsReuseMemory) {
  Machine machine(wave(), width());
  int64_t results[200];
  uint64_t memory = 0;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 200; ++i)
      machine.enqueue(i % 2 ? mutual.root : fib.root, i % 13, &results[i]);
    machine.pool.run();
    for (int i = 0; i < 200; ++i)
      EXPECT_EQ(results[i], (i % 2 ? mutual : fib).plain(i % 13).result) << i;
    if (round)
      EXPECT_EQ(machine.counters().memory_high_water, memory);
    memory = machine.counters().memory_high_water;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryShape,
                         testing::Combine(testing::Values(1, 3, 4, 32, 64), testing::Values(1, 2, 64, 8192)),
                         [](const auto &info) {
                           return "Wave" + std::to_string(std::get<0>(info.param)) + "Width" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST(Levelization, FibDispatchesThePublishedNumberOfWavefronts) {
  // With room for the widest level, all wavefronts of each level but one are full.
  Machine machine(64, 32768);
  EXPECT_EQ(machine.run(fib, 24), 46368);
  rt::Counters counters = machine.counters();
  EXPECT_EQ(counters.wavefronts, 2192u);
  EXPECT_EQ(counters.tasks, 92735u);
  EXPECT_EQ(counters.yields, 0u);
  EXPECT_EQ(counters.restarted_wavefronts, 0u);
  EXPECT_EQ(counters.dispatches, 2192u);
}

TEST(Levelization, KernelsAreCountedSeparately) {
  Machine machine(64, 32768);
  machine.run(fib, 24);
  const rt::TaskInfo *info = machine.tasks.add(fib.root);
  rt::KernelCounters pre = machine.pool.kernelCounters(*info, 0), post = machine.pool.kernelCounters(*info, 1);
  EXPECT_EQ(pre.lanes, 92735u);
  EXPECT_EQ(post.lanes, 46367u);
  EXPECT_EQ(pre.wavefronts + post.wavefronts, 2192u);
}

TEST(Levelization, WidthOneYieldsOncePerChildButTheFirst) {
  Machine machine(64, 1);
  EXPECT_EQ(machine.run(loop, 1000), 1000 * 999 / 2 * 3);
  rt::Counters counters = machine.counters();
  EXPECT_EQ(counters.yields, 999u);
  EXPECT_EQ(counters.restarted_wavefronts, 999u);
}

TEST(Limits, LargeTasksGetASmallerWidth) {
  rt::Limits limits{64, 4096, 1 << 20};
  EXPECT_EQ(limits.widthFor(0), 4096u);
  EXPECT_EQ(limits.widthFor(16), 4096u);
  EXPECT_EQ(limits.widthFor(1024), 1024u);
  EXPECT_EQ(limits.widthFor(1 << 19), 2u);
  EXPECT_EQ(limits.widthFor(uint64_t(1) << 40), 1u);
  limits.levelBytes = 0;
  EXPECT_EQ(limits.widthFor(uint64_t(1) << 40), 4096u);
}

TEST(Limits, FramesStayWithinALevelsBytes) {
  uint64_t frames[2];
  for (int narrow : {0, 1}) {
    Machine machine(rt::Limits{64, 4096, narrow ? 2048u : 0u});
    EXPECT_EQ(machine.run(fib, 20), 6765);
    frames[narrow] = machine.counters().frames_high_water;
  }
  // 2 KB a level, for at most 20 levels of frames of at least 16 bytes.
  EXPECT_LE(frames[1], 20 * 2048u / 16);
  EXPECT_GT(frames[0], frames[1]);
}

TEST(TaskTable, TakesTheBestFormThatTheMachineHas) {
  static const abi::KernelFn plain = [](abi::Wave *) {}, wide = [](abi::Wave *wave) { wave->lanes = 0; },
                             narrow = [](abi::Wave *wave) { wave->lanes = 1; };
  static const abi::VectorForm both[] = {{wide, abi::Isa::X86_64_V4, 0}, {narrow, abi::Isa::X86_64_V3, 0}};
  static const abi::VectorForm second[] = {{nullptr, abi::Isa::X86_64_V4, 0}, {narrow, abi::Isa::X86_64_V3, 0}};
  static const abi::KernelRecord kernels[] = {{.name = "both.k0", .run = plain, .forms = both, .numForms = 2},
                                              {.name = "second.k0", .run = plain, .forms = second, .numForms = 2}};
  static const abi::FieldRecord fields[] = {{4, 4}, {8, 8}};
  auto chosen = [&](uint32_t kernel, uint32_t isas) {
    abi::TaskRecord task = {
        .name = "forms", .fields = fields, .kernels = kernels + kernel, .numFields = 2, .numKernels = 1};
    rt::Environment environment = rt::hostEnvironment();
    environment.isas = isas;
    rt::TaskTable tasks(environment);
    rt::KernelInfo info = tasks.add(&task)->kernels[0];
    tasks.destroy();
    return std::pair(info.run, info.isa);
  };
  constexpr uint32_t v4 = 1u << uint32_t(abi::Isa::X86_64_V4), v3 = 1u << uint32_t(abi::Isa::X86_64_V3);
  EXPECT_EQ(chosen(0, v3 | v4), std::pair(wide, abi::Isa::X86_64_V4));
  EXPECT_EQ(chosen(0, v3), std::pair(narrow, abi::Isa::X86_64_V3));
  EXPECT_EQ(chosen(0, 0), std::pair(plain, abi::Isa::Any));
  EXPECT_EQ(chosen(1, v3 | v4), std::pair(narrow, abi::Isa::X86_64_V3));
  EXPECT_EQ(chosen(1, v4), std::pair(plain, abi::Isa::Any));
}

TEST(SchedulerDeathTest, YieldWithoutReasonIsReported) {
  // A kernel that yields although its channels are empty would hang a scheduler that only retries it.
  static const abi::KernelRecord kernels[] = {{.name = "idle.k0",
                                               .run = [](abi::Wave *wave) { yield(wave, nullptr, 0); },
                                               .resume = [](abi::Wave *wave) { yield(wave, nullptr, 0); }}};
  static const abi::FieldRecord fields[] = {{4, 4}, {8, 8}};
  static abi::TaskRecord task = {.name = "idle", .fields = fields, .kernels = kernels, .numFields = 2, .numKernels = 1};
  EXPECT_EXIT(
      {
        Machine machine(4, 4);
        machine.run({"idle", &task, nullptr}, 1);
      },
      testing::ExitedWithCode(1), "internal error: a lane yielded although .*task 'idle', level 0");
}

TEST(SchedulerDeathTest, MemoryThatCannotBeHadIsReported) {
  static const abi::FieldRecord fields[] = {{4, 4}, {8, 8}};
  static const abi::KernelRecord kernels[] = {{.name = "huge.k0", .run = [](abi::Wave *) {}}};
  static abi::TaskRecord task = {.name = "huge",
                                 .fields = fields,
                                 .kernels = kernels,
                                 .frameSize = uint64_t(1) << 62,
                                 .frameAlign = 8,
                                 .numFields = 2,
                                 .numKernels = 1};
  EXPECT_EXIT(
      {
        Machine machine(4, 4);
        machine.run({"huge", &task, nullptr}, 1);
      },
      testing::ExitedWithCode(1), "out of memory: 4611686018427387904 bytes for channels and frames");
}

TEST(TaskTableDeathTest, BadRecordsAreRefused) {
  auto add = [](void (*spoil)(abi::TaskRecord &)) {
    Machine machine(4, 4);
    abi::TaskRecord record = *fib.root;
    spoil(record);
    machine.tasks.add(&record);
  };
  EXPECT_EXIT(add([](abi::TaskRecord &r) { r.version = 99; }), testing::ExitedWithCode(1),
              "task 'fib' was compiled for version 99 .* this runtime has version " + std::to_string(abi::kAbiVersion));
  EXPECT_EXIT(add([](abi::TaskRecord &r) { r.magic = 5; }), testing::ExitedWithCode(1), "magic number is wrong.*5 was");
  EXPECT_EXIT(add([](abi::TaskRecord &r) { r.frameAlign = 3; }), testing::ExitedWithCode(1), "power of two.*3 was");
  EXPECT_EXIT(add([](abi::TaskRecord &r) { r.frameSize = 0; }), testing::ExitedWithCode(1), "has a frame.*0 was");
}

} // namespace
} // namespace cilk2gpu
