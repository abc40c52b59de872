// Tests of a program's interface: environment variables, messages, exit statuses and statistics files, and of host
// threads and fork. Each test runs the probe program in a process of its own.
#include "Process.h"
#include "cilk2gpu/abi/Records.h"
#include <fstream>
#include <gtest/gtest.h>
#include <signal.h>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace cilk2gpu::test;

namespace {

/// The shell runs `before` first.
Outcome probe(const std::string &environment, const std::string &arguments, const std::string &before = "") {
  return runShell(before + "env " + environment + " '" CILK2GPU_PROBE "' " + arguments);
}

class StatisticsFile : public testing::Test {
protected:
  StatisticsFile() {
    char name[] = "/tmp/cilk2gpu-XXXXXX";
    directory = mkdtemp(name);
  }
  ~StatisticsFile() override { EXPECT_EQ(system(("rm -rf " + directory).c_str()), 0); }

  std::string contents(const std::string &name) {
    std::ifstream file(directory + "/" + name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  std::string directory;
};

TEST(Environment, ResultsAreTheSameForAllSettings) {
  for (const char *settings :
       {"", "CILK2GPU_WAVE=1", "CILK2GPU_WAVE=7 CILK2GPU_WIDTH=1", "CILK2GPU_WORKERS=1",
        "CILK2GPU_WORKERS=5 CILK2GPU_WIDTH=2147483648", "CILK2GPU_DEVICE=native", "CILK2GPU_DEVICE=serial",
        "CILK2GPU_DEVICE=model", "CILK2GPU_DEVICE=model CILK2GPU_WIDTH=1", "CILK2GPU_DEVICE=gpu-host",
        "CILK2GPU_DEVICE=gpu-host CILK2GPU_AGGREGATOR=persistent CILK2GPU_WORKERS=3"}) {
    Outcome outcome = probe(settings, "fib 25");
    EXPECT_EQ(outcome.status, 0) << settings;
    EXPECT_EQ(outcome.output, "75025\n") << settings;
  }
}

TEST(Environment, BadValuesAreErrorsThatNameTheAllowedOnes) {
  const char *cases[][2] = {
      {"CILK2GPU_WAVE=0", "cilk2gpu: error: CILK2GPU_WAVE=0 is not valid; allowed: 1 to 64 lanes\n"},
      {"CILK2GPU_WAVE=65", "cilk2gpu: error: CILK2GPU_WAVE=65 is not valid; allowed: 1 to 64 lanes\n"},
      {"CILK2GPU_WAVE=", "cilk2gpu: error: CILK2GPU_WAVE= is not valid; allowed: 1 to 64 lanes\n"},
      {"CILK2GPU_WIDTH=2147483649", "cilk2gpu: error: CILK2GPU_WIDTH=2147483649 is not valid; allowed: 1 to "
                                    "2147483648 elements\n"},
      {"CILK2GPU_WIDTH=99999999999999999999999",
       "cilk2gpu: error: CILK2GPU_WIDTH=99999999999999999999999 is not valid; allowed: 1 to 2147483648 elements\n"},
      {"CILK2GPU_WIDTH=-1", "cilk2gpu: error: CILK2GPU_WIDTH=-1 is not valid; allowed: 1 to 2147483648 elements\n"},
      {"CILK2GPU_WIDTH=12k", "cilk2gpu: error: CILK2GPU_WIDTH=12k is not valid; allowed: 1 to 2147483648 elements\n"},
      {"CILK2GPU_WORKERS=0", "cilk2gpu: error: CILK2GPU_WORKERS=0 is not valid; allowed: 1 to 1024 threads\n"},
      {"CILK2GPU_DEVICE=gpu", "cilk2gpu: error: CILK2GPU_DEVICE=gpu is not valid; allowed: native, model, serial, "
                              "gpu-host, hip, cuda, auto\n"},
      {"CILK2GPU_AGGREGATOR=gpu", "cilk2gpu: error: CILK2GPU_AGGREGATOR=gpu is not valid; allowed: host, persistent\n"},
      {"CILK2GPU_CUS=257", "cilk2gpu: error: CILK2GPU_CUS=257 is not valid; allowed: 1 to 256 compute units\n"},
      {"CILK2GPU_POLICY=deep", "cilk2gpu: error: CILK2GPU_POLICY=deep is not "
                               "valid; allowed: adaptive, levelized, hybrid, counted, dataflow\n"},
      {"CILK2GPU_SCHEDULE=RR", "cilk2gpu: error: CILK2GPU_SCHEDULE=RR is not "
                               "valid; allowed: rr, random, adversarial\n"},
      {"CILK2GPU_PROGRESS=", "cilk2gpu: error: CILK2GPU_PROGRESS= is not valid; allowed: fair, occupancy\n"},
      {"CILK2GPU_SEED=-1", "cilk2gpu: error: CILK2GPU_SEED=-1 is not valid; allowed: 0 to 9223372036854775807\n"},
      {"CILK2GPU_DONE_COUNT=0", "cilk2gpu: error: CILK2GPU_DONE_COUNT=0 is not "
                                "valid; allowed: 1 to 1048576 elements\n"},
      {"CILK2GPU_RESERVE=cu", "cilk2gpu: error: CILK2GPU_RESERVE=cu is not valid; allowed: wave, lane\n"},
      {"CILK2GPU_MEM_CAP=1T", "cilk2gpu: error: CILK2GPU_MEM_CAP=1T is not "
                              "valid; allowed: 1 to 9223372036854775807 bytes, or a number followed by K, M or G\n"},
      {"CILK2GPU_MEM_CAP=8589934592G", "cilk2gpu: error: CILK2GPU_MEM_CAP=8589934592G is not valid; allowed: "
                                       "1 to 9223372036854775807 bytes, or a number followed by K, M or G\n"},
      {"CILK2GPU_PROGRESS_LINE=0",
       "cilk2gpu: error: CILK2GPU_PROGRESS_LINE=0 is not valid; allowed: 1 to 1000000 seconds\n"},
      {"CILK2GPU_REPORT_ON=SIGHUP",
       "cilk2gpu: error: CILK2GPU_REPORT_ON=SIGHUP is not valid; allowed: SIGUSR1, SIGUSR2\n"},
      {"CILK2GPU_WATCHDOG=0", "cilk2gpu: error: CILK2GPU_WATCHDOG=0 is not valid; allowed: 1 to 1000000 seconds\n"},
      {"CILK2GPU_TRACE=", "cilk2gpu: error: CILK2GPU_TRACE= is not valid; allowed: a file name, or - for stderr\n"},
      {"CILK2GPU_STATS=", "cilk2gpu: error: CILK2GPU_STATS= is not valid; allowed: a file name (.json for JSON, else "
                          "text), or - for stderr\n"}};
  for (auto &[setting, message] : cases) {
    Outcome outcome = probe(setting, "fib 5");
    EXPECT_EQ(outcome.status, 1) << setting;
    EXPECT_EQ(outcome.output, message) << setting;
  }
}

TEST(Environment, UnknownVariablesAreWarnedOf) {
  Outcome outcome = probe("CILK2GPU_WAVES=3", "fib 5");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output,
            "cilk2gpu: warning: the environment variable CILK2GPU_WAVES is not known and has no effect; "
            "did you mean CILK2GPU_WAVE?\n5\n");
  EXPECT_EQ(probe("CILK2GPU_SPEED_OF_LIGHT=3", "fib 5").output,
            "cilk2gpu: warning: the environment variable CILK2GPU_SPEED_OF_LIGHT is not known and has no effect "
            "(docs/environment.md lists all)\n5\n");
  EXPECT_EQ(probe("CILK2GPU_CLANG=/usr/bin/clang CILK2GPU_BUILD_DIR=build", "fib 5").output, "5\n");
}

TEST(Environment, VariablesOfOtherNamesAreWarnedOfOnlyIfTheyAreSimilar) {
  auto warned = [](const char *wrong, const char *right) {
    return "cilk2gpu: warning: the environment variable " + std::string(wrong) +
           " is not known and has no effect; did you mean " + right + "?\n5\n";
  };
  EXPECT_EQ(probe("CILK_NWORKER=3", "fib 5").output, warned("CILK_NWORKER", "CILK_NWORKERS"));
  EXPECT_EQ(probe("CILKGPU_STATS=x", "fib 5").output, warned("CILKGPU_STATS", "CILK2GPU_STATS"));
  EXPECT_EQ(probe("CILKSCALE_OUTT=x", "fib 5").output, warned("CILKSCALE_OUTT", "CILKSCALE_OUT"));
  EXPECT_EQ(probe("CILKSAN_OPTION=x", "fib 5").output, warned("CILKSAN_OPTION", "CILKSAN_OPTIONS"));
  EXPECT_EQ(probe("CILK_HOME=/opt CILKSCALE_OUT=x CILKSAN_OPTIONS=y", "fib 5").output, "5\n");
}

TEST(Environment, OpenCilksNumberOfWorkers) {
  EXPECT_EQ(probe("CILK_NWORKERS=3", "workers").output, "3\n");
  EXPECT_EQ(probe("CILK_NWORKERS=3 CILK2GPU_WORKERS=2", "workers").output, "2\n");
  EXPECT_EQ(probe("CILK_NWORKERS=0", "workers").output, probe("", "workers").output);
  EXPECT_EQ(probe("CILK_NWORKERS=abc CILK2GPU_WORKERS=2", "workers").output, "2\n");
  Outcome outcome = probe("CILK_NWORKERS=abc", "workers");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.output, "cilk2gpu: error: CILK_NWORKERS=abc is not valid; allowed: 1 to 1024 threads, or 0 for one "
                            "thread on each CPU that the process may use\n");
}

TEST(Host, RootsBeyondTheWidthRunTheGraph) {
  EXPECT_EQ(probe("CILK2GPU_WIDTH=1", "roots 500").status, 0);
  EXPECT_EQ(probe("CILK2GPU_WIDTH=64", "roots 500").status, 0);
}

TEST(Host, ThreadsTakeTurns) {
  EXPECT_EQ(probe("", "threads 8").status, 0);
  EXPECT_EQ(probe("CILK2GPU_WIDTH=2 CILK2GPU_WORKERS=3", "threads 8").status, 0);
}

TEST(Host, ForkedChildrenRunGraphs) {
  EXPECT_EQ(probe("", "fork 22").status, 0);
  EXPECT_EQ(probe("CILK2GPU_WORKERS=4", "fork 26").status, 0);
}

TEST(Host, TasksMayCallCilkFunctionsAndFork) {
  Outcome called = probe("", "call-in-task 15");
  EXPECT_EQ(called.output, "610\n");
  Outcome forked = probe("", "system-in-task 1");
  EXPECT_EQ(forked.output, "769\n"); // status 3, encoded as by wait(), plus 1
}

TEST(Host, TheModelledMachineServesThreadsForksAndCalls) {
  EXPECT_EQ(probe("CILK2GPU_DEVICE=model CILK2GPU_WIDTH=1", "roots 500").status, 0);
  EXPECT_EQ(probe("CILK2GPU_DEVICE=model CILK2GPU_WIDTH=2", "threads 8").status, 0);
#if !__has_feature(                                                                                                    \
    thread_sanitizer) // in the child of a process with several threads, it ignores the order of threads and fibers
  EXPECT_EQ(probe("CILK2GPU_DEVICE=model", "fork 12").status, 0);
#endif
  EXPECT_EQ(probe("CILK2GPU_DEVICE=model", "call-in-task 15").output, "610\n");
  EXPECT_EQ(probe("CILK2GPU_DEVICE=model", "system-in-task 1").output, "769\n");
  EXPECT_EQ(probe("CILK2GPU_DEVICE=model CILK2GPU_STATS=/dev/null", "exit-in-task 3").status, 3);
}

