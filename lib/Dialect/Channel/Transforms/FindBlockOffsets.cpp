// Replaces links of block graphs by constant offsets. See BlockOffsets.h for what is understood.
#include "BlockOffsets.h"
#include "cilk2gpu/Dialect/Channel/Transforms/Passes.h"
#include "cilk2gpu/Support/Remarks.h"

#include "mlir/IR/Matchers.h"

namespace cilk2gpu::channel {
#define GEN_PASS_DEF_FINDBLOCKOFFSETSPASS
#include "cilk2gpu/Dialect/Channel/Transforms/Passes.h.inc"
} // namespace cilk2gpu::channel

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::channel;

/// For each dimension whether all launches have the extent 1 there. There is at least one launch.
static std::array<bool, 3> findRows(ModuleOp module, BlocksOp blocks, SymbolTableCollection &symbols) {
  std::array<bool, 3> isRow{};
  bool hasLaunch = false;
  module.walk([&](LaunchBlocksOp launch) {
    if (symbols.lookupNearestSymbolFrom(launch, launch.getBlocks()) != blocks)
      return;
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      bool isGiven = dimension < launch.getGrid().size();
      bool isOne = !isGiven || matchPattern(launch.getGrid()[dimension], m_One());
      isRow[dimension] = isOne && (!hasLaunch || isRow[dimension]);
    }
    hasLaunch = true;
  });
  return isRow;
}

namespace {

struct FindBlockOffsetsPass : cilk2gpu::channel::impl::FindBlockOffsetsPassBase<FindBlockOffsetsPass> {
  void runOnOperation() override {
    SmallVector<BlocksOp> linked;
    getOperation().walk([&](BlocksOp blocks) {
      if (blocks.getLinks())
        linked.push_back(blocks);
    });
    SymbolTableCollection symbols;
    for (BlocksOp blocks : linked)
      replaceLinks(blocks, symbols);
  }

private:
  void replaceLinks(BlocksOp blocks, SymbolTableCollection &symbols) {
    Operation *outer = blocks->getParentOp()->getParentOp();
    auto links = symbols.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(outer, blocks.getLinksAttr());
    BlockOffsets reader(links, findRows(getOperation(), blocks, symbols));
    std::string reason = reader.run();
    FlatSymbolRefAttr name = blocks.removeLinksAttr() ? FlatSymbolRefAttr::get(links) : FlatSymbolRefAttr();
    if (reason.empty() && !SymbolTable::symbolKnownUseEmpty(links, outer))
      reason = "something else refers to the function";
    if (!reason.empty()) {
      blocks.setLinksAttr(name);
      speedRemark(links, "BlockLinks", /*missed=*/true)
          << "block graph '" << blocks.getSymName() << "' runs its links for each block: " << reason;
      return;
    }
    SmallVector<int64_t> numbers;
    for (const BlockOffset &offset : reader.offsets())
      numbers.append(offset.begin(), offset.end());
    blocks.setOffsets(numbers);
    speedRemark(links, "BlockOffsets") << "block graph '" << blocks.getSymName()
                                       << "' has parents at constant offsets: no edges are stored";
    links.erase();
    symbols.invalidateSymbolTable(outer);
    ++numFound;
  }
};

} // namespace
