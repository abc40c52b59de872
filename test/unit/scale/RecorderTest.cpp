// Tests that the recorder of cilk-scale finds work, span, burdened span and batches of small programs.
#include "scale/Recorder.h"
#include "scale/LevelTable.h"

#include <gtest/gtest.h>

using namespace cilk2gpu::rt::scale;

namespace {

constexpr Site kMain = {"main", "m.c", 1, 1, kCilk2gpuFunctionSite, ""};
constexpr Site kFunction = {"f", "m.c", 2, 1, kCilk2gpuFunctionSite, ""};
constexpr Site kSpawn = {"f", "m.c", 3, 1, kCilk2gpuSpawnSite, "f"};
constexpr Site kOther = {"f", "m.c", 4, 1, kCilk2gpuSpawnSite, "puts"};
constexpr Site kSync = {"f", "m.c", 5, 1, kCilk2gpuSyncSite, ""};
constexpr Site kLoop = {"f", "m.c", 6, 1, kCilk2gpuLoopSite, ""};

/// Runs a program that the test spells out: `run(n)` executes n instructions.
struct Program {
  explicit Program(uint64_t burden = 0) : recorder(burden) {}

  void run(uint64_t instructions) { now += instructions; }
  void spawnOrdinary(uint64_t instructions) {
    recorder.spawn(&kOther, now);
    run(instructions);
    recorder.childReturn(now);
  }
  const Part &whole() {
    recorder.finish(now);
    return recorder.names.parts[Names::kOutside];
  }
  const Part &part(PartKind kind, const Site *site) { return recorder.names.parts[recorder.names.part(kind, site)]; }

  Recorder recorder;
  uint64_t now = 0;
};

/// f(n) = { 1; if (n < 2) return; spawn f(n - 1); spawn f(n - 2); sync; 1 }
void fib(Program &program, int n) {
  program.recorder.enter(&kFunction, program.now);
  program.run(1);
  if (n >= 2) {
    for (int child : {n - 1, n - 2}) {
      program.recorder.spawn(&kSpawn, program.now);
      fib(program, child);
      program.recorder.childReturn(program.now);
    }
    program.recorder.sync(&kSync, program.now);
    program.run(1);
  }
  program.recorder.leaveInnermost(false, program.now);
}

} // namespace

TEST(Recorder, ChildrenAndContinuationAreParallel) {
  Program program;
  program.recorder.enter(&kMain, program.now);
  program.run(10);
  program.spawnOrdinary(100);
  program.run(20);
  program.spawnOrdinary(50);
  program.run(30);
  program.recorder.sync(&kSync, program.now);
  program.run(5);
  program.recorder.leaveInnermost(false, program.now);
  EXPECT_EQ(program.whole().work, 215u);
  EXPECT_EQ(program.whole().span, 115u); // 10 + 100 + 5
}

TEST(Recorder, EachMoveOfWorkHasABurden) {
  Program program(1000);
  program.recorder.enter(&kMain, program.now);
  program.spawnOrdinary(1);
  program.spawnOrdinary(1);
  program.run(7);
  program.recorder.leaveInnermost(false, program.now);
  EXPECT_EQ(program.whole().span, 7u);
  EXPECT_EQ(program.whole().burdened, 2007u); // two continuations
}

TEST(Recorder, EachHalvingOfARangeHasTheBurdenOfASpawn) {
  Program program(1000);
  program.recorder.enter(&kMain, program.now);
  program.recorder.loop(&kLoop, 64, program.now);
  for (uint64_t i = 0; i < 64; ++i) {
    program.recorder.iteration(i, program.now);
    program.run(7);
  }
  program.recorder.loopEnd(program.now);
  program.recorder.leaveInnermost(false, program.now);
  EXPECT_EQ(program.whole().span, 7u);
  EXPECT_EQ(program.whole().burdened, 6007u);
}

