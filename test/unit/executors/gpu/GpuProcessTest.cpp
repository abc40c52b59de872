// Tests of programs that run on GPUs, with fake drivers: results, the order of launches, visible memory, the chosen
// device and image, and one line for every possible error.
#include "GpuProcess.h"

namespace cilk2gpu::test {
namespace {

INSTANTIATE_TEST_SUITE_P(Fake, Gpu, testing::ValuesIn(machines), nameOf);

TEST_P(Gpu, ResultsAreThoseOfTheCpu) {
  for (const char *visibility : visibilities)
    for (const char *settings : {"", "CILK2GPU_WIDTH=1", "CILK2GPU_WIDTH=7", "CILK2GPU_WIDTH=100"})
      for (const char *program : {"fib 1", "fib 11", "loop 0", "loop 300", "touch 7", "memory", "threads 4"}) {
        Outcome cpu = probe("CILK2GPU_DEVICE=native " + std::string(settings), program);
        Outcome gpu = probe(on() + visibility + settings, program);
        EXPECT_EQ(cpu.status, 0) << program;
        EXPECT_EQ(gpu.status, 0) << program << settings << visibility;
        EXPECT_EQ(gpu.output, cpu.output) << program << settings << visibility;
      }
}

TEST_P(Gpu, TasksAskTheHostWhileTheyRun) {
  Outcome outcome = probe(on() + "FAKE_ASKS=1 FAKE_GPU_PAGEABLE=1", "ask 40");
  EXPECT_EQ(outcome.status, 0);
  for (int lane = 0; lane < 40; ++lane)
    EXPECT_NE(outcome.output.find("lane " + std::to_string(lane) + " asks\n"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("1560\n"), std::string::npos) << outcome.output;
  // A task ends the process.
  EXPECT_EQ(probe(on() + "FAKE_ASKS=1 FAKE_GPU_PAGEABLE=1", "ask 1").status, 7);
  outcome = probe(on() + "FAKE_ASKS=1 FAKE_GPU_PAGEABLE=1", "ask 2");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("error: out of memory: a task on the GPU could not allocate 12345 bytes\n"),
            std::string::npos)
      << outcome.output;
}

TEST_P(Gpu, LaunchesThatWaitForTheirKernelsAreServed) {
  for (const std::string &waits : machine().waits()) {
    const std::string asks = on() + "FAKE_ASKS=1 FAKE_GPU_PAGEABLE=1 " + waits;
    Outcome outcome = probe(asks, "ask 40");
    EXPECT_EQ(outcome.status, 0) << waits << outcome.output;
    EXPECT_NE(outcome.output.find("lane 39 asks\n"), std::string::npos) << outcome.output;
    EXPECT_NE(outcome.output.find("1560\n"), std::string::npos) << outcome.output;
    EXPECT_EQ(probe(asks, "ask 1").status, 7);
    EXPECT_EQ(probe(asks, "fib 10").output, "55\n");
    EXPECT_EQ(probe(on() + waits, "fib 10").output, "55\n");
    Outcome fault = probe(asks + "FAKE_GPU_FAIL=" + machine().launch + ":1:700", "ask 3");
    EXPECT_EQ(fault.output, std::string("cilk2gpu: error: the kernel 'ask.k0' failed on ") + machine().name + ": " +
                                machine().launch + ": error 700, FAKE_ERROR_ILLEGAL_ADDRESS\n");
    checkFailures(asks, "ask 3");
  }
  const char *others = "CUDA_LAUNCH_BLOCKING=0 HIP_LAUNCH_BLOCKING=0 AMD_SERIALIZE_KERNEL=1 ";
  EXPECT_EQ(probe(on() + "FAKE_ASKS=1 FAKE_GPU_PAGEABLE=1 " + others, "ask 3").status, 0);
}

#ifndef CILK2GPU_SANITIZED
TEST_P(Gpu, TasksGetNoMemoryThatTheDeviceDoesNotReach) {
  Outcome outcome = probe(on() + "FAKE_ASKS=1 FAKE_GPU_PAGEABLE=0", "ask 3");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("a task on the GPU allocates memory, but the device does not reach pageable memory"),
            std::string::npos)
      << outcome.output;
}
#endif

TEST_P(Gpu, KernelsAreLaunchedLevelByLevel) {
  EXPECT_EQ(probe(on() + "FAKE_GPU_LOG=" + log, "fib 4").output, "3\n");
  EXPECT_EQ(logged("launch"), "fib_0 1; fib_0 2; fib_0 2; fib_1 1; fib_1 1; ");
}

TEST_P(Gpu, RefusedLanesAreRestartedWithTheirOwnEntry) {
  EXPECT_EQ(probe(on() + "CILK2GPU_WIDTH=1 FAKE_GPU_LOG=" + log, "loop 3").output, "9\n");
  EXPECT_EQ(logged("launch"), "loop_0 1; child_0 1; loop_0_r 1; child_0 1; loop_0_r 1; child_0 1; loop_1 1; ");
}

TEST_P(Gpu, HostMemoryIsRegisteredForEachRunWhereItMustBe) {
  EXPECT_EQ(probe(on() + "FAKE_GPU_PAGEABLE=1 FAKE_GPU_LOG=" + log, "memory").status, 0);
  for (auto &[call, count] : loggedCalls())
    EXPECT_EQ(call.find("Register"), std::string::npos) << call;
#ifndef CILK2GPU_SANITIZED
  EXPECT_EQ(probe(on() + "FAKE_GPU_LOG=" + log, "memory").status, 0);
  int registered = 0, unregistered = 0;
  for (auto &[call, count] : loggedCalls()) {
    registered += call.find("HostRegister") != std::string::npos ? count : 0;
    unregistered += call.find("HostUnregister") != std::string::npos ? count : 0;
  }
  EXPECT_GT(registered, 4 * 5);
  EXPECT_EQ(registered, unregistered);
#endif
}

TEST_P(Gpu, ARunOfNothingIsNone) {
  EXPECT_EQ(probe(on() + "FAKE_GPU_LOG=" + log, "sync").status, 0);
  for (auto &[call, count] : loggedCalls())
    EXPECT_EQ(call.find("Register"), std::string::npos) << call;
}

TEST_P(Gpu, FreedBlocksGoBackToTheDriver) {
  ASSERT_EQ(probe(on() + "FAKE_GPU_LOG=" + log, "loop 20000").output, "599970000\n");
  std::map<std::string, int> calls = loggedCalls();
  EXPECT_GT(calls[machine().device == std::string("cuda") ? "cuMemFree_v2" : "hipFree"], 0);
}

TEST_P(Gpu, TheDevicesWaveSizeHolds) {
  Outcome outcome = probe(on() + "CILK2GPU_WAVE=7 CILK2GPU_STATS=- ", "fib 5");
  bool cuda = machine().device == std::string("cuda");
  EXPECT_NE(outcome.output.find("warning: CILK2GPU_WAVE=7 has no effect: wavefronts of " + std::string(machine().name) +
                                " have " + (cuda ? "32" : "64") + " lanes\n"),
            std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find(cuda ? "\nwave                                 32 lanes"
                                     : "\nwave                                 64 lanes"),
            std::string::npos)
      << outcome.output;
  EXPECT_EQ(probe(on() + "CILK2GPU_WAVE=" + (cuda ? "32" : "64"), "fib 5").output, "5\n");
}

TEST_P(Gpu, StatisticsNameTheDevice) {
  ASSERT_EQ(probe(on() + "CILK2GPU_STATS=" + directory + "/s.json", "fib 4").status, 0);
  std::string check = "python3 -c 'import json; s = json.load(open(\"" + directory +
                      "/s.json\")); c = s[\"counters\"]\n"
                      "assert s[\"device\"] == \"" +
                      machine().device + "\" and s[\"device_name\"] == \"" + machine().name +
                      "\"\n"
                      "assert s[\"image_arch\"] in (\"sm_90\", \"gfx90a\") and s[\"driver_version\"] > 0\n"
                      "assert c[\"launches\"][\"value\"] == 5 and c[\"tasks\"][\"value\"] == 5\n"
                      "assert 0 < c[\"memory_high_water\"][\"value\"] <= c[\"memory_bound\"][\"value\"]'";
  EXPECT_EQ(system(check.c_str()), 0);
  EXPECT_EQ(probe(on() + "CILK2GPU_STATS=" + directory + "/n.json FAKE_GPU_LOG=" + log, "nothing").status, 0);
  EXPECT_TRUE(loggedCalls().empty()) << "a program that runs no task started the device";
}

TEST_P(Gpu, AForkedChildIsToldThatItHasNoDevice) {
  Outcome after = probe(on(), "fork 6");
  EXPECT_EQ(after.status, 1);
  EXPECT_NE(after.output.find("error: this process was forked from one that uses " + std::string(machine().name) +
                              ", which a child cannot; set CILK2GPU_DEVICE=native, or fork before the first task\n"),
            std::string::npos)
      << after.output;
  EXPECT_EQ(probe(on(), "fork-first 6").output, "8\n13\n");
  // The driver itself may fork while the device is opened.
  EXPECT_EQ(probe(on() + "FAKE_GPU_FORKS=1", "fib 10").output, "55\n");
  EXPECT_EQ(probe(on() + "FAKE_GPU_FORKS=1", "fork-first 6").output, "8\n13\n");
}

TEST_P(Gpu, KernelsThatAreInNoImageAreNamed) {
  Outcome missing = probe(on(), "missing 1");
  EXPECT_EQ(missing.status, 1);
  EXPECT_NE(missing.output.find("has the kernel 'missing.k0' (missing_0); compile its source with --offload-arch="),
            std::string::npos)
      << missing.output;
  Outcome host = probe(on() + "FAKE_HOST_TASK=1", "host 1");
  EXPECT_EQ(host.status, 1);
  EXPECT_NE(host.output.find("error: the kernel 'host.k0' was compiled for no device; compile its source with "
                             "--offload-arch="),
            std::string::npos)
      << host.output;
}

TEST_P(Gpu, AFaultNamesTheKernel) {
  std::string fail = std::string("FAKE_GPU_FAIL=") + machine().synchronise + ":3:700";
  Outcome outcome = probe(on() + "FAKE_GPU_PAGEABLE=1 " + fail, "fib 9");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.output, std::string("cilk2gpu: error: the kernel 'fib.k0' failed on ") + machine().name + ": " +
                                machine().synchronise + ": error 700, FAKE_ERROR_ILLEGAL_ADDRESS\n");
}