TEST(Host, APersistentKernelServesThreadsForksAndCalls) {
  const std::string settings = "CILK2GPU_DEVICE=gpu-host CILK2GPU_AGGREGATOR=persistent CILK2GPU_WORKERS=2 ";
  EXPECT_EQ(probe(settings, "threads 2").status, 0);
#if !__has_feature(thread_sanitizer) // as above
  EXPECT_EQ(probe(settings, "fork 12").status, 0);
#endif
  EXPECT_EQ(probe(settings, "call-in-task 15").output, "610\n");
  EXPECT_EQ(probe(settings, "system-in-task 1").output, "769\n");
  EXPECT_EQ(probe(settings + "CILK2GPU_STATS=/dev/null", "exit-in-task 3").status, 3);
  Outcome statistics = probe(settings + "CILK2GPU_STATS=-", "fib 12");
  EXPECT_NE(statistics.output.find("\nlaunches                              1 launches "), std::string::npos)
      << statistics.output;
  Outcome small = probe(settings + "CILK2GPU_MEM_CAP=8K", "fib 20");
  EXPECT_EQ(small.status, 1);
  EXPECT_NE(small.output.find("error: CILK2GPU_MEM_CAP is too small to go on: the channel or the frames of '"),
            std::string::npos)
      << small.output;
  Outcome hung = probe(settings + "CILK2GPU_WATCHDOG=1", "hang-in-task 1");
  EXPECT_EQ(hung.status, 1);
  EXPECT_NE(hung.output.find("cilk2gpu:   worker 0: runs 'action:\"0\"' at level 0\n"), std::string::npos)
      << hung.output;
  // Without statistics, a signal belongs to the program: it ends the process with all wavefronts.
  for (int number : {SIGINT, SIGTERM, SIGHUP})
    EXPECT_EQ(probe(settings, "signal-in-task " + std::to_string(number)).status, 128 + number);
  Outcome forked = probe(settings, "fork-in-task 1");
  EXPECT_EQ(forked.status, 0);
  EXPECT_NE(forked.output.find("error: this process was forked inside a task while other workers ran"),
            std::string::npos)
      << forked.output;
}

