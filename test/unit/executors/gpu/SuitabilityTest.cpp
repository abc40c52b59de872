// Tests which images run on which devices, and the choice among several images.
#include "executors/gpu/Suitability.h"

#include <gtest/gtest.h>

namespace cilk2gpu::device {
namespace {

uint32_t ptx(const char *image, const char *device) { return suitability(abi::ImageKind::Nvptx, image, device); }
uint32_t object(const char *image, const char *device) { return suitability(abi::ImageKind::Amdgcn, image, device); }

TEST(Architectures, PtxRunsOnItsCapabilityAndNewerOnes) {
  EXPECT_TRUE(ptx("sm_80", "sm_80"));
  EXPECT_TRUE(ptx("sm_80", "sm_90"));
  EXPECT_TRUE(ptx("sm_90", "sm_120"));
  EXPECT_FALSE(ptx("sm_90", "sm_89"));
  EXPECT_FALSE(ptx("sm_100", "sm_90"));
  EXPECT_FALSE(ptx("sm_", "sm_90"));
  EXPECT_FALSE(ptx("sm_90xy", "sm_90"));
  EXPECT_FALSE(ptx("compute", "sm_90"));
}

TEST(Architectures, PtxOfOneChipOrFamilyRunsNowhereElse) {
  EXPECT_TRUE(ptx("sm_90a", "sm_90"));
  EXPECT_FALSE(ptx("sm_90a", "sm_100"));
  EXPECT_TRUE(ptx("sm_100f", "sm_103"));
  EXPECT_FALSE(ptx("sm_100f", "sm_120"));
  EXPECT_FALSE(ptx("sm_103f", "sm_100"));
}

TEST(Architectures, TheNewestPtxIsTaken) {
  EXPECT_GT(ptx("sm_90", "sm_90"), ptx("sm_80", "sm_90"));
  EXPECT_GT(ptx("sm_90a", "sm_90"), ptx("sm_90", "sm_90"));
  EXPECT_GT(ptx("sm_100", "sm_120"), ptx("sm_90", "sm_120"));
}

TEST(Architectures, ACodeObjectRunsOnItsProcessor) {
  EXPECT_TRUE(object("gfx90a", "gfx90a"));
  EXPECT_TRUE(object("gfx90a", "gfx90a:sramecc+:xnack-"));
  EXPECT_FALSE(object("gfx90a", "gfx90c"));
  EXPECT_FALSE(object("gfx90a", "gfx90"));
  EXPECT_FALSE(object("gfx90", "gfx90a"));
  EXPECT_FALSE(object("gfx1100", "gfx1101"));
}

TEST(Architectures, GenericCodeObjectsRunOnTheirFamily) {
  EXPECT_TRUE(object("gfx9-generic", "gfx906:sramecc-:xnack-"));
  EXPECT_FALSE(object("gfx9-generic", "gfx90a"));
  EXPECT_TRUE(object("gfx9-4-generic", "gfx942:xnack-"));
  EXPECT_TRUE(object("gfx10-3-generic", "gfx1030"));
  EXPECT_FALSE(object("gfx10-3-generic", "gfx1010"));
  EXPECT_TRUE(object("gfx11-generic", "gfx1100"));
  EXPECT_TRUE(object("gfx11-generic", "gfx1153"));
  EXPECT_FALSE(object("gfx11-generic", "gfx110"));
  EXPECT_FALSE(object("gfx11-generic", "gfx1201"));
  EXPECT_TRUE(object("gfx12-generic", "gfx1201"));
  EXPECT_GT(object("gfx1100", "gfx1100"), object("gfx11-generic", "gfx1100"));
}

TEST(Architectures, WhatTheCompilerMakesImagesFor) {
  for (const char *known : {"gfx803", "gfx900", "gfx90a", "gfx942", "gfx950", "gfx1103", "gfx1201", "gfx11-generic",
                            "gfx9-4-generic", "sm_70", "sm_90", "sm_90a", "sm_100f", "sm_121"})
    EXPECT_EQ(supportOf(known), Support::Yes) << known;
  for (const char *old : {"gfx600", "gfx705", "gfx802", "gfx805", "sm_20", "sm_61"})
    EXPECT_EQ(supportOf(old), Support::TooOld) << old;
  for (const char *unknown : {"",        "gfx",    "gfx8",    "gfx9",          "gfx940", "gfx9999", "gfx90",
                              "gfx6000", "gfx11-", " gfx90a", "gfx900 gfx902", "sm_",    "sm_1",    "sm_71",
                              "sm_70a",  "sm_90f", "sm_90b",  "sm_61a",        "sm_130", "sm_90ab", "gpu-host"})
    EXPECT_EQ(supportOf(unknown), Support::Unknown) << unknown;
}

TEST(Architectures, WhatToCompileForRunsOnTheDevice) {
  auto advice = [](abi::ImageKind kind, const char *device) { return std::string(adviceFor(kind, device).arch); };
  EXPECT_EQ(advice(abi::ImageKind::Nvptx, "sm_75"), "sm_75");
  EXPECT_EQ(advice(abi::ImageKind::Nvptx, "sm_74"), "sm_72");
  EXPECT_EQ(advice(abi::ImageKind::Nvptx, "sm_130"), "sm_121");
  EXPECT_EQ(advice(abi::ImageKind::Nvptx, "sm_61"), "");
  EXPECT_EQ(advice(abi::ImageKind::Amdgcn, "gfx90a:sramecc+:xnack-"), "gfx90a");
  EXPECT_EQ(advice(abi::ImageKind::Amdgcn, "gfx701"), "");
  EXPECT_EQ(advice(abi::ImageKind::Amdgcn, "gfx1301"), "");
  EXPECT_EQ(advice(abi::ImageKind::Amdgcn, ""), "");
}

} // namespace
} // namespace cilk2gpu::device