#ifndef CILK2GPU_SANITIZED
TEST_P(Gpu, AFaultSaysWhatIsNotVisible) {
  // Nothing can be registered: the result on the caller's stack is out of reach.
  std::string call = machine().device == std::string("cuda") ? "cuMemHostRegister_v2" : "hipHostRegister", fails;
  Outcome outcome = probe(on() + "FAKE_GPU_FAIL=" + call + ":*:999", "fib 2");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("error: the kernel 'fib.k0' failed on " + std::string(machine().name) + ": "),
            std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find(" ranges are not visible there (the first: "), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find(call + ": error 999, FAKE_ERROR_INJECTED (as the test wanted))\n"), std::string::npos)
      << outcome.output;
}

TEST_P(Gpu, OtherAddressesOnTheDeviceAreRefused) {
  Outcome outcome = probe(on() + "FAKE_GPU_SHIFTED=1", "fib 2");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("error: the program's memory cannot be made visible to " + std::string(machine().name) +
                                ": the device sees the host's memory at other addresses ("),
            std::string::npos)
      << outcome.output;
}

TEST_P(Gpu, WhatTheDeviceSeesElsewhereIsLeftOut) {
  EXPECT_EQ(probe(on() + "FAKE_GPU_SHIFTED=2", "memory").output, probe("CILK2GPU_DEVICE=native", "memory").output);
}