TEST(Host, OnlyGpusHaveAPersistentKernel) {
  Outcome native = probe("CILK2GPU_DEVICE=native CILK2GPU_AGGREGATOR=persistent", "fib 12");
  EXPECT_EQ(native.status, 0);
  EXPECT_EQ(native.output,
            "cilk2gpu: warning: CILK2GPU_AGGREGATOR=persistent has no effect with CILK2GPU_DEVICE=native: only "
            "gpu-host, hip and cuda have a persistent kernel\n144\n");
  EXPECT_EQ(probe("CILK2GPU_DEVICE=native CILK2GPU_AGGREGATOR=host", "fib 12").output, "144\n");
}

TEST(Host, ATaskMayWaitForAThreadThatCallsATask) {
  // That thread would wait for its turn, and the turn would wait for the thread.
  for (const char *settings : {"CILK2GPU_WORKERS=1", "CILK2GPU_WORKERS=3", "CILK2GPU_DEVICE=model",
                               "CILK2GPU_DEVICE=gpu-host", "CILK2GPU_DEVICE=gpu-host CILK2GPU_AGGREGATOR=persistent"})
    EXPECT_EQ(probe(settings, "join-in-task 15").output, "610\n") << settings;
}

TEST(Host, AWatchdogReportsWhoWaitsForWhat) {
  Outcome native = probe("CILK2GPU_WATCHDOG=1 CILK2GPU_WORKERS=1", "hang-in-task 1");
  EXPECT_EQ(native.status, 1);
  EXPECT_NE(native.output.find("error: no task has made progress for 1 s (CILK2GPU_WATCHDOG); who waits for what:\n"
                               "cilk2gpu:   worker 0: runs 'action:\"0\"' at level 0\n"),
            std::string::npos)
      << native.output;
  Outcome model = probe("CILK2GPU_WATCHDOG=1 CILK2GPU_DEVICE=model", "hang-in-task 1");
  EXPECT_EQ(model.status, 1);
  EXPECT_NE(model.output.find("cilk2gpu:   CU 0, context 0: runs 'action:\"0\"', level 0, 1 lanes\n"
                              "cilk2gpu:   level 0, 'action': 1 of 4096 elements in its channel\n"),
            std::string::npos)
      << model.output;
  // On a busy machine, a process may rest for more than a second.
  EXPECT_EQ(probe("CILK2GPU_WATCHDOG=60", "fib 20").output, "6765\n");
}

