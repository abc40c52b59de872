// Tests that the table of architectures agrees with LLVM about each processor.
#include "cilk2gpu/target-info/Architectures.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/TargetParser.h"
#include "llvm/TargetParser/Triple.h"

#include <gtest/gtest.h>
#include <memory>

namespace cilk2gpu::target_info {
namespace {

std::unique_ptr<llvm::MCSubtargetInfo> describe(const char *triple, const std::string &processor) {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargetMCs();
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(llvm::Triple(triple), error);
  if (!target)
    return nullptr;
  std::unique_ptr<llvm::MCSubtargetInfo> any(target->createMCSubtargetInfo(llvm::Triple(triple), "", ""));
  if (!any->isCPUStringValid(processor))
    return nullptr;
  return std::unique_ptr<llvm::MCSubtargetInfo>(target->createMCSubtargetInfo(llvm::Triple(triple), processor, ""));
}

TEST(ArchitectureTraits, AmdRowsAgreeWithLLVM) {
  for (const AmdTraits &row : kAmdArchitectures) {
    std::unique_ptr<llvm::MCSubtargetInfo> processor = describe("amdgcn-amd-amdhsa", row.processor);
    ASSERT_TRUE(processor) << row.processor;
    llvm::AMDGPU::GPUKind kind = llvm::AMDGPU::parseArchAMDGCN(row.processor);
    bool isWave32 = llvm::AMDGPU::getArchAttrAMDGCN(kind) & llvm::AMDGPU::FEATURE_WAVE32;
    EXPECT_EQ(row.wave, isWave32 ? 32u : 64u) << row.processor;
    bool countsOneLane = processor->checkFeatures("+architected-flat-scratch");
    EXPECT_EQ(row.stack, countsOneLane ? StackUnit::OneLane : StackUnit::AllLanes) << row.processor;
    bool writesBack = processor->checkFeatures("+gfx90a-insts");
    EXPECT_EQ(row.writeBack, writesBack ? WriteBack::Instruction : WriteBack::None) << row.processor;
  }
}

TEST(ArchitectureTraits, NvidiaRowsAgreeWithLLVM) {
  for (const NvidiaTraits &row : kNvidiaArchitectures) {
    std::string plain = "sm_" + std::to_string(row.capability);
    auto isKnown = [&](const char *letter) { return describe("nvptx64-nvidia-cuda", plain + letter) != nullptr; };
    EXPECT_TRUE(isKnown("")) << plain;
    EXPECT_EQ(isKnown("a"), row.variants != PtxVariants::Plain) << plain;
    EXPECT_EQ(isKnown("f"), row.variants == PtxVariants::ChipAndFamily) << plain;
  }
}

} // namespace
} // namespace cilk2gpu::target_info
