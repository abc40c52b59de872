// Gives every spawned ordinary function a wrapper task that calls it.
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h"

#include "cilk2gpu/Support/DebugScopes.h"
#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/SourceNames.h"
#include "mlir/IR/Builders.h"

namespace cilk2gpu::cilk {
#define GEN_PASS_DEF_WRAPORDINARYCALLEESPASS
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h.inc"
} // namespace cilk2gpu::cilk

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::cilk;

namespace {

/// Returns the place of a function: that of its code, or of `spawn` for a function of another file.
FileLineColLoc placeOf(LLVM::LLVMFuncOp ordinary, SpawnOp spawn) {
  StringRef file = functionAttribute(ordinary, kPlaceAttr), line;
  std::tie(file, line) = file.rsplit(':');
  unsigned number = 0;
  if (line.getAsInteger(10, number))
    return spawn.getLoc()->findInstanceOf<FileLineColLoc>();
  return FileLineColLoc::get(ordinary.getContext(), file, number, 0);
}

/// Returns the location of an ordinary function, whose code is not in this module: its place, in a debug scope of its
/// own.
Location locationOf(LLVM::LLVMFuncOp ordinary, SpawnOp spawn) {
  FileLineColLoc line = placeOf(ordinary, spawn);
  auto parent = spawn->getParentOfType<LLVM::LLVMFuncOp>();
  auto fused = parent ? parent.getLoc()->findInstanceOf<FusedLocWith<LLVM::DISubprogramAttr>>() : nullptr;
  if (!line || !fused)
    return line ? Location(line) : UnknownLoc::get(ordinary.getContext());
  MLIRContext *context = ordinary.getContext();
  LLVM::DISubprogramAttr around = fused.getMetadata();
  auto file = LLVM::DIFileAttr::get(context, line.getFilename().getValue(), around.getFile().getDirectory());
  auto type = LLVM::DISubroutineTypeAttr::get(context, /*callingConvention=*/0, /*types=*/{});
  auto own = LLVM::DISubprogramAttr::get(context, DistinctAttr::create(UnitAttr::get(context)), around.getCompileUnit(),
                                         file, StringAttr::get(context, sourceName(ordinary.getName())),
                                         /*linkageName=*/StringAttr(), file, line.getLine(), line.getLine(),
                                         around.getSubprogramFlags(), type, /*retainedNodes=*/{}, /*annotations=*/{});
  return FusedLoc::get({line}, own, context);
}

/// Makes a task `name.task` that calls `ordinary` and returns its result. `spawn` is its first spawn.
LLVM::LLVMFuncOp createWrapperTask(LLVM::LLVMFuncOp ordinary, SpawnOp spawn, SymbolTable &symbols) {
  OpBuilder builder(ordinary);
  Location loc = ordinary.isExternal() ? locationOf(ordinary, spawn) : Location(ordinary.getLoc());
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
  makeOwnDebugScope(task);
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
        task = createWrapperTask(callee, spawn, symbols);
        ++numWrapped;
      }
      spawn.setCalleeAttr(FlatSymbolRefAttr::get(task));
    });
  }
};

} // namespace