TEST(Host, MemoryStaysWithinItsCap) {
  for (auto [device, tooSmall] : {std::pair("native", "8K"), std::pair("model", "16K")}) {
    std::string settings = std::string("CILK2GPU_WORKERS=2 CILK2GPU_CUS=1 CILK2GPU_DEVICE=") + device;
    Outcome small = probe(settings + " CILK2GPU_MEM_CAP=" + tooSmall, "fib 20");
    EXPECT_EQ(small.status, 1);
    EXPECT_NE(
        small.output.find("error: CILK2GPU_MEM_CAP is too small to go on: the channel or the frames of 'fib' need "),
        std::string::npos)
        << small.output;
    // No task exists yet.
    EXPECT_NE(probe(settings + " CILK2GPU_MEM_CAP=1", "fib 20")
                  .output.find("error: CILK2GPU_MEM_CAP is too small to go on: the scheduler's own state needs "),
              std::string::npos)
        << device;
    EXPECT_EQ(probe(settings + " CILK2GPU_MEM_CAP=4M", "fib 20").output, "6765\n") << device;
    EXPECT_EQ(probe(settings + " CILK2GPU_MEM_CAP=256K CILK2GPU_WIDTH=64", "fib 20").output, "6765\n") << device;
  }
}

/// Where the cap leaves fewer frames than there are lanes, fewer lanes run.
TEST(Host, LanesRunOnlyWithFrames) {
  int ended = 0;
  for (const char *workers : {"1", "2"})
    for (int cap = 12; cap <= 100; cap += cap < 40 ? 4 : 12) {
      Outcome capped = probe(std::string("CILK2GPU_DEVICE=native CILK2GPU_ELIDE=never CILK2GPU_WORKERS=") + workers +
                                 " CILK2GPU_MEM_CAP=" + std::to_string(cap) + "K",
                             "fib 20");
      ended += capped.status == 0;
      if (capped.status == 0)
        EXPECT_EQ(capped.output, "6765\n") << cap;
      else
        EXPECT_NE(capped.output.find("error: CILK2GPU_MEM_CAP is too small to go on"), std::string::npos)
            << cap << "K, status " << capped.status << ": " << capped.output;
    }
  EXPECT_GE(ended, 12) << "from 40K on, there is room";
}

TEST(Host, WithinACapTheModelledMachineEndsUnderAnyPolicy) {
  // If channels cannot grow, waiting lanes are not restarted again and again instead of deeper lanes.
  for (const char *policy : {"levelized", "hybrid", "counted"})
    for (const char *schedule : {"rr", "random", "adversarial"})
      for (const char *cap : {"64K", "100K", "128K", "200K", "256K"}) {
        Outcome capped = probe(std::string("CILK2GPU_DEVICE=model CILK2GPU_WATCHDOG=5 CILK2GPU_POLICY=") + policy +
                                   " CILK2GPU_SCHEDULE=" + schedule + " CILK2GPU_MEM_CAP=" + cap,
                               "fib 16");
        EXPECT_TRUE(capped.output == "987\n" ||
                    capped.output.find("CILK2GPU_MEM_CAP is too small to go on") != std::string::npos)
            << policy << " " << schedule << " " << cap << ": " << capped.output;
      }
}

