// Tests that a control group's limit is found, and that an endless recursion ends with a message.
#include "process/MachineMemory.h"
#include "Machine.h"
#include "process/HostEnvironment.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace cilk2gpu {
namespace {

using namespace cilk2gpu::test;

/// A folder that plays a machine's root.
class Root : public testing::Test {
protected:
  std::filesystem::path root = std::filesystem::temp_directory_path() / ("cilk2gpu-root-" + std::to_string(getpid()));

  void write(const std::string &file, const std::string &text) {
    std::filesystem::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text;
  }
  uint64_t found() { return rt::machineMemory(root.c_str()); }
  void TearDown() override { std::filesystem::remove_all(root); }
};

TEST_F(Root, WithoutGroupsItIsTheMachines) {
  uint64_t whole = uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
  EXPECT_EQ(found(), whole);
  write("proc/self/cgroup", "not a group\n0::/none/of/these\n");
  EXPECT_EQ(found(), whole);
  write("sys/fs/cgroup/none/memory.max", "max\n");
  EXPECT_EQ(found(), whole);
}

TEST_F(Root, TheLeastOfAGroupAndThoseAboveItCounts) {
  write("proc/self/cgroup", "0::/user/job\n");
  write("sys/fs/cgroup/user/job/memory.max", "3000000\n");
  write("sys/fs/cgroup/user/memory.max", "2000000\n");
  EXPECT_EQ(found(), 2000000u);
  write("sys/fs/cgroup/user/job/memory.max", "1000000\n");
  EXPECT_EQ(found(), 1000000u);
}

TEST_F(Root, AContainersRootCounts) {
  write("proc/self/cgroup", "0::/../outside\n");
  write("sys/fs/cgroup/memory.max", "4000000\n");
  EXPECT_EQ(found(), 4000000u);
}

TEST_F(Root, TheFirstVersionsGroupsCount) {
  write("proc/self/cgroup", "5:cpu:/a\n4:memory:/a\n0::/\n");
  write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "5000000\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(found(), 5000000u);
}

#ifndef CILK2GPU_SANITIZED
TEST(MachineMemory, ARecursionThatTakesItAllEndsWithAMessage) {
  EXPECT_EXIT(
      {
        rt::limitHostMemory(uint64_t(100) << 20);
        Machine machine(64, 4096, 1);
        machine.run(chain, 10'000'000);
      },
      testing::ExitedWithCode(1),
      "error: out of memory: [0-9]+ bytes for channels and frames of 'chain' could not be allocated; does its "
      "recursion "
      "end\\?");
}
#endif

} // namespace
} // namespace cilk2gpu
