// Demotion of values that live across cuts, frame offsets and address rewrites. See Cuts.h.
#include "cilk2gpu/Dialect/Analysis/Cuts.h"
#include "cilk2gpu/Support/TypeSizes.h"
#include "cilk2gpu/abi/Records.h"

#include "mlir/Analysis/Liveness.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cilk2gpu;

BlockSet cilk2gpu::reachableFrom(Block *from, const BlockSet &stops) {
  BlockSet seen;
  SmallVector<Block *> work{from};
  while (!work.empty()) {
    Block *block = work.pop_back_val();
    if (seen.insert(block).second && !stops.contains(block))
      llvm::append_range(work, block->getSuccessors());
  }
  return seen;
}

static bool isStatic(LLVM::AllocaOp op) { return matchPattern(op.getArraySize(), m_Constant()); }

SmallVector<LLVM::AllocaOp> cilk2gpu::staticAllocas(LLVM::LLVMFuncOp func) {
  SmallVector<LLVM::AllocaOp> locals;
  for (auto op : func.getBody().front().getOps<LLVM::AllocaOp>())
    if (isStatic(op))
      locals.push_back(op);
  return locals;
}

LLVM::AllocaOp cilk2gpu::createLocal(Block &entry, Type type, Location loc, unsigned align) {
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  Value one = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), builder.getI32IntegerAttr(1));
  return LLVM::AllocaOp::create(builder, loc, LLVM::LLVMPointerType::get(type.getContext()), type, one, align);
}

//===-- Demotion --------------------------------------------------------------------------------------------------===//

/// Returns true if `value` is cheap to compute again at each use: a constant, or a constant offset from a local or
/// `frame`. The number of a handler's type differs from one function to another, so it must be computed again.
static bool isCheap(Value value, Value frame) {
  if (value == frame)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (auto local = dyn_cast<LLVM::AllocaOp>(op))
    return isStatic(local) && local->getBlock()->isEntryBlock();
  if (isa<LLVM::ConstantOp, LLVM::AddressOfOp, LLVM::ZeroOp, LLVM::UndefOp, LLVM::PoisonOp, LLVM::EhTypeidForOp>(op))
    return true;
  if (auto gep = dyn_cast<LLVM::GEPOp>(op))
    return gep.getDynamicIndices().empty() && isCheap(gep.getBase(), frame);
  return false;
}

/// Clones the computation of a cheap value before `user`. Allocas and the frame itself are not cloned.
static Value recompute(Value value, Value frame, Operation *user) {
  if (value == frame || value.getDefiningOp<LLVM::AllocaOp>())
    return value;
  OpBuilder builder(user);
  IRMapping mapping;
  if (auto gep = value.getDefiningOp<LLVM::GEPOp>())
    mapping.map(gep.getBase(), recompute(gep.getBase(), frame, user));
  if (auto number = value.getDefiningOp<LLVM::EhTypeidForOp>())
    mapping.map(number->getOperand(0), recompute(number->getOperand(0), frame, user));
  return builder.clone(*value.getDefiningOp(), mapping)->getResult(0);
}

/// Replaces each use of `value` outside its own block by a copy of its computation.
static void recomputeAtUses(Value value, Value frame) {
  for (OpOperand &use : llvm::make_early_inc_range(value.getUses()))
    if (use.getOwner()->getBlock() != value.getParentBlock())
      use.set(recompute(value, frame, use.getOwner()));
}

/// Makes a new block on the edge from an invoke to its normal destination.
static Block *splitNormalEdge(LLVM::InvokeOp invoke) {
  OpBuilder builder(invoke.getContext());
  Block *dest = invoke.getNormalDest();
  Block *edge = builder.createBlock(dest);
  LLVM::BrOp::create(builder, invoke.getLoc(), invoke.getNormalDestOperands(), dest);
  invoke.getNormalDestOperandsMutable().clear();
  invoke->setSuccessor(edge, 0);
  return edge;
}

/// Sets the insertion point to the start of the block, or behind its landing pad if it begins with one.
static void setInsertionPointToStart(OpBuilder &builder, Block *block) {
  builder.setInsertionPointToStart(block);
  if (isa<LLVM::LandingpadOp>(block->front()))
    builder.setInsertionPointAfter(&block->front());
}

/// Stores `value` in a local and loads it at its uses. A bool takes a byte in memory, which vectors can load.
static LLVM::AllocaOp demote(Value value, Block &entry) {
  bool isBool = value.getType().isInteger(1);
  Type stored = isBool ? IntegerType::get(value.getContext(), 8) : value.getType();
  LLVM::AllocaOp slot = createLocal(entry, stored, value.getLoc());
  for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
    if (use.getOwner()->getBlock() == value.getParentBlock())
      continue;
    OpBuilder builder(use.getOwner());
    Location loc = use.getOwner()->getLoc();
    Value loaded = LLVM::LoadOp::create(builder, loc, stored, slot);
    use.set(isBool ? LLVM::TruncOp::create(builder, loc, value.getType(), loaded).getResult() : loaded);
  }
  OpBuilder builder(value.getContext());
  if (auto invoke = value.getDefiningOp<LLVM::InvokeOp>())
    builder.setInsertionPointToStart(splitNormalEdge(invoke));
  else if (Operation *op = value.getDefiningOp())
    builder.setInsertionPointAfter(op);
  else if (value.getParentBlock() == &entry)
    builder.setInsertionPointAfter(slot);
  else
    setInsertionPointToStart(builder, value.getParentBlock());
  Location loc = value.getLoc();
  LLVM::StoreOp::create(builder, loc, isBool ? LLVM::ZExtOp::create(builder, loc, stored, value).getResult() : value,
                        slot);
  return slot;
}

