// Tests the parser of CILK2GPU_DGB.
#include "process/DgbSetting.h"

#include <gtest/gtest.h>

using namespace cilk2gpu::rt;

namespace {

std::string messageOf(const char *text) {
  DgbSetting setting;
  char message[320] = "";
  EXPECT_FALSE(parseDgbSetting(text, setting, message, sizeof message)) << text;
  return message;
}

TEST(DgbSetting, ReadsParts) {
  DgbSetting setting;
  char message[320];
  ASSERT_TRUE(parseDgbSetting("nodes:128,edges:512,pub:64,spill:on", setting, message, sizeof message));
  EXPECT_EQ(setting.nodes, 128u);
  EXPECT_EQ(setting.edges, 512u);
  EXPECT_EQ(setting.pending, 64u);
  EXPECT_TRUE(setting.spill);
  ASSERT_TRUE(parseDgbSetting("spill:off,nodes:65536", setting, message, sizeof message));
  EXPECT_EQ(setting.nodes, 65536u);
  EXPECT_EQ(setting.edges, 0u) << "the policy's size";
  EXPECT_FALSE(setting.spill);
}

TEST(DgbSetting, ReadsTheMachine) {
  DgbSetting setting;
  char message[320];
  ASSERT_TRUE(parseDgbSetting("launch:700,slots:4", setting, message, sizeof message));
  EXPECT_EQ(setting.slots, 4u);
  EXPECT_EQ(setting.launch, 700u);
  EXPECT_EQ(setting.nodes, 0u);
}

TEST(DgbSetting, RefusesOddValues) {
  for (const char *text : {"nodes:1",
                           "slots:0",
                           "slots:1025",
                           "launch:0",
                           "launch:-1",
                           "nodes:0",
                           "nodes:-128",
                           "nodes:+128",
                           "nodes: 128",
                           "nodes:128 ",
                           "nodes:1e3",
                           "nodes:0x80",
                           "nodes:65537",
                           "nodes:4294967296",
                           "nodes:words",
                           "nodes=128",
                           "NODES:128",
                           "nodes:128;edges:512",
                           "nodes:128,",
                           ",nodes:128",
                           ",",
                           "nodes:128,,pub:8",
                           "edges:0",
                           "edges:63",
                           "edges:1048577",
                           "pub:0",
                           "pub:65537",
                           "spill",
                           "spill:",
                           "spill:ON",
                           "spill:1",
                           "spill:off,spill:on",
                           "128"})
    EXPECT_NE(messageOf(text), "") << text;
}

TEST(DgbSetting, TakesTheSmallestAndLargestValues) {
  DgbSetting setting;
  char message[320];
  EXPECT_TRUE(parseDgbSetting("nodes:16,edges:64,pub:1", setting, message, sizeof message));
  EXPECT_TRUE(parseDgbSetting("nodes:65536,edges:1048576,pub:65536", setting, message, sizeof message));
  EXPECT_TRUE(parseDgbSetting("nodes:0064", setting, message, sizeof message));
  EXPECT_EQ(setting.nodes, 64u);
}

TEST(DgbSetting, MistakesHaveMessages) {
  EXPECT_EQ(messageOf("nodes:15"), "nodes takes a number from 16 to 65536, in nodes; 'nodes:15' has another value; "
                                   "write, for example, nodes:128");
  EXPECT_EQ(messageOf("edges:1k"), "edges takes a number from 64 to 1048576, in edges; 'edges:1k' has another value; "
                                   "write, for example, edges:512");
  EXPECT_EQ(messageOf("pub"), "pub takes a number from 1 to 65536, in pending updates; 'pub' has another value; write, "
                              "for example, pub:8");
  EXPECT_EQ(messageOf("pub:"), "pub takes a number from 1 to 65536, in pending updates; 'pub:' has another value; "
                               "write, for example, pub:8");
  EXPECT_EQ(messageOf("pub:99999999999999999999"),
            "pub takes a number from 1 to 65536, in pending updates; 'pub:99999999999999999999' has another value; "
            "write, for example, pub:8");
  EXPECT_EQ(messageOf("nodes:64,nodes:64"), "each part may be given once; 'nodes:64' is given again; leave one of the "
                                            "two out");
  EXPECT_EQ(messageOf("spill:yes"), "spill is on or off; 'spill:yes' is neither; write spill:on or spill:off");
  const std::string parts = "the parts are nodes:N, edges:N, pub:N, slots:N, launch:N and spill:on|off, with commas "
                            "between them; ";
  EXPECT_EQ(messageOf("size:4"), parts + "'size:4' is none of them; correct it or leave it out");
  EXPECT_EQ(messageOf(""), parts + "'' is none of them; correct it or leave it out");
}

} // namespace
