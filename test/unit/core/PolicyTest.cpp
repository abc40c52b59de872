// Tests that a policy means the same to every executor: the policies that apply, the default, and the order of each
// policy. A policy in another file works like a policy of the registry. Documents list the registry.
#include "Machine.h"
#include "Process.h"
#include "process/PolicyChoice.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace cilk2gpu::test;

namespace cilk2gpu {
namespace {

using rt::PolicyKind;

/// Runs fib(20) under some settings, with statistics on stderr.
Outcome probe(const std::string &settings, const char *program = CILK2GPU_PROBE) {
  return runShell("env CILK2GPU_STATS=- " + settings + " '" + program + "' fib 20");
}

bool isRight(const Outcome &outcome) {
  return outcome.status == 0 && ("\n" + outcome.output).find("\n6765\n") != std::string::npos;
}

/// Returns the value of a statistic, as text.
std::string value(const Outcome &outcome, const std::string &name) {
  size_t line = outcome.output.find("\n" + name + " ");
  std::istringstream text(line == std::string::npos ? "" : outcome.output.substr(line));
  std::string ignored, result;
  text >> ignored >> result;
  return result;
}

/// Returns the statistics without times and without the settings that were given.
std::string withoutTimes(const Outcome &outcome) {
  std::istringstream lines(outcome.output);
  std::string result;
  for (std::string line; std::getline(lines, line);)
    if (line.find("execute_time") != 0 && line.find("  Time: ") != 0 && line.find("CILK2GPU_") != 0)
      result += line + "\n";
  return result;
}

PolicyKind usualPolicyOf(rt::Device device) { return rt::usualPolicy(rt::traitsOf(device).policies); }

TEST(Policy, TheFirstOneThatApplies) {
  EXPECT_EQ(usualPolicyOf(rt::Device::Native), PolicyKind::Adaptive);
  EXPECT_EQ(usualPolicyOf(rt::Device::GpuHost), PolicyKind::Levelized);
  EXPECT_EQ(usualPolicyOf(rt::Device::Model), PolicyKind::Levelized);
}

TEST(Policy, TheDefaultGivenExplicitlyChangesNothing) {
  for (const char *device : {"model", "gpu-host"}) {
    std::string settings = std::string("CILK2GPU_DEVICE=") + device;
    Outcome without = probe(settings), with = probe(settings + " CILK2GPU_POLICY=levelized");
    EXPECT_EQ(without.status, 0) << without.output;
    EXPECT_EQ(withoutTimes(without), withoutTimes(with));
  }
  // The native default looks at a clock: counts differ from run to run.
  for (const char *settings : {"CILK2GPU_WORKERS=1", "CILK2GPU_WORKERS=1 CILK2GPU_POLICY=adaptive"}) {
    Outcome outcome = probe(settings);
    EXPECT_TRUE(isRight(outcome)) << outcome.output;
    EXPECT_EQ(value(outcome, "policy"), "adaptive");
  }
  std::string shuffled = "CILK2GPU_WORKERS=1 CILK2GPU_SCHEDULE=random";
  EXPECT_EQ(withoutTimes(probe(shuffled)), withoutTimes(probe(shuffled + " CILK2GPU_POLICY=adaptive")));
}

TEST(Policy, AnErrorNamesThosePoliciesThatApply) {
  const std::pair<const char *, const char *> cases[] = {
      {"CILK2GPU_DEVICE=native CILK2GPU_POLICY=counted",
       "cilk2gpu: error: CILK2GPU_POLICY=counted does not apply to CILK2GPU_DEVICE=native, whose scheduler does not "
       "count children; policies that apply: adaptive, levelized, hybrid, dataflow\n"},
      {"CILK2GPU_DEVICE=gpu-host CILK2GPU_POLICY=adaptive",
       "cilk2gpu: error: CILK2GPU_POLICY=adaptive does not apply to CILK2GPU_DEVICE=gpu-host, whose scheduler looks at "
       "no clock; policies that apply: levelized, hybrid, dataflow\n"},
      {"CILK2GPU_DEVICE=model CILK2GPU_POLICY=adaptive",
       "cilk2gpu: error: CILK2GPU_POLICY=adaptive does not apply to CILK2GPU_DEVICE=model, whose scheduler looks at no "
       "clock; policies that apply: levelized, hybrid, counted, dataflow\n"}};
  for (auto &[settings, message] : cases) {
    Outcome outcome = runShell(std::string("env ") + settings + " '" CILK2GPU_PROBE "' fib 20");
    EXPECT_EQ(outcome.status, 1) << settings;
    EXPECT_EQ(outcome.output, message) << settings;
  }
}

TEST(Policy, ResultsAreTheSameUnderEachThatApplies) {
  for (const char *device :
       {"native", "gpu-host", "gpu-host CILK2GPU_AGGREGATOR=persistent CILK2GPU_WORKERS=2", "model"})
    for (const char *policy : {"levelized", "hybrid", "dataflow"})
      for (const char *width : {"1", "3", "64", "4096"}) {
        Outcome outcome = probe(std::string("CILK2GPU_WAVE=4 CILK2GPU_DEVICE=") + device +
                                " CILK2GPU_POLICY=" + policy + " CILK2GPU_WIDTH=" + width);
        EXPECT_TRUE(isRight(outcome)) << device << " " << policy << " " << width << outcome.output;
        EXPECT_EQ(value(outcome, "policy"), policy);
        EXPECT_EQ(value(outcome, "tasks"), "13529");
      }
}

TEST(Policy, OfTheNativeWorkersGivesTheSameResultsForAllPrograms) {
  for (PolicyKind policy : {PolicyKind::Adaptive, PolicyKind::Levelized, PolicyKind::Hybrid})
    for (uint64_t width : {1, 2, 64, 4096})
      for (uint32_t wave : {1, 3, 64})
        for (const Program *program : allPrograms) {
          rt::Limits limits{wave, width};
          limits.policy = policy;
          Machine machine(limits);
          Expected expected = program->plain(9);
          EXPECT_EQ(machine.run(*program, 9), expected.result)
              << program->name << " wave " << wave << " width " << width;
          EXPECT_EQ(machine.counters().tasks, expected.tasks) << program->name;
        }
}

/// Returns the most frames that fib(20) had at one time.
uint64_t mostFrames(PolicyKind policy, uint64_t width) {
  rt::Limits limits{4, width};
  limits.policy = policy;
  Machine machine(limits);
  EXPECT_EQ(machine.run(fib, 20), 6765);
  return machine.counters().frames_high_water;
}

TEST(Policy, HybridDescendsWhereChannelsAreHalfFull) {
  // A level that is wider than half a channel does not run as a whole.
  EXPECT_LT(mostFrames(PolicyKind::Hybrid, 256), mostFrames(PolicyKind::Levelized, 256));
  EXPECT_EQ(mostFrames(PolicyKind::Hybrid, 32768), mostFrames(PolicyKind::Levelized, 32768));
}

// The other build of the runtime differs by EagerPolicy.h only.
TEST(Policy, OfAnotherFileChangesTheOrderOfAllExecutors) {
  for (const char *device : {"native", "gpu-host", "model"}) {
    Outcome outcome =
        probe(std::string("CILK2GPU_WORKERS=1 CILK2GPU_POLICY=eager CILK2GPU_DEVICE=") + device, CILK2GPU_POLICY_PROBE);
    EXPECT_TRUE(isRight(outcome)) << outcome.output;
    EXPECT_EQ(value(outcome, "policy"), "eager");
    EXPECT_EQ(value(outcome, "tasks"), "13529");
    EXPECT_EQ(value(outcome, "wavefronts"), "20293") << device << ": 13,529 tasks and 6,764 post-sync elements";
    EXPECT_EQ(value(outcome, "frames_high_water"), "18") << device << ": one for each level but the leaves'";
  }
  EXPECT_NE(runShell("CILK2GPU_POLICY=? '" CILK2GPU_POLICY_PROBE "' fib 5")
                .output.find("allowed: adaptive, levelized, hybrid, counted, dataflow, eager"),
            std::string::npos);
}

TEST(Policy, DocumentsHaveThem) {
  auto read = [](const char *path) {
    std::ifstream file(std::string(CILK2GPU_SOURCE_DIR) + path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  };
  std::string model = read("/docs/model.md"), variables = read("/docs/environment.md"),
              help = read("/runtime/process/Variables.def"), values;
  for (const rt::Policy &policy : rt::kPolicies) {
    std::string row = std::string("| `") + policy.name + "` | " + policy.order + " | " + policy.ready + " |";
    EXPECT_NE(model.find(row), std::string::npos) << "docs/model.md lacks the row:\n" << row;
    values += std::string(values.empty() ? "`" : ", `") + policy.name + "`";
    EXPECT_NE(help.find(policy.name), std::string::npos) << "cilk2gpu --help";
  }
  for (const rt::DeviceTraits &device : rt::kDevices) {
    if (device.device == rt::Device::Serial || device.device == rt::Device::Auto)
      continue;
    std::string row = std::string("| `") + device.name + "` | `";
    for (char letter : std::string(rt::PolicyNames(device.policies).text))
      row += letter == ',' ? "`," : letter == ' ' ? " `" : std::string(1, letter);
    EXPECT_NE(model.find(row + "` |"), std::string::npos) << "docs/model.md lacks the row:\n" << row << "` |";
  }
  EXPECT_NE(variables.find("| `CILK2GPU_POLICY` | " + values + " |"), std::string::npos) << values;
}

} // namespace
} // namespace cilk2gpu
