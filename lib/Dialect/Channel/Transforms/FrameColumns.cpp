// Lays out frames by field, as in a structure of arrays. The same field of neighbouring frames stands side by side, so
// that neighbouring lanes access contiguous memory. Each frame keeps one address, and its fields are at constant
// distances from it (cilk2gpu/abi/Records.h).
#include "cilk2gpu/Dialect/Analysis/Cuts.h"
#include "cilk2gpu/Dialect/Channel/Transforms/Passes.h"
#include "cilk2gpu/abi/Records.h"

#include "mlir/IR/Builders.h"

namespace cilk2gpu::channel {
#define GEN_PASS_DEF_FRAMECOLUMNSPASS
#include "cilk2gpu/Dialect/Channel/Transforms/Passes.h.inc"
} // namespace cilk2gpu::channel

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::channel;

/// Largest field that gets columns, in bytes. A larger field fills cache lines by itself.
static constexpr uint64_t kWidestField = 64;

namespace {

/// The columns that one field takes, one for each word: the first column and their number.
struct ColumnRange {
  unsigned column, words;

  /// Distance in bytes from the field's base address (placeInColumn) to the field.
  int64_t distance() const { return int64_t(column * abi::kFrameGroup * abi::kFrameColumn); }
};

/// Maps the fields of one kernel's frames to columns. A task's segments share some of the fields. The other fields hold
/// saved lanes.
class ColumnMap {
public:
  /// Adds fields. Returns false if one of `fields` does not fit.
  bool add(ArrayRef<int64_t> fields) {
    for (size_t i = 0; i + 1 < fields.size(); i += 2) {
      if (uint64_t(fields[i + 1]) > kWidestField)
        return false;
      ColumnRange range{numColumns, wordsOf(fields[i + 1])};
      auto [it, isNew] = ranges.try_emplace(fields[i], range);
      if (isNew)
        numColumns += range.words;
      else if (it->second.words != range.words) // two fields have one offset, so one is empty
        return false;
    }
    return true;
  }

  static unsigned wordsOf(uint64_t size) { return std::max<uint64_t>(1, llvm::divideCeil(size, abi::kFrameColumn)); }
  unsigned size() const { return numColumns; }

  /// Returns the columns of the field that was at `offset` before, or nothing if there is no such field.
  std::optional<ColumnRange> rangeOf(int64_t offset) const {
    auto it = ranges.find(offset);
    return it == ranges.end() ? std::nullopt : std::optional(it->second);
  }

private:
  llvm::DenseMap<int64_t, ColumnRange> ranges;
  unsigned numColumns = 0;
};

struct FrameColumnsPass : cilk2gpu::channel::impl::FrameColumnsPassBase<FrameColumnsPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto graph : getOperation().getOps<GraphOp>())
      for (auto frame : graph.getOps<FrameOp>())
        if (layOut(graph, frame, symbols))
          ++numFrames;
  }

  bool layOut(GraphOp graph, FrameOp frame, SymbolTable &symbols);
};

} // namespace

/// Visits the addresses of all fields but the first, and the locals that a lane saves in fields.
static void forEachOffset(LLVM::LLVMFuncOp body, llvm::function_ref<void(Operation *, StringRef, int64_t)> visit) {
  body.walk([&](Operation *op) {
    for (StringRef name : {StringRef(kFrameOffsetAttr), StringRef(kSavedAttr)})
      if (auto offset = op->getAttrOfType<IntegerAttr>(name))
        visit(op, name, offset.getInt());
  });
}

/// Returns true if one run of a kernel may spawn several tasks. If so, many of these tasks exist deep in a recursion.
static bool spawnsMany(LLVM::LLVMFuncOp body) {
  SmallVector<Block *> spawns;
  body.walk([&](TryTallocOp op) { spawns.push_back(op->getBlock()); });
  return spawns.size() > 1 || llvm::any_of(spawns, [](Block *block) {
           return llvm::any_of(block->getSuccessors(),
                               [&](Block *next) { return reachableFrom(next).contains(block); });
         });
}

bool FrameColumnsPass::layOut(GraphOp graph, FrameOp frame, SymbolTable &symbols) {
  std::optional<ArrayRef<int64_t>> shared = frame.getFields();
  if (!shared || shared->empty() || frame.getAlign() > abi::kFrameColumn)
    return false;
  SmallVector<std::pair<LLVM::LLVMFuncOp, ColumnMap>> bodies;
  unsigned columns = 0;
  bool isResumed = false, isWide = false, fits = true;
  for (auto node : graph.getOps<KernelOp>()) {
    if (node.getTaskAttr() != frame.getTaskAttr())
      continue;
    isResumed |= node.getSegment() != 0;
    auto &[body, map] = bodies.emplace_back(symbols.lookup<LLVM::LLVMFuncOp>(node.getBody()), ColumnMap());
    isWide |= spawnsMany(body);
    fits &= map.add(*shared);
    if (auto saved = body->getAttrOfType<DenseI64ArrayAttr>(kSaveFieldsAttr); saved && !saved.empty())
      fits &= map.add(saved.asArrayRef());
    columns = std::max(columns, map.size());
    forEachOffset(body,
                  [&, &map = map](Operation *, StringRef, int64_t offset) { fits &= map.rangeOf(offset).has_value(); });
  }
  // The frame's own address must be the address of its first field, so that field must be a single word at offset 0.
  if (!fits || !isResumed || !isWide || shared->front() != 0 || ColumnMap::wordsOf((*shared)[1]) != 1)
    return false;
  Builder builder(&getContext());
  for (auto &[body, map] : bodies)
    forEachOffset(body, [&, &map = map](Operation *op, StringRef name, int64_t offset) {
      ColumnRange range = *map.rangeOf(offset);
      op->setAttr(name, builder.getI64IntegerAttr(range.distance()));
      if (auto address = dyn_cast<LLVM::GEPOp>(op)) {
        OpBuilder before(op);
        address.setRawConstantIndices({int32_t(range.distance())});
        address.getBaseMutable().set(placeInColumn(before, op->getLoc(), address.getBase(), range.words));
      } else {
        op->setAttr(kSavedWordsAttr, builder.getI64IntegerAttr(range.words));
      }
    });
  SmallVector<int64_t> sizes(columns, 0);
  for (size_t i = 0; i + 1 < shared->size(); i += 2)
    sizes[bodies.front().second.rangeOf((*shared)[i])->column] = (*shared)[i + 1];
  frame.setSize(columns * abi::kFrameColumn);
  frame.setAlign(abi::kFrameColumn);
  frame.setColumns(sizes);
  frame.removeFieldsAttr();
  return true;
}