TEST_P(Gpu, ReadOnlyMemoryIsVisibleWhereTheDriverCan) {
  bool cuda = machine().device == std::string("cuda");
  if (cuda)
    EXPECT_EQ(probe(on(), "read-only").output, "1007\n");
  Outcome outcome = probe(on() + "FAKE_GPU_READ_ONLY=0", "read-only");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find(" ranges are not visible there (the first: "), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find(": the process may only read it, and the driver cannot register that)\n"),
            std::string::npos)
      << outcome.output;
}

TEST_P(Gpu, FilesAreNoDevicesWhereverTheyLie) {
  Outcome outcome = probe(on(), "file");
  if (outcome.status == 77)
    GTEST_SKIP() << "no file can be made in /dev";
  EXPECT_EQ(outcome.output, "1021\n");
}
#endif

TEST_P(Gpu, ASmallDevicesMemoryBoundsWhatIsSpawnedAhead) {
  EXPECT_EQ(probe(on() + "FAKE_GPU_MEMORY=200000", "loop 20000").output, "599970000\n");
  Outcome outcome = probe(on() + "FAKE_GPU_MEMORY=200000 CILK2GPU_STATS=" + directory + "/s.json", "loop 20000");
  std::string check = "python3 -c 'import json; c = json.load(open(\"" + directory +
                      "/s.json\"))[\"counters\"]\n"
                      "assert c[\"memory_high_water\"][\"value\"] <= 150000 and c[\"yields\"][\"value\"] > 0'";
  EXPECT_EQ(system(check.c_str()), 0) << outcome.output;
}