TEST(Host, MisuseIsReported) {
  const std::string version = std::to_string(cilk2gpu::abi::kAbiVersion);
  const std::pair<const char *, std::string> cases[] = {
      {"execute-in-task", "internal error: the graph was run from inside a task"},
      {"root-in-task", "internal error: a root was enqueued from inside a task"},
      {"execute-with-turn", "internal error: the graph was run between __cilk2gpu_root and"},
      {"version", "error: module 'other.c' was compiled for version 99 of the descriptor format, but "
                  "this runtime has version " +
                      version + "; compile its source again"},
      {"image-version", "error: the image for 'sm_90' was compiled for version 99 of the "
                        "descriptor format, but this runtime has version " +
                            version},
      {"image-magic", "error: a device image has the wrong magic number 0x7"},
      {"magic", "error: a graph descriptor has the wrong magic number 0x7"}};
  for (auto &[command, message] : cases) {
    Outcome outcome = probe("", command);
    EXPECT_EQ(outcome.status, 1) << command;
    EXPECT_NE(outcome.output.find(message), std::string::npos) << outcome.output;
  }
}

#ifndef CILK2GPU_SANITIZED // sanitizers need their address space
TEST(Host, RunningOutOfMemoryIsReported) {
  Outcome outcome = probe("CILK2GPU_WIDTH=2147483648 CILK2GPU_WORKERS=1", "out-of-memory");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("cilk2gpu: error: out of memory: "), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("a smaller CILK2GPU_WIDTH needs less"), std::string::npos) << outcome.output;
}
#endif

TEST_F(StatisticsFile, TextGoesToStderrOrAFile) {
  Outcome outcome =
      probe("CILK2GPU_STATS=- CILK2GPU_WORKERS=1 CILK2GPU_POLICY=levelized CILK2GPU_WIDTH=32768", "fib 24");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.output.find("\ntasks                             92735 tasks"), std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("\nwavefronts                         2192 wavefronts"), std::string::npos);
  EXPECT_EQ(probe("CILK2GPU_STATS=" + directory + "/s.txt CILK2GPU_WORKERS=1", "fib 10").status, 0);
  EXPECT_EQ(contents("s.txt").find("Summary\n  Tasks: "), 0u) << contents("s.txt");
  EXPECT_NE(contents("s.txt").find("\ndevice                           native\n"), std::string::npos);
}

TEST_F(StatisticsFile, ASummaryComesFirst) {
  auto summary = [&](const std::string &settings, const std::string &arguments) {
    probe(settings + " CILK2GPU_STATS=" + directory + "/s.txt", arguments);
    return contents("s.txt").substr(0, contents("s.txt").find("\n\n") + 1);
  };
  std::string full = summary("CILK2GPU_WORKERS=1 CILK2GPU_POLICY=levelized CILK2GPU_ELIDE=never", "fib 24");
  EXPECT_NE(full.find("Summary\n  Tasks: 92,735 tasks ran on native with 1 worker, in 1 run.\n  Time: "),
            std::string::npos)
      << full;
  EXPECT_NE(full.find(" % were full; a wavefront had "), std::string::npos) << full;
  EXPECT_NE(full.find(" of 64 lanes on average."), std::string::npos) << full;
  EXPECT_NE(full.find("  Memory: channels and frames took "), std::string::npos) << full;
  EXPECT_EQ(full.find("Elisions: "), std::string::npos) << full;
  std::string narrow = summary("CILK2GPU_DEVICE=model CILK2GPU_WIDTH=2", "fib 14");
  EXPECT_NE(narrow.find("  To try: Many lanes found a channel full and yielded. Raise CILK2GPU_WIDTH, "),
            std::string::npos)
      << narrow;
  EXPECT_EQ(summary("", "exit 0"), "Summary\n  No task ran.\n");
}

