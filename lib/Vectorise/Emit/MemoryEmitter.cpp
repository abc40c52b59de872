// See MemoryEmitter.h.
#include "MemoryEmitter.h"

#include "Vectorise/Analysis/Elementwise.h"
#include "cilk2gpu/Support/Displacement.h"
#include "cilk2gpu/Support/TypeSizes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cilk2gpu;

/// Emits a lane's local variable: one for each lane of a vector, laid out by lane or one variable after the other.
void MemoryEmitter::emitAlloca(LLVM::AllocaOp op) {
  if (privates.emitPrivateAlloca(op))
    return;
  Location loc = op.getLoc();
  APInt count;
  matchPattern(op.getArraySize(), m_ConstantInt(&count));
  auto type = LLVM::LLVMArrayType::get(op.getElemType(), count.getZExtValue());
  unsigned align = std::max<unsigned>(op.getAlignment().value_or(1), dataLayout.getTypeABIAlignment(type));
  uint64_t size = llvm::alignTo(storeSize(dataLayout, type), align);
  Value variables = createAlloca(loc, LLVM::LLVMArrayType::get(builder.getI8Type(), size), length, align);
  define(op, offset(loc, variables, laneNumbers(loc, builder.getI64Type()), size));
}

void MemoryEmitter::emitLoad(LLVM::LoadOp op) {
  Location loc = op.getLoc();
  if (LaneAddress address = privates.laneAddressOf(op.getAddr()))
    return define(op, privates.loadPrivate(loc, op.getType(), address));
  if (!varies(op.getAddr())) {
    IRMapping mapping;
    mapping.map(op.getAddr(), scalar(op.getAddr()));
    return define(op, builder.clone(*op, mapping)->getResult(0));
  }
  if (rows.emitLoad(op))
    return;
  if (Value loaded = frames.loadFromFrames(op))
    return define(op, loaded);
  define(op, laneMemory.gather(loc, op.getType(), scalar(op.getAddr()), mask,
                               alignmentOf(op.getAlignment(), dataLayout, op.getType())));
}

void MemoryEmitter::emitStore(LLVM::StoreOp op) {
  Location loc = op.getLoc();
  if (LaneAddress address = privates.laneAddressOf(op.getAddr()))
    return privates.storePrivate(loc, vector(op.getValue()), address);
  if (!varies(op.getAddr()) && !varies(op.getValue())) {
    IRMapping mapping;
    mapping.map(op.getAddr(), scalar(op.getAddr()));
    mapping.map(op.getValue(), scalar(op.getValue()));
    builder.clone(*op, mapping);
    return;
  }
  if (rows.emitStore(op) || frames.storeToFrames(op) || storeJoined(op))
    return;
  unsigned align = alignmentOf(op.getAlignment(), dataLayout, op.getValue().getType());
  laneMemory.scatter(loc, vector(op.getValue()), vector(op.getAddr()), mask, align);
}

/// Returns the address from which `address` is at a constant distance, and the distance.
static std::pair<Value, int64_t> baseOf(Value address, const DataLayout &dataLayout) {
  int64_t distance = 0;
  while (auto gep = address.getDefiningOp<LLVM::GEPOp>()) {
    std::optional<SmallVector<AddressTerm>> terms = displacement(gep, dataLayout);
    if (!terms || llvm::any_of(*terms, [](const AddressTerm &term) { return bool(term.index); }))
      break;
    for (const AddressTerm &term : *terms)
      distance += term.stride;
    address = gep.getBase();
  }
  return {address, distance};
}

/// Returns the store to the word behind the word of `op`, if nothing between the two stores accesses memory; else null.
LLVM::StoreOp MemoryEmitter::nextWord(LLVM::StoreOp op) const {
  auto isWord = [&](LLVM::StoreOp store) {
    Type type = store.getValue().getType();
    return (type.isInteger(64) || type.isF64() || isa<LLVM::LLVMPointerType>(type)) && varies(store.getAddr()) &&
           !store.getVolatile_() && store.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  };
  if (!isWord(op))
    return {};
  Operation *next = op->getNextNode();
  while (isElementwise(next) || isa<LLVM::GEPOp, LLVM::ConstantOp>(next))
    next = next->getNextNode();
  auto store = dyn_cast<LLVM::StoreOp>(next);
  if (!store || !isWord(store) || frames.framePartOf(store.getAddr(), /*size=*/8, /*isStore=*/true))
    return {};
  auto [base, distance] = baseOf(op.getAddr(), dataLayout);
  auto [nextBase, nextDistance] = baseOf(store.getAddr(), dataLayout);
  return base == nextBase && nextDistance == distance + 8 ? store : LLVM::StoreOp();
}

/// Emits a store of a word together with stores of neighbouring words, or to a word of a frame's field. Returns false
/// if `op` is no such store.
bool MemoryEmitter::storeJoined(LLVM::StoreOp op) {
  if (!hasMasks())
    return false;
  bool isMore = bool(nextWord(op));
  if (isMore || !joined.empty())
    joined.push_back(op);
  if (isMore)
    return true;
  SmallVector<LLVM::StoreOp> stores = std::exchange(joined, {});
  if (stores.empty())
    stores.push_back(op);
  Location loc = op.getLoc();
  FramePart part = frames.framePartOf(stores.front().getAddr(), /*size=*/8, /*isStore=*/false);
  bool inFrames = part && part.words > 1;
  if (!inFrames && stores.size() == 1)
    return false;
  if (storeSize(dataLayout, op.getValue().getType()) != 8)
    return false;
  Value pointers = vector(stores.front().getAddr());
  auto words =
      llvm::map_to_vector(stores, [&](LLVM::StoreOp store) { return integers(loc, vector(store.getValue())); });
  if (inFrames)
    whereElse(
        loc, part.run->holds, [&] { frames.storeWords(loc, words, part); },
        [&] { laneMemory.scatterWords(loc, words, pointers, mask); });
  else
    laneMemory.scatterWords(loc, words, pointers, mask);
  return true;
}