TEST_P(Gpu, OutOfMemoryIsReported) {
  Outcome small = probe(on() + "FAKE_GPU_MEMORY=590000 CILK2GPU_WIDTH=1", "fib 9000");
  EXPECT_EQ(small.status, 1);
  EXPECT_EQ(small.output.find("cilk2gpu: error: the device's free memory is too small to go on: the channel or the "
                              "frames of 'fib' need "),
            0u)
      << small.output;
  Outcome tiny = probe(on() + "FAKE_GPU_FAIL=" + machine().allocate + ":2:2", "fib 12");
  EXPECT_EQ(tiny.status, 1);
  EXPECT_NE(tiny.output.find(std::string("bytes for channels and frames could not be allocated on ") + machine().name +
                             ": " + machine().allocate +
                             ": error 2, FAKE_ERROR_OUT_OF_MEMORY; a smaller "
                             "CILK2GPU_WIDTH needs less\n"),
            std::string::npos)
      << tiny.output;
  Outcome cap = probe(on() + "CILK2GPU_MEM_CAP=4K", "fib 12");
  EXPECT_EQ(cap.status, 1);
  EXPECT_NE(cap.output.find("error: CILK2GPU_MEM_CAP is too small to go on"), std::string::npos) << cap.output;
  EXPECT_EQ(probe(on() + "CILK2GPU_MEM_CAP=1M", "fib 12").output, "144\n");
}

TEST_P(Gpu, EveryFailureOfTheDriverIsOneLineAndStatus1) {
  for (const char *program : {"memory", "loop 20000"})
    checkFailures(on(), program);
}

TEST_P(Gpu, AMachineWithoutADriverIsToldWhatToInstall) {
  Outcome outcome = probe(none + "CILK2GPU_DEVICE=" + machine().device, "fib 2");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.output.find(prefix() + "/none/lib"), 0u) << outcome.output;
  EXPECT_NE(outcome.output.find(" cannot be loaded ("), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("); install "), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find(", or name the library in CILK2GPU_"), std::string::npos) << outcome.output;
}

TEST_P(Gpu, ALibraryThatIsNotADriverIsNamed) {
  std::string variable = machine().device == std::string("cuda") ? "CILK2GPU_CUDA_LIBRARY=" : "CILK2GPU_HIP_LIBRARY=";
  Outcome outcome = probe(on() + variable + "libm.so.6", "fib 2");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(
      outcome.output.find(prefix() + "libm.so.6 has no function " + machine().init + "; install a newer version "), 0u)
      << outcome.output;
}