TEST_F(StatisticsFile, JsonIsValidAndComplete) {
  ASSERT_EQ(
      probe("CILK2GPU_STATS=" + directory + "/s.json CILK2GPU_WORKERS=1 CILK2GPU_POLICY=levelized CILK2GPU_WIDTH=32768",
            "fib 24")
          .status,
      0);
  std::string check =
      "python3 -c 'import json; s = json.load(open(\"" + directory +
      "/s.json\")); c = s[\"counters\"]; t = {t[\"name\"]: t for t in s[\"tasks\"]}; "
      "assert (c[\"tasks\"][\"value\"], c[\"wavefronts\"][\"value\"], c[\"roots\"][\"value\"]) == "
      "(92735, 2192, 1); assert c[\"spawned\"][\"value\"] == 92734; "
      "assert all(set(v) == {\"value\", \"unit\", \"description\"} for v in c.values()); "
      "assert [k[\"lanes\"] for k in t[\"fib\"][\"kernels\"]] == [92735, 46367]; "
      "assert t[\"action\"][\"location\"] == \"a\\\\b.c:1:1\"; "
      "assert t[\"action\"][\"kernels\"][0][\"name\"] == \"action:\\\"0\\\"\"; "
      "assert (s[\"device\"], s[\"workers\"], s[\"wave\"], s[\"width\"]) == (\"native\", 1, 64, 32768); "
      "assert c[\"execute_time\"][\"value\"] > 0 and \"child\" in t; "
      "assert (s[\"schema_version\"], s[\"complete\"], s[\"arguments\"]) == (1, True, [\"fib\", \"24\"]); "
      "assert s[\"program\"].endswith(\"/cilk2gpu-runtime-probe\") and s[\"compiler\"].startswith(\"cilk2gpu \"); "
      "assert (s[\"settings\"][\"CILK2GPU_WIDTH\"], len(s[\"settings\"])) == (\"32768\", 4)'";
  EXPECT_EQ(system(check.c_str()), 0) << contents("s.json");
  EXPECT_EQ(system(("test $(ls " + directory + " | wc -l) = 1").c_str()), 0) << "a temporary file was left";
}

TEST_F(StatisticsFile, IsWrittenWhenATaskExits) {
  for (const char *device : {"native", "gpu-host CILK2GPU_AGGREGATOR=persistent CILK2GPU_WORKERS=2"}) {
    EXPECT_EQ(
        probe("CILK2GPU_DEVICE=" + std::string(device) + " CILK2GPU_STATS=" + directory + "/s.json", "exit-in-task 3")
            .status,
        3);
    EXPECT_NE(contents("s.json").find("\"tasks\": {\"value\": 1,"), std::string::npos) << device;
  }
}

TEST_F(StatisticsFile, IsTheParentsAfterFork) {
  EXPECT_EQ(probe("CILK2GPU_STATS=" + directory + "/s.json CILK2GPU_WORKERS=1", "fork 12").status, 0);
  EXPECT_NE(contents("s.json").find("\"roots\": {\"value\": 5,"), std::string::npos) << contents("s.json");
}

TEST_F(StatisticsFile, FailureToWriteItIsAnError) {
  Outcome outcome = probe("CILK2GPU_STATS=" + directory + "/none/s.json", "fib 10");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("55\n"), std::string::npos) << "the program's own output is lost";
  size_t warned = outcome.output.find("cilk2gpu: warning: statistics cannot be written to " + directory +
                                      "/none/s.json (CILK2GPU_STATS): No such file or directory; name another file");
  EXPECT_LT(warned, outcome.output.find("55\n")) << "the warning comes too late: " << outcome.output;
  EXPECT_NE(outcome.output.find("cilk2gpu: error: statistics could not be written to " + directory +
                                "/none/s.json (CILK2GPU_STATS): No such file or directory"),
            std::string::npos)
      << outcome.output;
  EXPECT_EQ(probe("CILK2GPU_STATS=" + directory + "/none/s.json", "exit 5").status, 5);
  EXPECT_NE(probe("CILK2GPU_TRACE=" + directory + " CILK2GPU_DEVICE=model", "fib 10")
                .output.find("cilk2gpu: warning: the trace cannot be written to " + directory +
                             " (CILK2GPU_TRACE): Is a directory"),
            std::string::npos);
  EXPECT_EQ(probe("CILK2GPU_STATS=" + directory + "/s.json", "fib 10").output.find("warning"), std::string::npos);
  EXPECT_EQ(probe("CILK2GPU_STATS=-", "fib 10").output.find("warning"), std::string::npos);
}

TEST_F(StatisticsFile, TracesAreValidAndTheirSlicesDoNotOverlap) {
  ASSERT_EQ(probe("CILK2GPU_DEVICE=model CILK2GPU_WIDTH=64 CILK2GPU_TRACE=" + directory + "/t.json", "fib 16").status,
            0);
  std::string check = "python3 -c 'import json; t = json.load(open(\"" + directory +
                      "/t.json\")); e = t[\"traceEvents\"]; tracks = {}\n"
                      "[tracks.setdefault((x[\"pid\"], x[\"tid\"]), []).append(x) for x in e if x[\"ph\"] == \"X\"]\n"
                      "assert tracks and not t[\"otherData\"][\"truncated\"]\n"
                      "assert {x[\"ph\"] for x in e} == {\"M\", \"X\", \"i\", \"C\"}\n"
                      "for s in tracks.values():\n"
                      "  s.sort(key=lambda x: x[\"ts\"])\n"
                      "  assert all(a[\"ts\"] + a[\"dur\"] <= b[\"ts\"] + 1e-6 for a, b in zip(s, s[1:]))'";
  EXPECT_EQ(system(check.c_str()), 0) << contents("t.json").substr(0, 2000);
  EXPECT_EQ(system(("test $(ls " + directory + " | wc -l) = 1").c_str()), 0) << "a temporary file was left";
}

