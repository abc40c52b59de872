// See OfferPoints.h.
#include "OfferPoints.h"

#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/abi/Records.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace cilk2gpu;

/// Returns true if a function of the C or C++ library ends soon, whatever its arguments are. Those that call functions
/// of the program, or that wait, are not known to LLVM or are listed here.
static bool endsSoon(StringRef callee, const llvm::TargetLibraryInfoImpl &library) {
  llvm::LibFunc known;
  return library.getLibFunc(callee, known) && known != llvm::LibFunc_qsort;
}

/// Returns true for a call of an ordinary function that may take long.
static bool isLongCall(Operation &op, const llvm::TargetLibraryInfoImpl &library) {
  if (!isa<LLVM::CallOp, LLVM::InvokeOp>(op))
    return false;
  auto callee = op.getAttrOfType<FlatSymbolRefAttr>("callee");
  if (!callee)
    return true; // a call through a pointer
  StringRef name = callee.getValue();
  return !name.starts_with("__cilk") && !name.starts_with("llvm.") && !endsSoon(name, library);
}

/// Attribute of an operation before which children are offered.
static constexpr StringLiteral kOfferMark = "channel.offers_before";

static bool spawnsIn(Block &block) { return !block.getOps<channel::TryTallocOp>().empty(); }

namespace {

/// The blocks of a kernel that a lane may enter after it has spawned.
class BlocksAfterSpawns {
public:
  explicit BlocksAfterSpawns(LLVM::LLVMFuncOp kernel) {
    SmallVector<Block *> work;
    for (Block &block : kernel.getBody())
      if (spawnsIn(block))
        llvm::append_range(work, block.getSuccessors());
    while (!work.empty()) {
      Block *block = work.pop_back_val();
      if (entered.insert(block).second)
        llvm::append_range(work, block->getSuccessors());
    }
  }

  /// Returns true if a lane may have spawned when it comes to `op`.
  bool isBehindSpawn(Operation &op) const {
    if (entered.contains(op.getBlock()))
      return true;
    return llvm::any_of(op.getBlock()->getOps<channel::TryTallocOp>(),
                        [&](channel::TryTallocOp spawn) { return spawn->isBeforeInBlock(&op); });
  }

private:
  llvm::DenseSet<Block *> entered;
};

} // namespace

/// Calls `found` for the operations of a kernel before which it may take long: calls, and branches to loops.
static void forEachLongPart(LLVM::LLVMFuncOp kernel, llvm::function_ref<void(Operation &)> found) {
  llvm::TargetLibraryInfoImpl library{llvm::Triple()};
  DominanceInfo dominance(kernel);
  std::optional<CFGLoopInfo> loops;
  if (!kernel.getBody().hasOneBlock())
    loops.emplace(dominance.getDomTree(&kernel.getBody()));
  for (Block &block : kernel.getBody()) {
    for (Operation &op : block)
      if (isLongCall(op, library))
        found(op);
    CFGLoop *loop = loops ? loops->getLoopFor(&block) : nullptr;
    bool isOuter = loop && loop->getHeader() == &block && !loop->getParentLoop();
    if (isOuter && llvm::none_of(loop->getBlocks(), [](Block *each) { return spawnsIn(*each); }))
      for (Block *before : block.getPredecessors())
        if (!loop->contains(before))
          found(*before->getTerminator());
  }
}

bool cilk2gpu::mayTakeLong(LLVM::LLVMFuncOp kernel) {
  bool isLong = false;
  forEachLongPart(kernel, [&](Operation &) { isLong = true; });
  return isLong;
}

void cilk2gpu::markOfferPoints(LLVM::LLVMFuncOp kernel) {
  BlocksAfterSpawns after(kernel);
  forEachLongPart(kernel, [&](Operation &op) {
    if (after.isBehindSpawn(op))
      op.setAttr(kOfferMark, UnitAttr::get(op.getContext()));
  });
}

static void createOffer(Operation *point, LoweredBody &body) {
  Location loc = point->getLoc();
  OpBuilder builder(point);
  KernelBuilder code(builder, loc, body);
  Block *before = point->getBlock();
  Block *after = before->splitBlock(point);
  Block *look = builder.createBlock(after), *offer = builder.createBlock(after);
  builder.setInsertionPointToEnd(before);
  Value hungry = code.loadAt(code.pointer(), body.wave, offsetof(abi::Wave, hungry));
  Value none = LLVM::ZeroOp::create(builder, loc, code.pointer());
  Value isKnown = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, hungry, none);
  LLVM::CondBrOp::create(builder, loc, isKnown, look, ValueRange(), after, ValueRange());

  builder.setInsertionPointToEnd(look);
  // Monotonic: the number says nothing about other memory, and must be read at each offer.
  Value waiting = LLVM::LoadOp::create(builder, loc, code.i32(), hungry, /*alignment=*/4, /*isVolatile=*/false,
                                       /*isNonTemporal=*/false, /*isInvariant=*/false, /*isInvariantGroup=*/false,
                                       LLVM::AtomicOrdering::monotonic);
  Value isHungry = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, waiting, code.constant(code.i32(), 0));
  LLVM::CondBrOp::create(builder, loc, isHungry, offer, ValueRange(), after, ValueRange(), std::make_pair(1, 2000));

  builder.setInsertionPointToEnd(offer);
  LLVM::LLVMFuncOp function = body.scope.runtime.get(kOfferName, code.none(), {code.pointer()});
  function.setNoUnwind(true);
  auto call = LLVM::CallOp::create(builder, loc, function, ValueRange(body.wave));
  for (unsigned target = 0; target < body.scope.task->targets.size(); ++target)
    body.extensions.push_back({call,
                               {.inWave = offsetof(abi::Wave, spawns),
                                .entry = target,
                                .inRecord = offsetof(abi::Cursor, next),
                                .isInTable = true}});
  LLVM::BrOp::create(builder, loc, ValueRange(), after);
}

void cilk2gpu::createOffers(LLVM::LLVMFuncOp kernel, LoweredBody &body) {
  SmallVector<Operation *> points;
  kernel.walk([&](Operation *op) {
    if (op->removeDiscardableAttr(kOfferMark))
      points.push_back(op);
  });
  for (Operation *point : points)
    createOffer(point, body);
}
