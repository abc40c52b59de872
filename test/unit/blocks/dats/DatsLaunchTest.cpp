// Tests launches of thread blocks with CILK2GPU_DEVICE=model: messages and statistics. Each one is a process of its
// own, because the variables are read once.
#include <cilk2gpu/Wireframe.h>

#include <gtest/gtest.h>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <vector>

namespace {

void links() {
  WF::AddDependency({blockIdx.x - 1, blockIdx.y});
  WF::AddDependency({blockIdx.x, blockIdx.y - 1});
}

void boundedLinks() {
  links();
  WF::SetPolicy(WF::LVL, 3);
}

/// The length of the longest path to a block.
__WF__ void longestPath(unsigned *table) {
  unsigned x = blockIdx.x, y = blockIdx.y, n = gridDim.x;
  unsigned left = x ? table[y * n + x - 1] : 0, above = y ? table[(y - 1) * n + x] : 0;
  table[y * n + x] = 1 + (left > above ? left : above);
}

/// Launches a square of blocks on the model, checks its result, and ends the process.
[[noreturn]] void launchSquare(unsigned side, bool isBounded, const char *dgb) {
  setenv("CILK2GPU_DEVICE", "model", 1);
  setenv("CILK2GPU_DGB", dgb, 1);
  setenv("CILK2GPU_STATS", "-", 1);
  std::vector<unsigned> table(side * side);
  if (isBounded)
    wf::launch(dim3(side, side), 1, boundedLinks, longestPath, table.data());
  else
    wf::launch(dim3(side, side), 1, links, longestPath, table.data());
  bool isRight = true;
  for (unsigned i = 0; i < side * side; ++i)
    isRight = isRight && table[i] == 1 + i % side + i / side;
  exit(isRight ? 0 : 2);
}

class ModelledLaunchDeathTest : public testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(ModelledLaunchDeathTest, Statistics) {
  const testing::ExitedWithCode success(0);
  EXPECT_EXIT(launchSquare(64, false, "spill:on"), success, "node_requests +256 requests");
  EXPECT_EXIT(launchSquare(64, false, "spill:on"), success, "edge_requests +256 requests");
  EXPECT_EXIT(launchSquare(64, false, "pub:1,nodes:64"), success, "pending_high_water +1 entries");
  EXPECT_EXIT(launchSquare(64, true, "spill:on"), success, "level_range +[123] levels");
  EXPECT_EXIT(launchSquare(64, true, "spill:on"), success, "deplinks_cycles +[1-9]");
}

TEST_F(ModelledLaunchDeathTest, TheUserChoosesTheComputeUnits) {
  auto launch = [](const char *units, const char *dgb) {
    setenv("CILK2GPU_CUS", units, 1);
    launchSquare(64, false, dgb);
  };
  const testing::ExitedWithCode success(0);
  EXPECT_EXIT(launch("1", "spill:on"), success, "slots_high_water +8 slots"); // a unit has 8
  EXPECT_EXIT(launch("2", "spill:on"), success, "slots_high_water +16 slots");
  EXPECT_EXIT(launch("2", "spill:on,slots:3"), success, "slots_high_water +6 slots");
}

TEST_F(ModelledLaunchDeathTest, DeadlocksHaveMessages) {
  EXPECT_EXIT(launchSquare(120, true, "spill:off"), testing::ExitedWithCode(1),
              "warning: CILK2GPU_DGB: this launch may block the modelled dependency graph buffer: without spills, a "
              "child's ID may be at most 112 above its parent's in level order; this graph has a distance of 120; use "
              "spill:on, or nodes:136");
  EXPECT_EXIT(launchSquare(120, true, "spill:off"), testing::ExitedWithCode(1),
              "error: CILK2GPU_DGB: the modelled dependency graph buffer is blocked: block \\([0-9]+, [0-9]+, 0\\) "
              "cannot complete, and nothing is loaded before it does: without spills");
  EXPECT_EXIT(launchSquare(120, true, "spill:off,nodes:160"), testing::ExitedWithCode(0), "spilled_updates +0 updates");
}

__WF__ void writeMark(int) { fputs("!", stderr); }

TEST_F(ModelledLaunchDeathTest, NoBlockRunsBeforeADeadlock) {
  auto launch = [](const char *dgb) {
    setenv("CILK2GPU_DEVICE", "model", 1);
    setenv("CILK2GPU_DGB", dgb, 1);
    wf::launch(dim3(120, 120), 1, boundedLinks, writeMark, 1);
    exit(0);
  };
  EXPECT_EXIT(launch("spill:off"), testing::ExitedWithCode(1), "^cilk2gpu: warning: [^!]* is blocked: [^!]*$");
  EXPECT_EXIT(launch("spill:off,nodes:160"), testing::ExitedWithCode(0), "^!+$");
}

TEST_F(ModelledLaunchDeathTest, LargeGraphsAreRefused) {
  EXPECT_EXIT(launchSquare(257, false, "spill:on"), testing::ExitedWithCode(1),
              "IDs of 16 bits, for 65536 blocks at most; this launch has 66049; launch fewer blocks, or use "
              "CILK2GPU_DEVICE=native");
}

/// Launches a square of 40 x 40 blocks with a version of its own.
[[noreturn]] void launchVersion(const char *version, const char *dgb = "spill:on") {
  setenv("CILK2GPU_BLOCK_VERSION", version, 1);
  launchSquare(40, false, dgb);
}

TEST_F(ModelledLaunchDeathTest, VersionsRunAllBlocks) {
  const testing::ExitedWithCode success(0);
  EXPECT_EXIT(launchVersion("global"), success, "modelled_launches +79 launches"); // one for each level
  EXPECT_EXIT(launchVersion("cdp"), success, "modelled_launches +80 launches");
  EXPECT_EXIT(launchVersion("deplinks"), success, "edge_requests +105 requests");
  EXPECT_EXIT(launchVersion("lrr"), success, "edge_requests +100 requests");
  EXPECT_EXIT(launchVersion("lvl"), success, "level_range +[0123] levels");
  for (const char *version : {"global", "cdp", "deplinks", "lrr", "lvl"}) {
    EXPECT_EXIT(launchVersion(version), success, "blocks_run +1600 blocks") << version;
    EXPECT_EXIT(launchVersion(version), success, std::string("block_version +") + version) << version;
  }
}

TEST_F(ModelledLaunchDeathTest, VersionsWithoutABufferCannotBlock) {
  const testing::ExitedWithCode success(0);
  EXPECT_EXIT(launchVersion("global", "nodes:16,pub:1,spill:off"), success, "^Summary");
  EXPECT_EXIT(launchVersion("deplinks", "nodes:128,spill:off"), success, "^Summary");
  EXPECT_EXIT(launchVersion("deplinks", "nodes:16,pub:1,spill:off"), testing::ExitedWithCode(1),
              "warning: .* may be at most 0 above .* distance of 40; .*is blocked: a? ?(block \\([0-9]+, [0-9]+, "
              "0\\)|join node) cannot complete");
}

TEST_F(ModelledLaunchDeathTest, TooManyJoinNodesAreRefused) {
  auto launch = [] {
    setenv("CILK2GPU_BLOCK_VERSION", "deplinks", 1);
    launchSquare(256, false, "spill:on");
  };
  EXPECT_EXIT(launch(), testing::ExitedWithCode(1),
              "for 65536 blocks and join nodes at most; this launch has 66046; launch fewer blocks");
  EXPECT_EXIT(launchSquare(256, false, "spill:on"), testing::ExitedWithCode(0), "deplinks_cycles +0 cycles");
}

TEST_F(ModelledLaunchDeathTest, GraphsAreWritten) {
  auto launch = [] {
    setenv("CILK2GPU_BLOCK_GRAPHS", "-", 1);
    launchSquare(2, false, "spill:on");
  };
  EXPECT_EXIT(launch(), testing::ExitedWithCode(0), "launch 4 nodes 4 edges\n0 0 1 2\n1 0 3\n2 0 3\n3 0\n");
  auto fail = [] {
    setenv("CILK2GPU_BLOCK_GRAPHS", "/nowhere/graphs", 1);
    launchSquare(2, false, "spill:on");
  };
  EXPECT_EXIT(fail(), testing::ExitedWithCode(1),
              "CILK2GPU_BLOCK_GRAPHS: the file /nowhere/graphs cannot be written: No such file or directory; name");
}

TEST_F(ModelledLaunchDeathTest, BadSettingsHaveMessages) {
  EXPECT_EXIT(launchVersion("LVL"), testing::ExitedWithCode(1),
              "CILK2GPU_BLOCK_VERSION=LVL is not valid; allowed: global, cdp, deplinks, lrr, lvl");
  EXPECT_EXIT(launchSquare(2, false, "nodes:8"), testing::ExitedWithCode(1),
              "CILK2GPU_DGB=nodes:8 is not valid: nodes takes a number from 16 to 65536");
}

} // namespace