TEST_F(StatisticsFile, InterruptedRunsAreWrittenAsIncomplete) {
  const std::string check = "python3 -c 'import json; s = json.load(open(\"" + directory +
                            "/s.json\")); assert s[\"complete\"] is False; "
                            "assert s[\"counters\"][\"tasks\"][\"value\"] == 1; "
                            "assert s[\"counters\"][\"memory_bound\"][\"value\"] == 0'";
  const std::pair<const char *, int> cases[] = {
      {"native", SIGINT},    {"native", SIGTERM},
      {"native", SIGHUP},    {"model", SIGINT},
      {"gpu-host", SIGTERM}, {"gpu-host CILK2GPU_AGGREGATOR=persistent CILK2GPU_WORKERS=2", SIGINT}};
  for (auto &[device, number] : cases) {
    Outcome outcome = probe("CILK2GPU_DEVICE=" + std::string(device) + " CILK2GPU_STATS=" + directory + "/s.json",
                            "signal-in-task " + std::to_string(number));
    EXPECT_EQ(outcome.status, 128 + number) << device << outcome.output; // as the shell says it
    EXPECT_NE(outcome.output.find(number == SIGINT ? "error: interrupted; the statistics and the trace have the run"
                                                   : "error: terminated; the statistics and the trace have the run"),
              std::string::npos)
        << outcome.output;
    EXPECT_EQ(system(check.c_str()), 0) << device << contents("s.json");
    EXPECT_EQ(system(("test $(ls " + directory + " | wc -l) = 1 && rm " + directory + "/s.json").c_str()), 0);
  }
}

TEST_F(StatisticsFile, ModelledMachinesHaltBeforeTheirTraceIsWritten) {
  // fib runs for long, and the machine answers between two actions.
  Outcome outcome =
      probe("CILK2GPU_DEVICE=model CILK2GPU_TRACE=" + directory + "/t.json CILK2GPU_STATS=" + directory + "/s.json",
            "fib 40", "timeout -s INT 0.5 ");
  EXPECT_EQ(outcome.status, 124) << outcome.output;
  std::string trace = contents("t.json"), statistics = contents("s.json");
  EXPECT_NE(trace.substr(0, 200).find("\"complete\":false}"), std::string::npos) << trace.substr(0, 200);
  EXPECT_GT(trace.size(), 100'000u);
  EXPECT_EQ(trace.substr(trace.size() - 5), "}\n]}\n");
  EXPECT_NE(statistics.find("\"complete\": false,"), std::string::npos) << statistics;
}

TEST_F(StatisticsFile, InterruptedRunsOfNativeWorkersAreWritten) {
  Outcome outcome = probe("CILK2GPU_ELIDE=never CILK2GPU_WORKERS=3 CILK2GPU_STATS=" + directory + "/s.txt", "fib 60",
                          "timeout -s TERM 1 ");
  EXPECT_EQ(outcome.status, 124) << outcome.output;
  EXPECT_NE(contents("s.txt").find("Summary\n  A signal ended the program."), std::string::npos) << contents("s.txt");
  EXPECT_NE(contents("s.txt").find("\ncomplete                             no\n"), std::string::npos);
}

TEST(Host, ASignalMakesAReport) {
  Outcome native = probe("CILK2GPU_REPORT_ON=SIGUSR2 CILK2GPU_WORKERS=1", "go-on-in-task 12");
  EXPECT_EQ(native.status, 0);
  EXPECT_NE(native.output.find("cilk2gpu: the run has taken "), std::string::npos) << native.output;
  EXPECT_NE(native.output.find("; 1 task so far, lanes 2 % full, 1 level, "), std::string::npos) << native.output;
  EXPECT_NE(native.output.find("\ncilk2gpu:   worker 0: runs 'action:\"0\"' at level 0\n12\n"), std::string::npos)
      << native.output;
  Outcome model = probe("CILK2GPU_REPORT_ON=SIGUSR1 CILK2GPU_DEVICE=model", "go-on-in-task 10");
  EXPECT_EQ(model.status, 0);
  EXPECT_NE(model.output.find("cilk2gpu:   CU 0, context 0: runs 'action:\"0\"', level 0, 1 lanes\n"),
            std::string::npos)
      << model.output;
  EXPECT_EQ(probe("CILK2GPU_REPORT_ON=SIGUSR2", "go-on 12").output, "cilk2gpu: no run is under way\n");
  EXPECT_EQ(probe("CILK2GPU_REPORT_ON=SIGUSR2 CILK2GPU_DEVICE=serial", "go-on 12").output,
            "cilk2gpu: no run is under way; with CILK2GPU_DEVICE=serial, functions run as their serial elisions, which "
            "have no state\n");
  // Without a request the signal is the program's. So it is if the program ignores it.
  EXPECT_EQ(probe("", "go-on-in-task 12").status, 128 + SIGUSR2);
  Outcome ignored = probe("CILK2GPU_REPORT_ON=SIGUSR2", "go-on-in-task 12", "trap '' USR2; ");
  EXPECT_EQ(ignored.output,
            "cilk2gpu: warning: CILK2GPU_REPORT_ON has no effect: the program handles or ignores this signal itself\n"
            "12\n");
}

TEST(Host, LongRunsHaveAProgressLine) {
  Outcome outcome = probe("CILK2GPU_PROGRESS_LINE=1", "go-on-in-task 0");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output.find("cilk2gpu: the run has taken "), 0u) << outcome.output;
  EXPECT_NE(outcome.output.find("; 1 task so far, "), std::string::npos) << outcome.output;
  EXPECT_EQ(probe("CILK2GPU_PROGRESS_LINE=1", "fib 10").output, "55\n");
  EXPECT_EQ(
      probe("CILK2GPU_PROGRESS_LINE=1 CILK2GPU_DEVICE=serial", "fib 10").output,
      "cilk2gpu: warning: CILK2GPU_PROGRESS_LINE has no effect with CILK2GPU_DEVICE=serial: serial elisions count "
      "no tasks\n55\n");
}

