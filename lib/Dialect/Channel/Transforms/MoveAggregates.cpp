// Copies large aggregates from memory to memory instead of loading and storing them.
#include "MemoryKept.h"

#include "cilk2gpu/Dialect/Analysis/Cuts.h"
#include "cilk2gpu/Dialect/Channel/Transforms/Passes.h"
#include "cilk2gpu/Support/TypeSizes.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace cilk2gpu::channel {
#define GEN_PASS_DEF_MOVEAGGREGATESPASS
#include "cilk2gpu/Dialect/Channel/Transforms/Passes.h.inc"
} // namespace cilk2gpu::channel

using namespace mlir;
using namespace cilk2gpu;

/// Size in bytes up to which values are left alone. For a larger value, LLVM's split into members costs more compile
/// time than the program gains.
static constexpr uint64_t kLarge = 256;

static bool isPlain(LLVM::LoadOp load) {
  return !load.getVolatile_() && load.getOrdering() == LLVM::AtomicOrdering::not_atomic;
}

/// Returns the stores of `load`'s value if the value has no other uses, else an empty list.
static SmallVector<LLVM::StoreOp> storesOf(LLVM::LoadOp load) {
  SmallVector<LLVM::StoreOp> stores;
  for (OpOperand &use : load.getResult().getUses()) {
    auto store = dyn_cast<LLVM::StoreOp>(use.getOwner());
    if (!store || store.getAddr() == load.getResult() || store.getVolatile_() ||
        store.getOrdering() != LLVM::AtomicOrdering::not_atomic)
      return {};
    stores.push_back(store);
  }
  return stores;
}

namespace {

struct MoveAggregatesPass : cilk2gpu::channel::impl::MoveAggregatesPassBase<MoveAggregatesPass> {
  void runOnOperation() override {
    dataLayout.emplace(getOperation());
    SmallVector<LLVM::LoadOp> loads;
    getOperation().walk([&](LLVM::LoadOp load) {
      if (isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(load.getType()) && isPlain(load) && size(load) > kLarge)
        loads.push_back(load);
    });
    for (LLVM::LoadOp load : loads)
      if (SmallVector<LLVM::StoreOp> stores = storesOf(load); !stores.empty())
        move(load, stores);
  }

private:
  uint64_t size(LLVM::LoadOp load) { return storeSize(*dataLayout, load.getType()); }

  void copy(OpBuilder &builder, LLVM::LoadOp load, Value to, Value from) {
    Value bytes =
        LLVM::ConstantOp::create(builder, load.getLoc(), builder.getI64Type(), builder.getI64IntegerAttr(size(load)));
    LLVM::MemmoveOp::create(builder, load.getLoc(), to, from, bytes, /*isVolatile=*/false);
  }

  void move(LLVM::LoadOp load, ArrayRef<LLVM::StoreOp> stores) {
    Value from = load.getAddr();
    OpBuilder builder(load);
    if (!llvm::all_of(stores,
                      [&](LLVM::StoreOp store) { return stores.size() == 1 && channel::isMemoryKept(load, store); })) {
      auto function = load->getParentOfType<LLVM::LLVMFuncOp>();
      from = createLocal(function.getBody().front(), load.getType(), load.getLoc());
      copy(builder, load, from, load.getAddr());
    }
    for (LLVM::StoreOp store : stores) {
      builder.setInsertionPoint(store);
      copy(builder, load, store.getAddr(), from);
      store.erase();
    }
    load.erase();
    ++numMoved;
  }

  std::optional<DataLayout> dataLayout;
};

} // namespace
