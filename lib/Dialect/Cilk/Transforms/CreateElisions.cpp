// Makes the serial elision of every Cilk function: spawns become calls, syncs disappear.
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h"
#include "cilk2gpu/Support/DebugScopes.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/Members.h"

#include "mlir/IR/Builders.h"

namespace cilk2gpu::cilk {
#define GEN_PASS_DEF_CREATEELISIONSPASS
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h.inc"
} // namespace cilk2gpu::cilk

using namespace mlir;
using namespace cilk2gpu::cilk;

namespace {

/// Returns the function that an elision calls for a task: the ordinary function that a wrapper task calls, else the
/// task's own elision.
LLVM::LLVMFuncOp calleeInElision(LLVM::LLVMFuncOp task, SymbolTable &symbols) {
  for (StringRef name : {kWrapsAttr, kElisionAttr})
    if (auto ref = task->getAttrOfType<FlatSymbolRefAttr>(name))
      return symbols.lookup<LLVM::LLVMFuncOp>(ref.getValue());
  return task;
}

LLVM::CallOp createCall(OpBuilder &builder, Location loc, LLVM::LLVMFuncOp callee, ValueRange args) {
  auto call = LLVM::CallOp::create(builder, loc, callee, args);
  call.setCConv(callee.getCConv());
  call.setArgAttrsAttr(callee.getArgAttrsAttr());
  call.setResAttrsAttr(callee.getResAttrsAttr());
  return call;
}

/// Makes the elision run an ordered task as soon as it is created.
void runAtOnce(LLVM::CallOp add, SymbolTable &symbols) {
  if (!symbols.lookup(cilk2gpu::kDependAddInElision)) {
    LLVM::LLVMFuncOp declaration = symbols.lookup<LLVM::LLVMFuncOp>(*add.getCallee()).clone();
    declaration.setName(cilk2gpu::kDependAddInElision);
    symbols.insert(declaration);
  }
  add.setCallee(StringRef(cilk2gpu::kDependAddInElision));
}

void elide(LLVM::LLVMFuncOp func, SymbolTable &symbols) {
  func.walk([&](Operation *op) {
    OpBuilder builder(op);
    if (auto add = dyn_cast<LLVM::CallOp>(op); add && add.getCallee() == StringRef(cilk2gpu::kDependAdd))
      return runAtOnce(add, symbols);
    if (auto spawn = dyn_cast<SpawnOp>(op)) {
      auto callee = calleeInElision(symbols.lookup<LLVM::LLVMFuncOp>(spawn.getCallee()), symbols);
      LLVM::CallOp call = createCall(builder, op->getLoc(), callee, spawn.getArgs());
      if (spawn.getDest())
        cilk2gpu::storeResult(builder, op->getLoc(), call.getResult(), spawn.getDest(), /*alignment=*/1);
      op->erase();
    } else if (auto wait = dyn_cast<CallOp>(op)) {
      auto callee = calleeInElision(symbols.lookup<LLVM::LLVMFuncOp>(wait.getCallee()), symbols);
      LLVM::CallOp call = createCall(builder, op->getLoc(), callee, wait.getArgs());
      op->replaceAllUsesWith(call.getResults());
      op->erase();
    } else if (isa<SyncOp>(op)) {
      op->erase();
    }
  });
}

struct CreateElisionsPass : cilk2gpu::cilk::impl::CreateElisionsPassBase<CreateElisionsPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<LLVM::LLVMFuncOp> elisions;
    for (auto func : llvm::to_vector(getOperation().getOps<LLVM::LLVMFuncOp>())) {
      if (!isTask(func) || func->hasAttr(kWrapsAttr) || func->hasAttr(kElisionAttr) || func.isExternal())
        continue;
      LLVM::LLVMFuncOp elision = func.clone();
      elision.setName((func.getName() + ".serial").str());
      elision.setLinkage(LLVM::Linkage::Internal);
      elision->removeAttr(kTaskAttr);
      elision.removeComdatAttr();
      elision.setVisibility_(LLVM::Visibility::Default);
      symbols.insert(elision, std::next(func->getIterator()));
      cilk2gpu::makeOwnDebugScope(elision);
      func->setAttr(kElisionAttr, FlatSymbolRefAttr::get(elision));
      elisions.push_back(elision);
    }
    for (LLVM::LLVMFuncOp func : elisions)
      elide(func, symbols);
  }
};

} // namespace