TEST_P(Gpu, AMachineWithoutADeviceSaysSo) {
  Outcome outcome = probe(on() + "FAKE_GPUS=", "fib 2");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.output,
            prefix() +
                (machine().device == std::string("cuda")
                     ? "NVIDIA's driver finds no device"
                     : "AMD's ROCm finds no device (hipGetDeviceCount: error 100, FAKE_ERROR_NO_DEVICE)") +
                "; CILK2GPU_DEVICE=native runs on the CPU\n");
}

TEST_P(Gpu, DevicesWithoutManagedMemoryAreRefused) {
  Outcome outcome = probe(on() + "FAKE_GPU_MANAGED=0", "fib 2");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.output, prefix() + machine().name +
                                " has no managed memory, which channels and frames need; "
                                "CILK2GPU_DEVICE=native runs on the CPU\n");
}

TEST_P(Gpu, AProgramWithoutCodeForTheDeviceSaysHowToCompileIt) {
  Outcome outcome = probe(on() + "FAKE_ARCHS=none", "fib 2");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.output.find(prefix() + "the program contains no code for it; compile it with --offload-arch="), 0u)
      << outcome.output;
}

TEST_P(Gpu, AutoTakesTheGpuAndSaysSoOnce) {
  std::string arch = machine().device == std::string("cuda") ? "sm_90" : "gfx90a";
  std::string line = "cilk2gpu: tasks run on " + std::string(machine().name) + " (CILK2GPU_DEVICE=" + machine().device +
                     ", code for " + arch + ")\n";
  std::string settings = machine().drivers + visibilities[0];
  EXPECT_EQ(probe(settings, "fib 10").output, line + "55\n");
  EXPECT_EQ(probe(settings + "CILK2GPU_DEVICE=auto", "fork-first 6").output.substr(0, line.size()), line);
}

TEST_P(Gpu, AutoRunsOnTheCpuIfTheDriverFails) {
  for (const char *call : {machine().init, machine().load, machine().allocate}) {
    Outcome outcome = probe(machine().drivers + "FAKE_GPU_FAIL=" + call + ":1:999", "fib 10");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.output.find("cilk2gpu: tasks run on the CPU (CILK2GPU_DEVICE=native): "), 0u) << outcome.output;
    EXPECT_NE(outcome.output.find(std::string(call) + ": error 999, FAKE_ERROR_INJECTED"), std::string::npos)
        << outcome.output;
    EXPECT_EQ(outcome.output.substr(outcome.output.find('\n')), "\n55\n");
  }
}

TEST(GpuChoice, WhatTheDriversCompilerSaysIsPartOfTheLine) {
  Outcome outcome = probe(none + "CILK2GPU_CUDA_LIBRARY=" FAKE_CUDA " CILK2GPU_DEVICE=cuda "
                                 "FAKE_GPU_FAIL=cuLinkAddData_v2:1:218",
                          "fib 2");
  EXPECT_EQ(outcome.output, "cilk2gpu: error: CILK2GPU_DEVICE=cuda: the image for sm_90 could not be loaded on Fake "
                            "H200: cuLinkAddData_v2: error "
                            "218, unknown error; ptxas: line 7 is wrong; CILK2GPU_DEVICE=native runs on the "
                            "CPU\n");
}

TEST(GpuChoice, DevicesThatSeeRegisteredMemoryElsewhereAreRefused) {
  std::string on =
      none + "CILK2GPU_CUDA_LIBRARY=" FAKE_CUDA " CILK2GPU_DEVICE=cuda FAKE_GPU_SAME_ADDRESS=0 FAKE_GPU_PAGEABLE=";
  Outcome outcome = probe(on + "0", "fib 2");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.output, "cilk2gpu: error: CILK2GPU_DEVICE=cuda: tasks have pointers to the host's memory, "
                            "which has other addresses on Fake H200; CILK2GPU_DEVICE=native runs on the CPU\n");
  EXPECT_EQ(probe(on + "1", "fib 10").output, "55\n");
}

