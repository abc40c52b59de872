// Splits a kernel into a function for fresh lanes and a function for lanes that restart. In one function, a switch at
// the start would give loops two entries, and each value that lives at a site two definitions. Two functions are
// simpler for LLVM: the fresh form has no restarts, and the restart form has no code that only runs before the sites.
// Restarts are rare, so the restart form is made small: values that would be saved and restored at every site stay in
// the frame.
#include "RestartForm.h"

#include "cilk2gpu/Dialect/Analysis/Cuts.h"
#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "cilk2gpu/Support/DebugScopes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace cilk2gpu;

/// Returns the switch to the sites at the start of a resumable kernel.
static LLVM::SwitchOp siteSwitch(LLVM::LLVMFuncOp kernel) {
  auto sites = dyn_cast<LLVM::SwitchOp>(kernel.getBody().front().getTerminator());
  auto site = sites ? sites.getValue().getDefiningOp<channel::SiteOp>() : channel::SiteOp();
  return site && site->hasOneUse() ? sites : LLVM::SwitchOp();
}

static void dropUnreachable(LLVM::LLVMFuncOp func) {
  IRRewriter rewriter(func.getContext());
  (void)eraseUnreachableBlocks(rewriter, func->getRegions());
}

// switch site [...], ^fresh -> br ^fresh
static void makeFresh(LLVM::LLVMFuncOp kernel, LLVM::SwitchOp sites) {
  OpBuilder builder(sites);
  Operation *site = sites.getValue().getDefiningOp();
  LLVM::BrOp::create(builder, sites.getLoc(), sites.getDefaultOperands(), sites.getDefaultDestination());
  sites.erase();
  site->erase();
  dropUnreachable(kernel);
}

// switch site [...], ^fresh -> switch site [...], ^unreachable
static void dropFreshStart(LLVM::LLVMFuncOp kernel, LLVM::SwitchOp sites) {
  OpBuilder builder(kernel.getContext());
  Block *never = builder.createBlock(&kernel.getBody(), kernel.getBody().end());
  LLVM::UnreachableOp::create(builder, sites.getLoc());
  sites.getDefaultOperandsMutable().clear();
  sites->setSuccessor(never, 0);
  dropUnreachable(kernel);
}

/// Replaces `slot`, the local that holds the frame. A lane that restarts has its frame from the start.
static void replaceFrameSlot(LLVM::AllocaOp slot, Value frame) {
  for (Operation *user : llvm::make_early_inc_range(slot->getUsers())) {
    if (user->getNumResults()) { // else a store
      for (Operation *use : llvm::make_early_inc_range(user->getUsers()))
        if (auto test = dyn_cast<LLVM::ICmpOp>(use);
            test && test.getPredicate() == LLVM::ICmpPredicate::eq && test.getRhs().getDefiningOp<LLVM::ZeroOp>()) {
          OpBuilder builder(test);
          test.replaceAllUsesWith(
              LLVM::ConstantOp::create(builder, test.getLoc(), builder.getBoolAttr(false)).getResult());
          test.erase();
        }
      user->replaceAllUsesWith(ValueRange(frame));
    }
    user->erase();
  }
  slot.erase();
}

/// Erases a copy between a local variable and the field in which it is saved, with loads that only serve the copy.
static void eraseCopy(Operation *copy) {
  SmallVector<Value> operands(copy->getOperands());
  copy->erase();
  for (Value operand : operands)
    if (Operation *source = operand.getDefiningOp(); source && isOpTriviallyDead(source))
      source->erase();
}

/// Returns the number of words of the field in which a local is saved (channel-frame-columns).
static uint64_t wordsOf(LLVM::AllocaOp local) {
  auto words = local->getAttrOfType<IntegerAttr>(channel::kSavedWordsAttr);
  return words ? words.getInt() : 1;
}

static void keepLocalsInFrame(LLVM::LLVMFuncOp kernel) {
  Block &entry = kernel.getBody().front();
  OpBuilder builder(entry.getTerminator());
  SmallVector<channel::RestartedFrameOp> frames;
  SmallVector<Operation *> copies;
  kernel.walk([&](Operation *op) {
    if (auto frame = dyn_cast<channel::RestartedFrameOp>(op))
      frames.push_back(frame);
    else if (op->hasAttr(channel::kSavesAttr))
      copies.push_back(op);
  });
  Value frame =
      channel::RestartedFrameOp::create(builder, kernel.getLoc(), LLVM::LLVMPointerType::get(builder.getContext()));
  for (channel::RestartedFrameOp other : frames) {
    other.replaceAllUsesWith(frame);
    other.erase();
  }
  for (Operation *copy : copies)
    eraseCopy(copy);
  for (auto local : llvm::to_vector(entry.getOps<LLVM::AllocaOp>()))
    if (auto offset = local->getAttrOfType<IntegerAttr>(channel::kSavedAttr))
      moveToFrame(local, frame, offset.getInt(), wordsOf(local));
    else if (local->hasAttr(channel::kHoldsFrameAttr))
      replaceFrameSlot(local, frame);
}

LLVM::LLVMFuncOp cilk2gpu::splitRestarts(LLVM::LLVMFuncOp kernel, OpBuilder &builder) {
  if (!siteSwitch(kernel))
    return {};
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(kernel);
  auto restarts = cast<LLVM::LLVMFuncOp>(builder.clone(*kernel));
  restarts.setName((kernel.getName() + ".restart").str());
  makeOwnDebugScope(restarts);
  makeFresh(kernel, siteSwitch(kernel));
  dropFreshStart(restarts, siteSwitch(restarts));
  keepLocalsInFrame(restarts);
  return restarts;
}
