// See Updates.h.
#include "Updates.h"

#include "cilk2gpu/Support/UpdateMarks.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cilk2gpu::cilk;

/// Fills in the call of f: cilk.call, or the spawn, sync and load that cilk-lower-calls has made of it. Returns false
/// if the task does more than that.
static bool findCall(Block &body, Update &found) {
  SpawnOp spawn;
  for (Operation &op : body) {
    if (auto call = dyn_cast<CallOp>(op); call && !found.call && call.getResult()) {
      found = {call, call.getCalleeAttr(), call.getArgs(), call.getResult(), found.update, {}};
    } else if (auto inner = dyn_cast<SpawnOp>(op); inner && !found.call && inner.getDest()) {
      spawn = inner;
      found = {inner, inner.getCalleeAttr(), inner.getArgs(), {}, found.update, {}};
    } else if (auto load = dyn_cast<LLVM::LoadOp>(op); load && spawn && load.getAddr() == spawn.getDest()) {
      found.result = load;
    } else if (auto update = dyn_cast<LLVM::AtomicRMWOp>(op); update && update->hasAttr(kUpdateAttr)) {
      found.update = update;
    } else if (!isa<LLVM::ReturnOp, SyncOp, LLVM::AllocaOp>(op) && !isMemoryEffectFree(&op)) {
      return false;
    }
  }
  return found.result && found.update;
}

std::optional<Update> cilk2gpu::cilk::updateOf(SpawnOp spawn, SymbolTable &symbols) {
  auto task = symbols.lookup<LLVM::LLVMFuncOp>(spawn.getCallee());
  if (spawn.getDest() || !task || !llvm::hasSingleElement(task.getBody()))
    return {};
  Update found{};
  if (!findCall(task.getBody().front(), found))
    return {};
  auto object = dyn_cast<BlockArgument>(found.update.getPtr());
  if (!object || !object.hasOneUse())
    return {};
  found.object = spawn.getArgs()[object.getArgNumber()];
  return found;
}

SmallVector<Value> cilk2gpu::cilk::copyToParent(ValueRange values, SpawnOp spawn, IRMapping &mapping,
                                                OpBuilder &builder) {
  SmallVector<Value> copies;
  for (Value value : values) {
    if (!mapping.contains(value)) {
      if (auto parameter = dyn_cast<BlockArgument>(value)) {
        mapping.map(value, spawn.getArgs()[parameter.getArgNumber()]);
      } else {
        Operation *op = value.getDefiningOp();
        copyToParent(op->getOperands(), spawn, mapping, builder);
        builder.clone(*op, mapping)->setLoc(spawn.getLoc()); // a place in the parent
      }
    }
    copies.push_back(mapping.lookup(value));
  }
  return copies;
}

bool cilk2gpu::cilk::keepsAddress(OpOperand &use, SymbolTable &symbols) {
  Operation *user = use.getOwner();
  if (auto store = dyn_cast<LLVM::StoreOp>(user))
    return store.getValue() != use.get();
  auto spawn = dyn_cast<SpawnOp>(user);
  if (!spawn)
    return isa<LLVM::LoadOp>(user);
  std::optional<Update> update = updateOf(spawn, symbols);
  return llvm::count(spawn.getArgs(), use.get()) == (update && update->object == use.get());
}