TEST(GpuChoice, FunctionsAreNotCalledWhereTheHostCannotTouchManagedMemory) {
  std::string on =
      none + "CILK2GPU_CUDA_LIBRARY=" FAKE_CUDA " CILK2GPU_DEVICE=cuda FAKE_GPU_CONCURRENT=0 FAKE_GPU_PAGEABLE=1 ";
  Outcome outcome = probe(on + "FAKE_ASKS=1", "ask 3");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(
      outcome.output.find("a task on the GPU calls a function that only the host has, but the host cannot touch the "
                          "device's managed memory while a kernel runs"),
      std::string::npos)
      << outcome.output;
  EXPECT_EQ(probe(on, "fib 10").output, "55\n");
}

TEST(GpuChoice, VariablesThatNoFileListsAreNamed) {
  for (std::string driver : {"CILK2GPU_DEVICE=cuda CILK2GPU_CUDA_LIBRARY=" FAKE_CUDA " ",
                             "CILK2GPU_DEVICE=hip CILK2GPU_HIP_LIBRARY=" FAKE_HIP6 " "}) {
    Outcome outcome = probe(none + driver + "FAKE_GPU_PAGEABLE=1 FAKE_UNLISTED=1", "touch 7");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.output.find(
                  " cannot be used: its kernels need the address of 'table', which no file of the program lists; "
                  "compile the program's files again with --offload-arch, and have the linker keep their section "
                  "cilk2gpu_addresses; CILK2GPU_DEVICE=native runs on the CPU\n"),
              std::string::npos)
        << outcome.output;
  }
}

TEST(GpuChoice, TheNewestImageThatRunsIsTaken) {
  std::string on = none + "CILK2GPU_CUDA_LIBRARY=" FAKE_CUDA " FAKE_GPU_PAGEABLE=1 CILK2GPU_STATS=- "
                          "CILK2GPU_DEVICE=cuda FAKE_GPUS='";
  EXPECT_NE(probe(on + "A=9.0'", "fib 3").output.find("\nimage_arch                        sm_90\n"),
            std::string::npos);
  EXPECT_NE(probe(on + "A=12.0'", "fib 3").output.find("\nimage_arch                        sm_90\n"),
            std::string::npos);
  EXPECT_NE(probe(on + "A=8.6'", "fib 3").output.find("\nimage_arch                        sm_80\n"),
            std::string::npos);
  Outcome second = probe(on + "Old=7.5;New=9.0'", "fib 3");
  EXPECT_NE(second.output.find("\ndevice_name                         New\n"), std::string::npos) << second.output;
}

TEST(GpuChoice, AnArchitectureThatTheProgramWasNotCompiledForIsNamed) {
  std::string on = none + "CILK2GPU_CUDA_LIBRARY=" FAKE_CUDA " CILK2GPU_DEVICE=cuda ";
  Outcome outcome = probe(on + "FAKE_GPUS='Old=7.5;Older=6.1;Old=7.5'", "fib 3");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.output, "cilk2gpu: error: CILK2GPU_DEVICE=cuda: the program was compiled for sm_80, sm_90, gfx90a, "
                            "gfx11-generic, but the machine has Old (sm_75), Older (sm_61); compile it with "
                            "--offload-arch=sm_75; CILK2GPU_DEVICE=native runs on the CPU\n");
  on = none + "CILK2GPU_HIP_LIBRARY=" FAKE_HIP6 " CILK2GPU_DEVICE=hip FAKE_GPU_PAGEABLE=1 ";
  outcome = probe(on + "FAKE_GPUS=Navi=gfx1030", "fib 3");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("but the machine has Navi (gfx1030); compile it with --offload-arch=gfx1030;"),
            std::string::npos)
      << outcome.output;
  outcome = probe(on + "'FAKE_GPUS=A=gfx1030;B=gfx908:xnack-;C=gfx701'", "fib 3");
  EXPECT_NE(outcome.output.find("has A (gfx1030), B (gfx908:xnack-), C (gfx701); compile it with "
                                "--offload-arch=gfx1030,gfx908;"),
            std::string::npos)
      << outcome.output;
  EXPECT_EQ(probe(on + "FAKE_GPUS=Navi=gfx1102", "fib 3").output, "2\n");
}

