// Tests of contexts, turns and time: the order in which wavefronts go on, under every schedule and progress model.
#include "executors/model/Machine.h"
#include "process/HostEnvironment.h"

#include <gtest/gtest.h>
#include <vector>

using namespace cilk2gpu::rt;

namespace {

/// A wavefront of this machine, which only passes wavefronts on: a job.
struct Job {
  Machine *machine;
  int number, points;
  uint64_t pressure;
  std::vector<int> *log;

  Wavefront &wavefront() { return *reinterpret_cast<Wavefront *>(this); }
  static const Job &of(const Wavefront &wavefront) { return reinterpret_cast<const Job &>(wavefront); }
};

void body(void *argument) {
  Job &job = *static_cast<Job *>(argument);
  for (int i = 0; i < job.points; ++i) {
    job.log->push_back(job.number);
    job.machine->point({4, 10});
  }
}

uint64_t pressure(const Wavefront &wavefront) { return Job::of(wavefront).pressure; }

struct Bench {
  explicit Bench(MachineShape shape, Schedule schedule = Schedule::RoundRobin,
                 ProgressModel progress = ProgressModel::Fair, uint64_t seed = 1)
      : environment(hostEnvironment()), arena(environment),
        machine(arena, {shape, schedule, progress, seed, 64 << 10}, body, pressure) {}
  ~Bench() {
    machine.destroy();
    arena.destroy();
  }

  void start(Job &job) { machine.occupy(*machine.freeContext(), job.wavefront(), machine.now()); }
  void run() {
    while (machine.nextTurn() != Machine::kNever)
      if (Wavefront *over = machine.turn().wavefront)
        ended.push_back(Job::of(*over).number);
  }

  Environment environment;
  Arena arena;
  Machine machine;
  std::vector<int> log, ended;
};

std::vector<int> order(Schedule schedule, ProgressModel progress, uint64_t seed, MachineShape shape = {1, 2, 4}) {
  Bench bench(shape, schedule, progress, seed);
  Job wavefronts[4];
  for (int i = 0; i < 4; ++i) {
    wavefronts[i] = {&bench.machine, i, 3, uint64_t(i), &bench.log};
    bench.start(wavefronts[i]);
  }
  bench.run();
  return bench.log;
}

TEST(Machine, RoundRobinGivesEveryoneATurn) {
  EXPECT_EQ(order(Schedule::RoundRobin, ProgressModel::Fair, 1),
            (std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}));
}

TEST(Machine, RandomOrderIsTheSeeds) {
  auto first = order(Schedule::Random, ProgressModel::Fair, 1);
  EXPECT_EQ(first, order(Schedule::Random, ProgressModel::Fair, 1));
  bool differs = false;
  for (uint64_t seed = 2; seed < 10; ++seed)
    differs |= order(Schedule::Random, ProgressModel::Fair, seed) != first;
  EXPECT_TRUE(differs);
}

TEST(Machine, TheAdversaryPicksTheGreatestPressure) {
  EXPECT_EQ(order(Schedule::Adversarial, ProgressModel::Fair, 1),
            (std::vector<int>{3, 3, 3, 2, 2, 2, 1, 1, 1, 0, 0, 0}));
}

TEST(Machine, TheAdversaryStarvesNobodyForEver) {
  Bench bench({1, 1, 2}, Schedule::Adversarial);
  Job favoured = {&bench.machine, 0, 1000, 9, &bench.log}, other = {&bench.machine, 1, 1, 0, &bench.log};
  bench.start(favoured);
  bench.start(other);
  bench.run();
  EXPECT_EQ(bench.ended, (std::vector<int>{1, 0}));
}

TEST(Machine, BoundOccupancyRunsOneWavefrontOfASimdUnitAtATime) {
  EXPECT_EQ(order(Schedule::RoundRobin, ProgressModel::Occupancy, 1),
            (std::vector<int>{0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3}));
  EXPECT_EQ(order(Schedule::Adversarial, ProgressModel::Occupancy, 1, {1, 1, 4}),
            (std::vector<int>{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}));
}

TEST(Machine, ASimdUnitIssuesOneInstructionAtATime) {
  Bench busy({1, 1, 4}), idle({1, 4, 4});
  for (Bench *bench : {&busy, &idle}) {
    Job wavefronts[4];
    for (int i = 0; i < 4; ++i) {
      wavefronts[i] = {&bench->machine, i, 1, 0, &bench->log};
      bench->start(wavefronts[i]);
    }
    bench->run();
  }
  EXPECT_EQ(idle.machine.now(), 14u);
  EXPECT_EQ(busy.machine.now(),
            26u); // the last of four instructions of 4 cycles starts at 12
  EXPECT_EQ(busy.machine.issueCycles(), 16u);
}

TEST(Machine, ContextsAreTakenInTurnsOfCus) {
  Bench bench({3, 1, 2});
  Job wavefronts[6];
  std::vector<uint32_t> cus;
  for (int i = 0; i < 6; ++i) {
    wavefronts[i] = {&bench.machine, i, 1, 0, &bench.log};
    Context *context = bench.machine.freeContext();
    ASSERT_TRUE(context);
    cus.push_back(context->cu);
    bench.machine.occupy(*context, wavefronts[i].wavefront(), 0);
  }
  EXPECT_EQ(cus, (std::vector<uint32_t>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(bench.machine.freeContext(), nullptr);
  EXPECT_EQ(bench.machine.freeContext(1), nullptr);
  bench.run();
  EXPECT_TRUE(bench.machine.freeContext(1));
  EXPECT_EQ(bench.machine.occupied(), 0u);
}

TEST(Machine, ADetachedWavefrontGoesOnInAnotherContext) {
  Bench bench({1, 1, 1});
  static Fiber *fiber;
  struct Detaching {
    static void run(void *argument) {
      Job *job = static_cast<Job *>(argument);
      if (job->number == 0) {
        fiber = job->machine->running()->fiber;
        job->machine->detach();
      }
      job->log->push_back(job->number);
    }
  };
  Machine machine(bench.arena, {{1, 1, 1}, Schedule::RoundRobin, ProgressModel::Fair, 1, 64 << 10}, Detaching::run,
                  pressure);
  Job first = {&machine, 0, 0, 0, &bench.log}, second = {&machine, 1, 0, 0, &bench.log};
  machine.occupy(*machine.freeContext(), first.wavefront(), 0);
  EXPECT_EQ(machine.turn().wavefront, nullptr);
  ASSERT_TRUE(machine.freeContext()) << "its context is free";
  machine.occupy(*machine.freeContext(), second.wavefront(), 0);
  EXPECT_EQ(machine.turn().wavefront, &second.wavefront());
  machine.attach(*machine.freeContext(), first.wavefront(), fiber, 0);
  EXPECT_EQ(machine.turn().wavefront, &first.wavefront());
  EXPECT_EQ(bench.log, (std::vector<int>{1, 0}));
  machine.destroy();
}

} // namespace
