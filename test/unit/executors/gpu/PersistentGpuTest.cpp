// Tests of persistent kernels on GPUs, with fake drivers that run their wavefronts beside one another. They cover
// results, launches, memory that grows, requests of tasks to the host, interrupts, and one line for every possible
// error.
#include "GpuProcess.h"
#include <signal.h>

namespace cilk2gpu::test {
namespace {

class PersistentGpu : public Gpu {
protected:
  std::string on() const { return Gpu::on() + "CILK2GPU_AGGREGATOR=persistent FAKE_GPU_MEMORY=50000000 "; }
  /// Returns the launches of a run whose output is `output`.
  std::string launches(const std::string &settings, const char *program, const char *output) {
    unlink(log.c_str());
    EXPECT_EQ(probe(on() + settings + " FAKE_GPU_LOG=" + log, program).output, output) << settings << program;
    return logged("launch");
  }
};

INSTANTIATE_TEST_SUITE_P(Fake, PersistentGpu, testing::ValuesIn(machines), nameOf);

TEST_P(PersistentGpu, ResultsAreThoseOfTheCpu) {
  for (const char *visibility : visibilities)
    for (const char *settings : {"", "CILK2GPU_WIDTH=1", "CILK2GPU_WIDTH=7", "CILK2GPU_WIDTH=100 CILK2GPU_WORKERS=1"})
      for (const char *program : {"fib 1", "fib 11", "loop 0", "loop 300", "touch 7", "memory", "threads 4"}) {
        Outcome cpu = probe("CILK2GPU_DEVICE=native " + std::string(settings), program);
        Outcome gpu = probe(on() + visibility + settings, program);
        EXPECT_EQ(gpu.status, 0) << program << settings << visibility;
        EXPECT_EQ(gpu.output, cpu.output) << program << settings << visibility;
      }
}

TEST_P(PersistentGpu, ARunIsOneLaunchOfAsManyBlocksAsAreResident) {
  EXPECT_EQ(launches("", "fib 12", "144\n"), "__cilk2gpu_persistent 2; ");
  EXPECT_EQ(launches("FAKE_GPU_BLOCKS=3", "fib 12", "144\n"), "__cilk2gpu_persistent 3; ");
  // Fewer workers need fewer blocks, at least one.
  EXPECT_EQ(launches("CILK2GPU_WORKERS=2", "fib 12", "144\n"), "__cilk2gpu_persistent 1; ");
  EXPECT_EQ(launches("", "sync", ""), "");
}

TEST_P(PersistentGpu, LaunchesAreCooperativeWhereThereIsSuchALaunch) {
  bool isOld = std::string(FAKE_HIP5) == machine().drivers.substr(machine().drivers.rfind('=') + 1, strlen(FAKE_HIP5));
  std::string cooperative =
      machine().device == std::string("cuda") ? "cuLaunchCooperativeKernel" : "hipModuleLaunchCooperativeKernel";
  for (bool has : {true, false}) {
    launches(has ? "" : "FAKE_GPU_TOGETHER=0", "fib 12", "144\n");
    EXPECT_EQ(loggedCalls().count(has && !isOld ? cooperative : machine().launch), 1u);
    EXPECT_EQ(loggedCalls().count(has && !isOld ? machine().launch : cooperative), 0u);
  }
}

TEST_P(PersistentGpu, NobodyWaitsForABlockThatIsNotResident) {
  for (const char *program : {"fib 14", "loop 3000"}) {
    std::string expected = probe("CILK2GPU_DEVICE=native", program).output;
    EXPECT_EQ(probe(on() + "FAKE_GPU_BLOCKS=6 FAKE_GPU_RESIDENT=1", program).output, expected);
    EXPECT_EQ(probe(on() + "FAKE_GPU_BLOCKS=4 FAKE_GPU_RESIDENT=3 CILK2GPU_WIDTH=5", program).output, expected);
  }
}

TEST_P(PersistentGpu, TheKernelEndsForMoreMemoryAndGoesOn) {
  std::string more = launches("CILK2GPU_WIDTH=10000", "fib 22", "17711\n");
  EXPECT_GT(more.size(), strlen("__cilk2gpu_persistent 2; ")) << more;
  // The user's limit is not exceeded: lanes yield instead.
  Outcome bounded =
      probe(on() + "CILK2GPU_WIDTH=10000 CILK2GPU_MEM_CAP=2M CILK2GPU_STATS=" + directory + "/s.json", "loop 200000");
  EXPECT_EQ(bounded.output, probe("CILK2GPU_DEVICE=native", "loop 200000").output);
  std::string check = "python3 -c 'import json; c = json.load(open(\"" + directory +
                      "/s.json\"))[\"counters\"]\n"
                      "assert c[\"memory_high_water\"][\"value\"] <= 2 << 20 and c[\"yields\"][\"value\"] > 0'";
  EXPECT_EQ(system(check.c_str()), 0) << bounded.output;
}

TEST_P(PersistentGpu, WhatTheAggregatorFailsAtIsSaidByTheHost) {
  Outcome small = probe(on() + "CILK2GPU_MEM_CAP=100K CILK2GPU_WIDTH=1 FAKE_GPU_LOG=" + log, "fib 9000");
  EXPECT_EQ(small.status, 1);
  EXPECT_EQ(small.output.find(
                "cilk2gpu: error: CILK2GPU_MEM_CAP is too small to go on: the channel or the frames of 'fib' need "),
            0u)
      << small.output;
  EXPECT_EQ(logged("launch"), "__cilk2gpu_persistent 2; ");
}

TEST_P(PersistentGpu, TasksAskTheHostWhileTheyRun) {
  std::vector<std::string> launches = machine().waits();
  launches.push_back("");
  for (const std::string &launch : launches) {
    const std::string asks = on() + "FAKE_ARCHS=none FAKE_ASKS=1 FAKE_GPU_PAGEABLE=1 " + launch;
    Outcome outcome = probe(asks, "ask 40");
    EXPECT_EQ(outcome.status, 0) << launch;
    for (int lane = 0; lane < 40; ++lane)
      EXPECT_NE(outcome.output.find("lane " + std::to_string(lane) + " asks\n"), std::string::npos) << outcome.output;
    EXPECT_NE(outcome.output.find("1560\n"), std::string::npos) << outcome.output;
    // A task ends the process, with wavefronts that wait for work.
    EXPECT_EQ(probe(asks, "ask 1").status, 7) << launch;
  }
}

TEST_P(PersistentGpu, CtrlCEndsARun) {
  for (const std::string &settings : {Gpu::on(), on()})
    for (int number : {SIGINT, SIGTERM}) {
      Outcome quiet = probe(settings, "interrupt " + std::to_string(number));
      EXPECT_EQ(quiet.status, 128 + number) << settings; // as the shell says it
      Outcome outcome =
          probe(settings + "CILK2GPU_STATS=" + directory + "/s.json", "interrupt " + std::to_string(number));
      EXPECT_EQ(outcome.status, 128 + number) << settings << outcome.output;
      // Not all GPUs let the host read managed memory while a persistent kernel runs.
      bool isReadable = settings == Gpu::on();
      EXPECT_NE(outcome.output.find(isReadable
                                        ? "the statistics and the trace have the run up to now"
                                        : "no statistics or trace are written, because the state of this device"),
                std::string::npos)
          << outcome.output;
      EXPECT_EQ(access((directory + "/s.json").c_str(), F_OK) == 0, isReadable);
      EXPECT_EQ(system(("rm -f " + directory + "/s.json").c_str()), 0);
    }
}

TEST_P(PersistentGpu, WhatCannotBeIsRefused) {
  auto refused = [&](const std::string &settings, const char *program, const std::string &text) {
    Outcome outcome = probe(on() + settings, program);
    EXPECT_EQ(outcome.status, 1) << settings;
    EXPECT_EQ(outcome.output.find("cilk2gpu: error: " + text), 0u) << outcome.output;
  };
  const std::string mode = "CILK2GPU_AGGREGATOR=persistent: ";
  refused("FAKE_LAUNCHED=1", "fib 2", mode + "the image for ");
  refused("", "missing 2", mode + "the image for ");
  refused("FAKE_GPU_BLOCKS=0", "fib 2", mode + "no block of the persistent kernel fits on " + machine().name);
  refused("CILK2GPU_WATCHDOG=1", "fib 2", "CILK2GPU_WATCHDOG cannot see what a persistent kernel on a GPU does");
  EXPECT_NE(probe(on() + "FAKE_LAUNCHED=1", "fib 2").output.find("link the program with -foffload-persistent"),
            std::string::npos);
  EXPECT_NE(probe(on(), "missing 2").output.find("does not have the kernel 'missing.k0'"), std::string::npos);
}

TEST_P(PersistentGpu, EveryFailureOfTheDriverIsOneLineAndStatus1) {
  // The number of registrations depends on the stacks that the driver's threads leave, so the tests of launches check
  // it instead.
  checkFailures(on() + "FAKE_GPU_PAGEABLE=1 ", "memory");
  checkFailures(on() + "FAKE_GPU_PAGEABLE=1 CILK2GPU_WIDTH=10000 ", "fib 22");
}

} // namespace
} // namespace cilk2gpu::test