TEST(GpuChoice, GpusThatCannotBeCompiledForAreNoAdvice) {
  std::string on = none + "CILK2GPU_CUDA_LIBRARY=" FAKE_CUDA " CILK2GPU_DEVICE=cuda ";
  Outcome outcome = probe(on + "FAKE_GPUS='Older=6.1;Oldest=5.2'", "fib 3");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.output,
            "cilk2gpu: error: CILK2GPU_DEVICE=cuda: the program was compiled for sm_80, sm_90, gfx90a, "
            "gfx11-generic, but the machine has Older (sm_61), Oldest (sm_52); tasks cannot run on a GPU as old "
            "as sm_61, sm_52; CILK2GPU_DEVICE=native runs on the CPU\n");
  on = none + "CILK2GPU_HIP_LIBRARY=" FAKE_HIP6 " CILK2GPU_DEVICE=hip FAKE_GPU_PAGEABLE=1 ";
  outcome = probe(on + "FAKE_GPUS=New=gfx1301", "fib 3");
  EXPECT_NE(outcome.output.find("but the machine has New (gfx1301), which this version of cilk2gpu does not know;"),
            std::string::npos)
      << outcome.output;
}

TEST(GpuChoice, DevicesWithoutANameOrAnArchitecture) {
  std::string on = none + "CILK2GPU_HIP_LIBRARY=" FAKE_HIP6 " CILK2GPU_DEVICE=hip FAKE_GPU_PAGEABLE=1 ";
  for (auto [gpus, said] : {std::pair("=gfx1030", "has gfx1030; compile it with --offload-arch=gfx1030;"),
                            std::pair("Radeon=", "has Radeon, which this version of cilk2gpu does not know;"),
                            std::pair("=", "has a device, which this version of cilk2gpu does not know;")}) {
    Outcome outcome = probe(on + "'FAKE_GPUS=" + gpus + "'", "fib 3");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.output.find(said), std::string::npos) << outcome.output;
  }
  Outcome outcome = probe(
      none + "CILK2GPU_HIP_LIBRARY=" FAKE_HIP6 " FAKE_GPU_PAGEABLE=1 CILK2GPU_DEVICE=auto FAKE_GPUS==gfx90a", "fib 3");
  EXPECT_NE(outcome.output.find("tasks run on gfx90a (CILK2GPU_DEVICE=hip, code for gfx90a)"), std::string::npos)
      << outcome.output;
}

TEST(GpuChoice, AutoSaysWhyNoDriverWillDo) {
  Outcome outcome = probe(none, "fib 10");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(
      outcome.output.find("cilk2gpu: tasks run on the CPU (CILK2GPU_DEVICE=native): hip: /none/libhip.so cannot be "
                          "loaded ("),
      0u)
      << outcome.output;
  EXPECT_NE(outcome.output.find("; cuda: /none/libcuda.so cannot be loaded ("), std::string::npos) << outcome.output;
  EXPECT_EQ(probe(none + "CILK2GPU_DEVICE=auto FAKE_ARCHS=none", "fib 10").output,
            "cilk2gpu: tasks run on the CPU (CILK2GPU_DEVICE=native): the program contains no code for GPUs\n55\n");
  EXPECT_EQ(probe(none + "FAKE_ARCHS=none", "fib 10").output, "55\n");
  EXPECT_EQ(probe("CILK2GPU_CUDA_LIBRARY=" FAKE_CUDA " FAKE_HOST_TASK=1", "fib 10").output,
            "cilk2gpu: tasks run on the CPU (CILK2GPU_DEVICE=native): task 'host' (touch.c:3:1) was compiled for no "
            "device\n55\n");
}