TEST(Recorder, ARecursiveFunctionCountsItsOuterActivationsOnce) {
  Program program;
  fib(program, 10);
  const Part &function = program.part(PartKind::Function, &kFunction);
  EXPECT_EQ(program.whole().work, function.work);
  EXPECT_EQ(function.count, 177u);
  EXPECT_EQ(function.work, 177u + 88u);
  EXPECT_EQ(function.span, 19u); // ten calls, nine of which go on
  EXPECT_EQ(program.part(PartKind::Function, &kFunction).onSpan, 19u);
}

TEST(Recorder, ElementsOfALevelMakeOneDispatch) {
  Program program;
  fib(program, 10);
  program.whole();
  LevelTable table(program.recorder);
  ASSERT_EQ(table.kernels.size(), 2u);
  EXPECT_EQ(table.levels, 10u);
  EXPECT_EQ(table.kernels[0].elements, 177u);
  EXPECT_EQ(table.kernels[1].elements, 88u);
  EXPECT_EQ(table.kernels[0].dispatches, 10u);
  EXPECT_EQ(table.kernels[0].wavefronts[63], 10u);
  EXPECT_EQ(table.kernels[0].wavefronts[0], 177u);
  EXPECT_EQ(table.whole.wavefronts[63], 19u);
}

TEST(Recorder, ASyncBeginsANewBatch) {
  Program program;
  program.recorder.enter(&kFunction, program.now);
  for (int round = 0; round < 3; ++round) {
    program.spawnOrdinary(1);
    program.spawnOrdinary(1);
    program.recorder.sync(&kSync, program.now);
  }
  program.recorder.leaveInnermost(false, program.now);
  program.whole();
  LevelTable table(program.recorder);
  EXPECT_EQ(table.whole.elements, 1u + 6u + 3u);
  EXPECT_EQ(table.whole.wavefronts[63], 1u + 3u + 3u);
}

TEST(Recorder, IterationsAreParallel) {
  Program program;
  program.recorder.enter(&kFunction, program.now);
  program.recorder.loop(&kLoop, 4, program.now);
  for (uint64_t i = 0; i < 4; ++i) {
    program.recorder.iteration(i, program.now);
    program.run(10 + i);
  }
  program.recorder.loopEnd(program.now);
  program.run(2);
  program.recorder.leaveInnermost(false, program.now);
  EXPECT_EQ(program.whole().work, 48u);
  EXPECT_EQ(program.whole().span, 15u);
  LevelTable table(program.recorder);
  EXPECT_EQ(table.whole.elements, 1u + 7u); // the function; 1 + 2 + 4 ranges
}

TEST(Recorder, AnExceptionEndsThePartsThatItLeaves) {
  Program program;
  uint32_t function = program.recorder.enter(&kFunction, program.now);
  program.recorder.spawn(&kSpawn, program.now);
  program.recorder.enter(&kFunction, program.now);
  program.recorder.loop(&kLoop, 2, program.now);
  program.recorder.iteration(0, program.now);
  program.run(3);
  program.recorder.unwind(function, 0, program.now); // a handler of the first function
  program.run(4);
  program.recorder.leave(function, false, program.now);
  EXPECT_EQ(program.whole().work, 7u);
  EXPECT_EQ(program.whole().span, 7u);
}

TEST(Recorder, AHandlerInASpawnedBlockEndsTheBlock) {
  Program program;
  uint32_t function = program.recorder.enter(&kMain, program.now);
  program.recorder.spawn(&kSpawn, program.now);
  program.recorder.unwind(function, 0, program.now);
  program.run(3);
  program.recorder.childReturn(program.now);
  program.run(4);
  program.recorder.leave(function, false, program.now);
  EXPECT_EQ(program.whole().work, 7u);
  EXPECT_EQ(program.part(PartKind::Function, &kMain).count, 1u);
}

TEST(Recorder, APointIsTheWayToIt) {
  Program program;
  program.recorder.enter(&kMain, program.now);
  program.run(10);
  Point before = program.recorder.point(program.now);
  program.spawnOrdinary(100);
  program.spawnOrdinary(100);
  program.recorder.sync(&kSync, program.now);
  Point after = program.recorder.point(program.now);
  EXPECT_EQ(after.work - before.work, 200u);
  EXPECT_EQ(after.span - before.span, 100u);
}
