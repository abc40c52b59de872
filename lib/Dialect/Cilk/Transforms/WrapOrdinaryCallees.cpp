// Gives every spawned ordinary function a wrapper task that calls it.
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h"

#include "cilk2gpu/Support/Markers.h"
#include "mlir/IR/Builders.h"

namespace cilk2gpu::cilk {
#define GEN_PASS_DEF_WRAPORDINARYCALLEESPASS
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h.inc"
} // namespace cilk2gpu::cilk

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::cilk;

namespace {

/// Makes a task `name.task` that calls `ordinary` and returns its result.
LLVM::LLVMFuncOp createWrapperTask(LLVM::LLVMFuncOp ordinary, SymbolTable &symbols) {
  OpBuilder builder(ordinary);
  // The task has the ordinary function's line, but not its debug scope, because a scope belongs to a single function.
  Location loc = UnknownLoc::get(ordinary.getContext());
  if (auto line = ordinary.getLoc()->findInstanceOf<FileLineColLoc>())
    loc = line;
  auto task = LLVM::LLVMFuncOp::create(builder, loc, (ordinary.getName() + ".task").str(), ordinary.getFunctionType(),
                                       LLVM::Linkage::Internal);
  symbols.insert(task);
  task.setArgAttrsAttr(ordinary.getArgAttrsAttr());
  task.setResAttrsAttr(ordinary.getResAttrsAttr());
  task.setPassthroughAttr(builder.getArrayAttr(builder.getStrArrayAttr({kOriginAttr, ordinary.getName()})));
  task->setAttr(kTaskAttr, builder.getUnitAttr());
  task->setAttr(kWrapsAttr, FlatSymbolRefAttr::get(ordinary));
  Block *entry = task.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  auto call = LLVM::CallOp::create(builder, loc, ordinary, entry->getArguments());
  call.setCConv(ordinary.getCConv());
  call.setArgAttrsAttr(ordinary.getArgAttrsAttr());
  call.setResAttrsAttr(ordinary.getResAttrsAttr());
  LLVM::ReturnOp::create(builder, loc, call.getResults());
  return task;
}

struct WrapOrdinaryCalleesPass : cilk2gpu::cilk::impl::WrapOrdinaryCalleesPassBase<WrapOrdinaryCalleesPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    llvm::DenseMap<Operation *, LLVM::LLVMFuncOp> tasks;
    getOperation().walk([&](SpawnOp spawn) {
      auto callee = symbols.lookup<LLVM::LLVMFuncOp>(spawn.getCallee());
      if (isTask(callee))
        return;
      LLVM::LLVMFuncOp &task = tasks[callee];
      if (!task) {
        task = createWrapperTask(callee, symbols);
        ++numWrapped;
      }
      spawn.setCalleeAttr(FlatSymbolRefAttr::get(task));
    });
  }
};

} // namespace
