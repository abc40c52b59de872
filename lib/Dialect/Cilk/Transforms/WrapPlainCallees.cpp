// Gives every spawned function that is not a Cilk function a task that calls it.
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h"

#include "cilk2gpu/Frontend/Markers.h"
#include "mlir/IR/Builders.h"

namespace cilk2gpu::cilk {
#define GEN_PASS_DEF_WRAPPLAINCALLEESPASS
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h.inc"
} // namespace cilk2gpu::cilk

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::cilk;

namespace {

/// A task `name.task` that calls `plain` and returns what it returns.
LLVM::LLVMFuncOp createLeafTask(LLVM::LLVMFuncOp plain, SymbolTable &symbols) {
  OpBuilder builder(plain);
  // The plain function's line, without its debug scope: that belongs to one function, or to a mere declaration.
  Location loc = UnknownLoc::get(plain.getContext());
  if (auto line = plain.getLoc()->findInstanceOf<FileLineColLoc>())
    loc = line;
  auto task = LLVM::LLVMFuncOp::create(builder, loc, (plain.getName() + ".task").str(), plain.getFunctionType(),
                                       LLVM::Linkage::Internal);
  symbols.insert(task);
  task.setArgAttrsAttr(plain.getArgAttrsAttr());
  task.setResAttrsAttr(plain.getResAttrsAttr());
  task.setPassthroughAttr(builder.getArrayAttr(builder.getStrArrayAttr({kOriginAttr, plain.getName()})));
  task->setAttr(kTaskAttr, builder.getUnitAttr());
  task->setAttr(kLeafAttr, FlatSymbolRefAttr::get(plain));
  Block *entry = task.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  auto call = LLVM::CallOp::create(builder, loc, plain, entry->getArguments());
  call.setCConv(plain.getCConv());
  call.setArgAttrsAttr(plain.getArgAttrsAttr());
  call.setResAttrsAttr(plain.getResAttrsAttr());
  LLVM::ReturnOp::create(builder, loc, call.getResults());
  return task;
}

struct WrapPlainCalleesPass : cilk2gpu::cilk::impl::WrapPlainCalleesPassBase<WrapPlainCalleesPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    llvm::DenseMap<Operation *, LLVM::LLVMFuncOp> tasks;
    getOperation().walk([&](SpawnOp spawn) {
      auto callee = symbols.lookup<LLVM::LLVMFuncOp>(spawn.getCallee());
      if (isTask(callee))
        return;
      LLVM::LLVMFuncOp &task = tasks[callee];
      if (!task) {
        task = createLeafTask(callee, symbols);
        ++numWrapped;
      }
      spawn.setCalleeAttr(FlatSymbolRefAttr::get(task));
    });
  }
};

} // namespace