#ifndef CILK2GPU_SANITIZED
TEST(GpuChoice, StaticProgramsLoadNoDriver) {
  std::string cuda = none + "CILK2GPU_CUDA_LIBRARY=" FAKE_CUDA " ";
  EXPECT_EQ(probe(cuda + "CILK2GPU_DEVICE=native", "fib 10", CILK2GPU_STATIC_PROBE).output, "55\n");
  Outcome outcome = probe(cuda + "CILK2GPU_DEVICE=cuda", "fib 10", CILK2GPU_STATIC_PROBE);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.output,
            "cilk2gpu: error: CILK2GPU_DEVICE=cuda: the program is linked statically and cannot load a driver; link it "
            "without -static; CILK2GPU_DEVICE=native runs on the CPU\n");
}
#endif

TEST(GpuChoice, StacksAreWhatTheUserAsksFor) {
  std::string cuda = none + "CILK2GPU_CUDA_LIBRARY=" FAKE_CUDA " FAKE_GPU_PAGEABLE=1 CILK2GPU_DEVICE=cuda ";
  EXPECT_EQ(probe(cuda + "CILK2GPU_DEVICE_STACK=64K", "fib 10").output, "55\n");
  EXPECT_EQ(probe(cuda + "FAKE_GPU_FAIL=cuCtxSetLimit:1:215", "fib 10").output, "55\n");
  EXPECT_EQ(probe(cuda + "CILK2GPU_DEVICE_STACK=64K FAKE_GPU_FAIL=cuCtxSetLimit:1:215", "fib 10").status, 1);
  std::string hip = none + "CILK2GPU_HIP_LIBRARY=" FAKE_HIP5 " FAKE_GPU_PAGEABLE=1 CILK2GPU_DEVICE=hip ";
  EXPECT_EQ(probe(hip, "fib 10").output, "55\n");
  Outcome outcome = probe(hip + "CILK2GPU_DEVICE_STACK=64K", "fib 10");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("hipDeviceSetLimit: error 801"), std::string::npos) << outcome.output;
}

TEST(GpuChoice, ImagesAreToldHowLargeStacksAre) {
  std::string asks = none + "FAKE_ASKS=1 FAKE_GPU_PAGEABLE=1 ";
  std::string cuda = asks + "CILK2GPU_DEVICE=cuda CILK2GPU_CUDA_LIBRARY=" FAKE_CUDA " ";
  // All but an eighth and 512 bytes may be used.
  EXPECT_EQ(probe(cuda, "stack 97").output, "13824\n");
  EXPECT_EQ(probe(cuda + "CILK2GPU_DEVICE_STACK=1M", "stack 97").output, "916992\n");
  EXPECT_EQ(probe(cuda + "CILK2GPU_DEVICE_STACK=500", "stack 97").output, "-1\n") << "there is nothing to spare";
  EXPECT_EQ(probe(asks + "CILK2GPU_DEVICE=hip CILK2GPU_HIP_LIBRARY=" FAKE_HIP5, "stack 97").output, "-1\n")
      << "it is not known";
  Outcome outcome = probe(cuda, "stack 96");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("out of memory: the stack of a lane on the GPU is full"), std::string::npos)
      << outcome.output;
}

TEST(GpuChoice, StacksThatCodeDoesNotBoundMustBeSet) {
  std::string hip = "FAKE_GPU_PAGEABLE=1 FAKE_DEEP_STACK=1 CILK2GPU_DEVICE=hip CILK2GPU_HIP_LIBRARY=";
  EXPECT_EQ(probe(none + hip + FAKE_HIP6, "fib 10").output, "55\n");
  Outcome outcome = probe(none + hip + FAKE_HIP5, "fib 10");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(
      outcome.output.find(
          "CILK2GPU_DEVICE=hip: tasks call functions that are recursive, are called through pointers, or have arrays "
          "of variable size; the size of the lanes' stacks must be set for them, which this version of AMD's "
          "ROCm cannot do"),
      std::string::npos)
      << outcome.output;
}

} // namespace
} // namespace cilk2gpu::test