#if !__has_feature(thread_sanitizer) // in the child of a process with threads, it holds a signal back for good
TEST_F(StatisticsFile, ForkedChildrenAreInterruptedInSilence) {
  Outcome outcome = probe("CILK2GPU_WORKERS=3 CILK2GPU_STATS=" + directory + "/s.json", "interrupt-child 15");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "child ended by 15\n");
}
#endif

#ifndef CILK2GPU_SANITIZED // ThreadSanitizer creates threads in its own way
TEST(Host, ThreadsThatCannotBeCreatedAreWarnedOfOnce) {
  Outcome outcome = probe("CILK2GPU_WORKERS=6", "no-threads 40");
  EXPECT_EQ(outcome.status, 0);
  size_t first = outcome.output.find("a worker thread could not be created");
  EXPECT_NE(first, std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.output.find("a worker thread could not be created", first + 1), std::string::npos);
}
#endif

TEST(Statistics, FullDisksAreErrorsForTraces) {
  Outcome outcome = probe("CILK2GPU_DEVICE=model CILK2GPU_TRACE=/dev/full", "fib 10");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("cilk2gpu: error: the trace could not be written to /dev/full "
                                "(CILK2GPU_TRACE): No space left on device"),
            std::string::npos)
      << outcome.output;
}

/// A file that may not grow further plays a disk without space: the write fails in the middle.
TEST_F(StatisticsFile, WhatCannotBeWrittenToItsEndIsNotLeft) {
  const char *cases[][2] = {{"native", "STATS"}, {"model", "STATS"}, {"model", "TRACE"}};
  for (auto &[device, file] : cases) {
    Outcome outcome =
        probe("CILK2GPU_DEVICE=" + std::string(device) + " CILK2GPU_" + file + "=" + directory + "/f.json", "fib 12",
              "trap '' XFSZ; ulimit -f 1; ");
    EXPECT_EQ(outcome.status, 1) << device << file;
    EXPECT_NE(outcome.output.find("144\n"), std::string::npos) << outcome.output;
    EXPECT_NE(
        outcome.output.find("could not be written to " + directory + "/f.json (CILK2GPU_" + file + "): File too large"),
        std::string::npos)
        << outcome.output;
    EXPECT_EQ(system(("test $(ls " + directory + " | wc -l) = 0").c_str()), 0) << "a part of a file was left";
  }
}

TEST(Statistics, DevicesAreWrittenInPlace) {
  Outcome outcome = probe("CILK2GPU_STATS=/dev/full", "fib 10");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(
      outcome.output.find(
          "cilk2gpu: error: statistics could not be written to /dev/full (CILK2GPU_STATS): No space left on device"),
      std::string::npos)
      << outcome.output;
  struct stat status;
  ASSERT_EQ(stat("/dev/full", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
}

TEST_F(StatisticsFile, StderrThatCannotBeWrittenIsAnErrorToo) {
  if (access("/dev/full", W_OK))
    GTEST_SKIP() << "no /dev/full";
  std::string command = "CILK2GPU_STATS=- '" CILK2GPU_PROBE "' fib 10 2>/dev/full";
  EXPECT_EQ(WEXITSTATUS(system(command.c_str())), 1);
}

} // namespace