static bool isHandlerType(Operation *op) {
  return op->getNumResults() == 1 && !op->use_empty() &&
         llvm::all_of(op->getUsers(), llvm::IsaPred<LLVM::LandingpadOp>);
}

static llvm::SetVector<Value> liveIntoCuts(LLVM::LLVMFuncOp func, const BlockSet &cuts) {
  Liveness liveness(func);
  llvm::SetVector<Value> live;
  // The values are collected in block order, not in pointer order, so that the same input gives the same output.
  for (Block &block : func.getBody())
    if (cuts.contains(&block)) {
      SmallVector<Value> values(liveness.getLiveIn(&block).begin(), liveness.getLiveIn(&block).end());
      live.insert(values.begin(), values.end());
    }
  SmallVector<Value> ordered;
  for (Block &block : func.getBody()) {
    llvm::append_range(ordered,
                       llvm::make_filter_range(block.getArguments(), [&](Value v) { return live.contains(v); }));
    for (Operation &op : block)
      llvm::append_range(ordered, llvm::make_filter_range(op.getResults(), [&](Value v) {
                           return live.contains(v) && !isHandlerType(&op);
                         }));
  }
  return llvm::SetVector<Value>(ordered.begin(), ordered.end());
}

SmallVector<Operation *> cilk2gpu::handlerTypes(LLVM::LLVMFuncOp func) {
  SmallVector<Operation *> found;
  for (Operation &op : func.getBody().front())
    if (isHandlerType(&op))
      found.push_back(&op);
  return found;
}

/// Moves the operands of landing pads to the start of the function. Each landing pad gets its own copies.
static void hoistHandlerTypes(LLVM::LLVMFuncOp func) {
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  func.walk([&](LLVM::LandingpadOp pad) {
    for (OpOperand &operand : pad->getOpOperands())
      if (Operation *type = operand.get().getDefiningOp())
        operand.set(builder.clone(*type)->getResult(0));
  });
}

LLVM::AllocaOp cilk2gpu::demoteAcrossCuts(LLVM::LLVMFuncOp func, const BlockSet &cuts, Value frame) {
  hoistHandlerTypes(func);
  // Cheap values come first, in reverse order of definition. So an address is computed again from its base before the
  // base itself is processed.
  SmallVector<Value> live = liveIntoCuts(func, cuts).takeVector();
  for (Value value : llvm::reverse(live))
    if (value != frame && isCheap(value, frame) && !value.getDefiningOp<LLVM::AllocaOp>())
      recomputeAtUses(value, frame);
  LLVM::AllocaOp frameSlot;
  for (Value value : liveIntoCuts(func, cuts)) {
    if (value != frame && isCheap(value, frame))
      continue;
    LLVM::AllocaOp slot = demote(value, func.getBody().front());
    if (value == frame)
      frameSlot = slot;
  }
  return frameSlot;
}

//===-- Frames ----------------------------------------------------------------------------------------------------===//

uint64_t FrameLayout::addField(LLVM::AllocaOp local) {
  Type type = local.getElemType();
  uint64_t fieldAlign = std::max<uint64_t>(dataLayout.getTypeABIAlignment(type), local.getAlignment().value_or(1));
  APInt count(64, 1);
  matchPattern(local.getArraySize(), m_ConstantInt(&count));
  uint64_t offset = llvm::alignTo(size, fieldAlign);
  size = offset + allocSize(dataLayout, type) * count.getZExtValue();
  align = std::max(align, fieldAlign);
  fields.append({int64_t(offset), int64_t(size - offset)});
  return offset;
}

uint64_t FrameLayout::offsetOf(LLVM::AllocaOp local) {
  auto [it, isNew] = offsets.try_emplace(local, 0);
  if (isNew)
    it->second = addField(local);
  return it->second;
}

Value cilk2gpu::frameAddress(OpBuilder &builder, Location loc, Value frame, uint64_t offset) {
  if (offset == 0)
    return frame;
  auto address = LLVM::GEPOp::create(builder, loc, frame.getType(), builder.getI8Type(), frame,
                                     ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
  address->setAttr(kFrameOffsetAttr, builder.getI64IntegerAttr(int64_t(offset)));
  return address;
}

// frame + (words - 1) * (number of bytes from the first frame of the group to this frame)
Value cilk2gpu::placeInColumn(OpBuilder &builder, Location loc, Value frame, uint64_t words) {
  if (words <= 1)
    return frame;
  Type i64 = builder.getI64Type();
  auto constant = [&](uint64_t value) {
    return LLVM::ConstantOp::create(builder, loc, i64, builder.getI64IntegerAttr(int64_t(value)));
  };
  Value bits = LLVM::PtrToIntOp::create(builder, loc, i64, frame);
  Value place = LLVM::AndOp::create(builder, loc, bits, constant((abi::kFrameGroup - 1) * abi::kFrameColumn));
  Value further = LLVM::MulOp::create(builder, loc, place, constant(words - 1));
  auto address =
      LLVM::GEPOp::create(builder, loc, frame.getType(), builder.getI8Type(), frame, ArrayRef<LLVM::GEPArg>{further});
  address->setAttr(kFrameWordsAttr, builder.getI64IntegerAttr(int64_t(words)));
  return address;
}

void cilk2gpu::moveToFrame(LLVM::AllocaOp local, Value frame, uint64_t offset, uint64_t words) {
  for (OpOperand &use : llvm::make_early_inc_range(local->getUses())) {
    OpBuilder builder(use.getOwner());
    Location loc = use.getOwner()->getLoc();
    use.set(frameAddress(builder, loc, placeInColumn(builder, loc, frame, words), offset));
  }
  local.erase();
}
