// Turns the frontend's marker calls (Markers.h) into cilk operations. The input is in normal form: the markers of a
// spawn stand in one block, with the spawned call and at most the store of its result between them. The parent's copies
// of by-value arguments may come before the call.
#include "cilk2gpu/Conversion/Passes.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/SerialLoops.h"
#include "cilk2gpu/Support/UpdateMarks.h"

#include "cilk2gpu/Support/FunctionAttributes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

namespace cilk2gpu {
#define GEN_PASS_DEF_CONVERTMARKERSTOCILKPASS
#include "cilk2gpu/Conversion/Passes.h.inc"
} // namespace cilk2gpu

using namespace mlir;
using namespace cilk2gpu;

static bool calls(Operation *op, StringRef name) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && call.getCallee() == name;
}

static bool isMarker(Operation *op) {
  return calls(op, kSpawnBeginMarker) || calls(op, kSpawnEndMarker) || calls(op, kSyncMarker);
}

namespace {

/// The operations of one marked spawn.
struct MarkedSpawn {
  LLVM::CallOp begin, call, end;
  LLVM::StoreOp store; ///< null if the result is unused
};

/// Collects the spawn that `begin` starts. Emits an error if it is not in normal form.
FailureOr<MarkedSpawn> collect(LLVM::CallOp begin) {
  MarkedSpawn spawn{begin, {}, {}, {}};
  for (Operation *op = begin->getNextNode(); op; op = op->getNextNode()) {
    if (calls(op, kSpawnEndMarker)) {
      spawn.end = cast<LLVM::CallOp>(op);
      break;
    }
    if (isMarker(op))
      break;
    if (auto call = dyn_cast<LLVM::CallOp>(op)) {
      spawn.call = call;
      spawn.store = {};
    } else if (auto store = dyn_cast<LLVM::StoreOp>(op);
               store && spawn.call && spawn.call->getNumResults() == 1 && store.getValue() == spawn.call.getResult()) {
      spawn.store = store;
    }
  }
  if (!spawn.end || !spawn.call)
    return begin->emitError("a spawn's begin marker must be followed by the spawned call and its end marker in one "
                            "block; control flow was found in between");
  if (!spawn.call.getCallee())
    return spawn.call->emitError("a spawned call must name its callee; found a call through a pointer");
  Operation *last = spawn.store ? spawn.store.getOperation() : spawn.call.getOperation();
  if (last->getNextNode() != spawn.end)
    return spawn.call->emitError("only the store of its result may follow a spawned call before the end marker");
  return spawn;
}

/// Returns true if the function is a task: it contains markers, or the import marked it (`cilk2gpu-task`).
bool isCilkFunction(LLVM::LLVMFuncOp func) {
  bool found = hasFunctionAttribute(func, kTaskFunctionAttr);
  func.walk([&](Operation *op) { found |= isMarker(op); });
  return found && func.getName() != "main";
}

/// llvm.atomicrmw add %x, %v monotonic -> the same operation with {cilk.update}, in a task that was made from `x +=
/// spawn f()`
void markUpdate(LLVM::LLVMFuncOp func) {
  SmallVector<LLVM::AtomicRMWOp> updates;
  func.walk([&](LLVM::AtomicRMWOp op) { updates.push_back(op); });
  if (updates.size() == 1 && updates[0]->use_empty())
    updates[0]->setAttr(cilk::kUpdateAttr, UnitAttr::get(func.getContext()));
}

/// Returns the name of the elision that the import made for `func`, or an empty string.
StringRef elisionOf(LLVM::LLVMFuncOp func) {
  if (ArrayAttr passthrough = func.getPassthroughAttr())
    for (Attribute attr : passthrough)
      if (auto pair = dyn_cast<ArrayAttr>(attr); pair && cast<StringAttr>(pair[0]).getValue() == kElisionFunctionAttr)
        return cast<StringAttr>(pair[1]).getValue();
  return "";
}

/// Replaces each marked spawn by cilk.spawn, and each sync marker by cilk.sync.
LogicalResult convertMarkers(LLVM::LLVMFuncOp func) {
  SmallVector<LLVM::CallOp> begins;
  SmallVector<Operation *> syncs;
  func.walk([&](LLVM::CallOp call) {
    if (calls(call, kSpawnBeginMarker))
      begins.push_back(call);
    else if (calls(call, kSyncMarker))
      syncs.push_back(call);
  });
  for (LLVM::CallOp begin : begins) {
    FailureOr<MarkedSpawn> spawn = collect(begin);
    if (failed(spawn))
      return failure();
    OpBuilder builder(spawn->call);
    TypeAttr result = spawn->call->getNumResults() ? TypeAttr::get(spawn->call.getResult().getType()) : TypeAttr();
    cilk::SpawnOp::create(builder, spawn->call.getLoc(), spawn->call.getCalleeAttr(), spawn->call.getArgOperands(),
                          spawn->store ? spawn->store.getAddr() : Value(), result);
    if (spawn->store)
      spawn->store.erase();
    spawn->call.erase();
    spawn->begin.erase();
    spawn->end.erase();
  }
  for (Operation *sync : syncs) {
    OpBuilder builder(sync);
    cilk::SyncOp::create(builder, sync->getLoc());
    sync->erase();
  }
  return success();
}

struct ConvertMarkersToCilkPass : cilk2gpu::impl::ConvertMarkersToCilkPassBase<ConvertMarkersToCilkPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      if (isCilkFunction(func))
        func->setAttr(cilk::kTaskAttr, UnitAttr::get(&getContext()));
      if (StringRef elision = elisionOf(func); !elision.empty() && cilk::isTask(func))
        func->setAttr(cilk::kElisionAttr, FlatSymbolRefAttr::get(&getContext(), elision));
      if (hasFunctionAttribute(func, kUpdateFunctionAttr))
        markUpdate(func);
      if (failed(convertMarkers(func)))
        return signalPassFailure();
    }
    convertCalls(symbols);
    for (StringRef name : {kSpawnBeginMarker, kSpawnEndMarker, kSyncMarker})
      if (Operation *declaration = symbols.lookup(name))
        declaration->erase();
  }

  /// Converts plain calls. In a task, a plain call of a task waits, and cuts the calling function. The loop that a
  /// cilk_for's task calls for its iterations has no children.
  void convertCalls(SymbolTable &symbols) {
    getOperation().walk([&](LLVM::CallOp call) {
      auto callee = call.getCallee() ? symbols.lookup<LLVM::LLVMFuncOp>(*call.getCallee()) : LLVM::LLVMFuncOp();
      if (!callee || !cilk::isTask(callee) || !functionAttribute(callee, kSerialLoopAttr).empty() ||
          !cilk::isTask(call->getParentOfType<LLVM::LLVMFuncOp>()))
        return;
      OpBuilder builder(call);
      auto wait = cilk::CallOp::create(builder, call.getLoc(), call.getResultTypes(), call.getCalleeAttr(),
                                       call.getArgOperands());
      call->replaceAllUsesWith(wait->getResults());
      call.erase();
    });
  }
};

} // namespace
