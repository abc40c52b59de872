// Common parts of tests of programs that run on GPUs: machines with fake drivers, and the probe program that runs on
// them.
#ifndef CILK2GPU_TEST_UNIT_EXECUTORS_GPU_GPUPROCESS_H
#define CILK2GPU_TEST_UNIT_EXECUTORS_GPU_GPUPROCESS_H

#include "Process.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace cilk2gpu::test {

/// Runs the probe program for at most a minute. AddressSanitizer does not search it for leaks, because it cannot fork
/// it.
inline Outcome probe(const std::string &environment, const std::string &arguments,
                     const char *program = CILK2GPU_PROBE) {
  return runShell("env ASAN_OPTIONS=detect_leaks=0 " + environment + " timeout 60 '" + program + "' " + arguments);
}

/// A machine with a single fake driver.
struct GpuMachine {
  const char *device;
  std::string drivers;
  const char *name;
  const char *init, *allocate, *load, *find, *launch, *synchronise; ///< the API's names of these calls

  /// Returns settings with which launches return when their kernels have ended.
  std::vector<std::string> waits() const {
    if (device == std::string("cuda"))
      return {"CUDA_LAUNCH_BLOCKING=1 "};
    return {"HIP_LAUNCH_BLOCKING=1 ", "AMD_SERIALIZE_KERNEL=3 "};
  }
};

inline void PrintTo(const GpuMachine &machine, std::ostream *out) { *out << machine.device; }

inline const std::string none = "CILK2GPU_CUDA_LIBRARY=/none/libcuda.so CILK2GPU_HIP_LIBRARY=/none/libhip.so ";
inline const GpuMachine machines[] = {
    {"cuda", none + "CILK2GPU_CUDA_LIBRARY=" FAKE_CUDA " ", "Fake H200", "cuInit", "cuMemAllocManaged",
     "cuLinkAddData_v2", "cuModuleGetFunction", "cuLaunchKernel", "cuCtxSynchronize"},
    {"hip", none + "CILK2GPU_HIP_LIBRARY=" FAKE_HIP5 " ", "Fake MI250", "hipInit", "hipMallocManaged",
     "hipModuleLoadData", "hipModuleGetFunction", "hipModuleLaunchKernel", "hipDeviceSynchronize"},
    {"hip", none + "CILK2GPU_HIP_LIBRARY=" FAKE_HIP6 " ", "Fake MI250", "hipInit", "hipMallocManaged",
     "hipModuleLoadData", "hipModuleGetFunction", "hipModuleLaunchKernel", "hipDeviceSynchronize"}};

/// Sanitizers reserve more address space than can be registered. With them, devices reach all memory.
#ifdef CILK2GPU_SANITIZED
inline const char *const visibilities[] = {"FAKE_GPU_PAGEABLE=1 "};
#else
inline const char *const visibilities[] = {"FAKE_GPU_PAGEABLE=0 ", "FAKE_GPU_PAGEABLE=1 "};
#endif

class Gpu : public testing::TestWithParam<GpuMachine> {
protected:
  Gpu() {
    char name[] = "/tmp/cilk2gpu-XXXXXX";
    directory = mkdtemp(name);
    log = directory + "/log";
  }
  ~Gpu() override { EXPECT_EQ(system(("rm -rf " + directory).c_str()), 0); }

  const GpuMachine &machine() const { return GetParam(); }
  /// Returns the settings that name the device.
  std::string on() const { return machine().drivers + visibilities[0] + "CILK2GPU_DEVICE=" + machine().device + " "; }
  std::string prefix() const { return std::string("cilk2gpu: error: CILK2GPU_DEVICE=") + machine().device + ": "; }
  std::string logged(const std::string &kind) {
    std::ifstream file(log);
    std::string word, name, number, result;
    while (file >> word >> name >> number)
      if (word == kind)
        result += name + " " + number + "; ";
    return result;
  }
  std::map<std::string, int> loggedCalls() {
    std::ifstream file(log);
    std::string word, name;
    int number;
    std::map<std::string, int> result;
    while (file >> word >> name >> number)
      if (word == "call")
        result[name] = number;
    return result;
  }

  /// Makes calls of a run fail in turn: for each name the first call, one in the middle, and the last. Each failure
  /// prints one line and exits with status 1.
  void checkFailures(const std::string &settings, const char *program);

  std::string directory, log;
};

inline void Gpu::checkFailures(const std::string &settings, const char *program) {
  unlink(log.c_str());
  Outcome good = probe(settings + "FAKE_GPU_LOG=" + log, program);
  ASSERT_EQ(good.status, 0) << good.output;
  std::map<std::string, int> calls = loggedCalls();
  EXPECT_GE(calls.size(), 14u);
  for (auto &[call, count] : calls)
    for (int number : std::set<int>{1, (count + 1) / 2, count}) {
      Outcome bad = probe(settings + "FAKE_GPU_FAIL=" + call + ":" + std::to_string(number) + ":999", program);
      // Only kernels that touch it miss memory that cannot be registered.
      bool makesVisible = call.find("HostRegister") != std::string::npos || call.find("HostGet") != std::string::npos;
      if (bad.status == 0 && makesVisible) {
        EXPECT_EQ(bad.output, good.output) << call << number;
        continue;
      }
      // The device can do without this attribute.
      if (bad.status == 0 && call == "cuDeviceGetAttribute") {
        EXPECT_EQ(bad.output, good.output) << number;
        continue;
      }
      EXPECT_EQ(bad.status, 1) << call << number << bad.output;
      size_t begin = bad.output.find("cilk2gpu: error: ");
      ASSERT_NE(begin, std::string::npos) << call << number << bad.output;
      size_t end = bad.output.find('\n', begin);
#ifndef CILK2GPU_SANITIZED // sanitizers also print the program's earlier output when it ends at once
      EXPECT_EQ(end, bad.output.size() - 1) << bad.output;
#endif
      std::string line = bad.output.substr(begin, end - begin);
      EXPECT_NE(line.find(call + ": error 999, FAKE_ERROR_INJECTED (as the test wanted)"), std::string::npos)
          << call << number << line;
    }
}

inline std::string nameOf(const testing::TestParamInfo<GpuMachine> &info) {
  return std::string(info.param.device) + (info.index == 1 ? "5" : info.index == 2 ? "6" : "");
}

} // namespace cilk2gpu::test

#endif // CILK2GPU_TEST_UNIT_EXECUTORS_GPU_GPUPROCESS_H
