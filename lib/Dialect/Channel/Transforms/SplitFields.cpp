// Gives each scalar of a struct or array that is passed by value a column of its own. For example, the ABI passes an
// array of bytes in two registers or in memory. Here each byte becomes a field, so that lanes find the same byte of all
// elements side by side.
#include "MemoryKept.h"

#include "cilk2gpu/Dialect/Analysis/Cuts.h"
#include "cilk2gpu/Dialect/Channel/Transforms/Passes.h"
#include "cilk2gpu/Support/Displacement.h"
#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/TypeSizes.h"
#include "cilk2gpu/Vectorise/LaneAttributes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace cilk2gpu::channel {
#define GEN_PASS_DEF_SPLITFIELDSPASS
#include "cilk2gpu/Dialect/Channel/Transforms/Passes.h.inc"
} // namespace cilk2gpu::channel

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::channel;

/// Most columns of an element: more columns cost more than they gain.
static constexpr unsigned kMostPieces = 64;

/// With more columns than this, the consuming kernel is marked (kManyColumnsAttr), because the split pays only in
/// vectors.
static constexpr unsigned kFewColumns = 8;

namespace {

/// Bytes [offset, offset + size) of a field.
struct Piece {
  uint64_t offset, size;
};
using Pieces = SmallVector<Piece>;

/// Splits the fields of one stack. A field without pieces stays as it is.
class FieldSplitter {
public:
  FieldSplitter(GraphOp graph, StackOp stack, DeqOp deq)
      : graph(graph), stack(stack), deq(deq), dataLayout(DataLayout::closest(graph)), builder(graph.getContext()) {}

  /// Decides which fields to split. Returns their number.
  unsigned decide();
  void rewriteConsumer();
  void rewriteElided(DeqOp other);
  void rewriteProducer(Operation *producer, unsigned firstOperand);
  void rewriteStack();

private:
  Pieces piecesOf(unsigned index);
  SmallVector<Type> splitTypes(DeqOp whole);
  Value address(Location loc, Value base, uint64_t offset);
  Type typeOf(const Piece &piece) { return builder.getIntegerType(piece.size * 8); }
  void split(Operation *producer, Value value, bool isAddress, const Pieces &pieces, SmallVectorImpl<Value> &operands);
  Value memoryOf(Operation *producer, Value value);

  GraphOp graph;
  StackOp stack;
  DeqOp deq;
  DataLayout dataLayout;
  OpBuilder builder;
  SmallVector<Pieces> split_;
};

} // namespace

/// Cuts `type` into its scalars, from byte `offset` on. Returns false if a scalar has not exactly 1, 2, 4 or 8 bytes.
static bool flatten(Type type, uint64_t offset, const DataLayout &dataLayout, Pieces &pieces) {
  if (pieces.size() > kMostPieces)
    return false;
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    uint64_t size = allocSize(dataLayout, array.getElementType());
    for (uint64_t i = 0; i < array.getNumElements(); ++i)
      if (!flatten(array.getElementType(), offset + i * size, dataLayout, pieces))
        return false;
    return true;
  }
  if (auto record = dyn_cast<LLVM::LLVMStructType>(type)) {
    if (record.isOpaque())
      return false;
    uint64_t at = 0;
    for (Type member : record.getBody()) {
      at = llvm::alignTo(at, record.isPacked() ? 1 : dataLayout.getTypeABIAlignment(member));
      if (!flatten(member, offset + at, dataLayout, pieces))
        return false;
      at += allocSize(dataLayout, member);
    }
    return true;
  }
  uint64_t size = storeSize(dataLayout, type);
  bool isScalar = isa<LLVM::LLVMPointerType>(type) || type.isIntOrFloat();
  pieces.push_back({offset, size});
  return isScalar && (size == 1 || size == 2 || size == 4 || size == 8) &&
         dataLayout.getTypeSizeInBits(type) == size * 8;
}

/// Returns the part [first, first + size) of `pieces`, with offsets relative to `first`. Gaps are filled with bytes,
/// because a union may keep data there. Returns nothing if a piece crosses the bounds of the part.
static Pieces window(const Pieces &pieces, uint64_t first, uint64_t size) {
  Pieces result;
  uint64_t at = first, end = first + size;
  auto fill = [&](uint64_t until) {
    for (; at < until; ++at)
      result.push_back({at - first, 1});
  };
  for (const Piece &piece : pieces) {
    if (piece.offset + piece.size <= first || piece.offset >= end)
      continue;
    if (piece.offset < at || piece.offset + piece.size > end)
      return {};
    fill(piece.offset);
    result.push_back({piece.offset - first, piece.size});
    at = piece.offset + piece.size;
  }
  fill(end);
  return result;
}

/// Returns the local variable that `pointer` points into, at a constant `offset`; else null.
static LLVM::AllocaOp baseOf(Value pointer, uint64_t &offset, const DataLayout &dataLayout) {
  while (auto gep = pointer.getDefiningOp<LLVM::GEPOp>()) {
    auto terms = displacement(gep, dataLayout);
    if (!terms || llvm::any_of(*terms, [](const AddressTerm &term) { return term.index; }))
      return {};
    for (const AddressTerm &term : *terms)
      offset += term.stride;
    pointer = gep.getBase();
  }
  return pointer.getDefiningOp<LLVM::AllocaOp>();
}

/// Returns the pieces of a field whose only use stores it to a local variable of an aggregate type.
Pieces FieldSplitter::piecesOf(unsigned index) {
  Value field = deq.getFields()[index];
  Type type = cast<TypeAttr>(stack.getFields()[index]).getValue();
  if (!field.hasOneUse())
    return {};
  Value target;
  uint64_t size = storeSize(dataLayout, type), offset = 0;
  if (auto store = dyn_cast<LLVM::StoreOp>(*field.user_begin())) {
    if (store.getValue() != field || store.getVolatile_() || store.getOrdering() != LLVM::AtomicOrdering::not_atomic)
      return {};
    target = store.getAddr();
  } else if (auto copy = dyn_cast<LLVM::MemcpyOp>(*field.user_begin())) {
    APInt length;
    if (copy.getSrc() != field || copy.getIsVolatile() || !matchPattern(copy.getLen(), m_ConstantInt(&length)) ||
        length != size)
      return {};
    target = copy.getDst();
  } else {
    return {};
  }
  LLVM::AllocaOp local = baseOf(target, offset, dataLayout);
  Pieces all;
  if (!local || !isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(local.getElemType()) ||
      !matchPattern(local.getArraySize(), m_One()) || offset + size > storageSize(local) ||
      !flatten(local.getElemType(), 0, dataLayout, all))
    return {};
  Pieces pieces = window(all, offset, size);
  return pieces.size() == 1 && !isByAddress(type) ? Pieces() : pieces;
}

unsigned FieldSplitter::decide() {
  unsigned total = stack.getFields().size(), count = 0;
  if (hasFunctionAttribute(deq->getParentOfType<LLVM::LLVMFuncOp>(), lane::kWholeFieldsAttr))
    return 0;
  for (unsigned i = 0; i < stack.getFields().size(); ++i) {
    Pieces pieces = piecesOf(i);
    if (total + pieces.size() > kMostPieces)
      pieces.clear();
    total += pieces.size();
    count += !pieces.empty();
    split_.push_back(pieces);
  }
  return count;
}

/// Returns the address of a piece in memory. The memory is not in a frame, so channel-frame-columns does not change
/// distances in it.
Value FieldSplitter::address(Location loc, Value base, uint64_t offset) {
  if (offset == 0)
    return base;
  return LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
}

/// Returns the result types of `whole` after its fields are split.
SmallVector<Type> FieldSplitter::splitTypes(DeqOp whole) {
  SmallVector<Type> types{whole.getElement().getType()};
  for (auto [field, pieces] : llvm::zip_equal(whole.getFields(), split_)) {
    if (pieces.empty())
      types.push_back(field.getType());
    for (const Piece &piece : pieces)
      types.push_back(typeOf(piece));
  }
  return types;
}

// %a, %v = deq : i64   store %v, %p  ->  %a, %v:8 = deq : i8, ...   store %v#0, %p; store %v#1, %p + 1; ...
void FieldSplitter::rewriteConsumer() {
  SmallVector<Type> types = splitTypes(deq);
  if (types.size() > kFewColumns) {
    auto kernel = deq->getParentOfType<LLVM::LLVMFuncOp>();
    ArrayAttr inherited = kernel.getPassthroughAttr();
    SmallVector<Attribute> attributes(inherited ? inherited.getValue() : ArrayRef<Attribute>());
    attributes.push_back(builder.getStringAttr(lane::kManyColumnsAttr));
    kernel.setPassthroughAttr(builder.getArrayAttr(attributes));
  }
  builder.setInsertionPoint(deq);
  auto fresh = DeqOp::create(builder, deq.getLoc(), types, deq.getChannel(), /*followed=*/nullptr);
  deq.getElement().replaceAllUsesWith(fresh.getElement());
  unsigned next = 0;
  for (auto [field, pieces] : llvm::zip_equal(deq.getFields(), split_)) {
    if (pieces.empty()) {
      field.replaceAllUsesWith(fresh.getFields()[next++]);
      continue;
    }
    Operation *use = *field.user_begin();
    auto copy = dyn_cast<LLVM::MemcpyOp>(use);
    Value target = copy ? copy.getDst() : cast<LLVM::StoreOp>(use).getAddr();
    builder.setInsertionPoint(use);
    for (const Piece &piece : pieces)
      LLVM::StoreOp::create(builder, use->getLoc(), fresh.getFields()[next++],
                            address(use->getLoc(), target, piece.offset), /*alignment=*/1);
    use->erase();
  }
  deq.erase();
}

/// Rewrites the code that calls the task's elision: joins the pieces again, in a new variable.
void FieldSplitter::rewriteElided(DeqOp other) {
  Location loc = other.getLoc();
  SmallVector<Type> types = splitTypes(other);
  builder.setInsertionPoint(other);
  auto fresh = DeqOp::create(builder, loc, types, other.getChannel(), /*followed=*/nullptr);
  other.getElement().replaceAllUsesWith(fresh.getElement());
  unsigned next = 0;
  for (auto [field, type, pieces] :
       llvm::zip_equal(other.getFields(), stack.getFields().getAsValueRange<TypeAttr>(), split_)) {
    if (pieces.empty()) {
      field.replaceAllUsesWith(fresh.getFields()[next++]);
      continue;
    }
    Value whole = createLocal(*other->getBlock(), type, loc);
    for (const Piece &piece : pieces)
      LLVM::StoreOp::create(builder, loc, fresh.getFields()[next++], address(loc, whole, piece.offset),
                            /*alignment=*/1);
    field.replaceAllUsesWith(isByAddress(type) ? whole : LLVM::LoadOp::create(builder, loc, type, whole).getResult());
  }
  other.erase();
}

/// Returns memory that holds `value` when `producer` runs: the memory from which it was loaded, or a new variable.
/// Returns null for an integer that is better split in registers.
Value FieldSplitter::memoryOf(Operation *producer, Value value) {
  auto load = value.getDefiningOp<LLVM::LoadOp>();
  if (load && load.getOrdering() == LLVM::AtomicOrdering::not_atomic && !load.getVolatile_() &&
      isMemoryKept(load, producer))
    return load.getAddr();
  if (value.getType().isInteger())
    return {};
  Block &entry = producer->getParentOfType<LLVM::LLVMFuncOp>().getBody().front();
  Value local = createLocal(entry, value.getType(), producer->getLoc());
  // The store may not stand between talloc and enq, because a lane without space for its element must have no effect.
  if (!value.getDefiningOp() && value.getParentBlock() == &entry)
    builder.setInsertionPointAfterValue(local);
  else
    builder.setInsertionPointAfterValue(value);
  LLVM::StoreOp::create(builder, producer->getLoc(), value, local);
  return local;
}

void FieldSplitter::split(Operation *producer, Value value, bool isAddress, const Pieces &pieces,
                          SmallVectorImpl<Value> &operands) {
  Location loc = producer->getLoc();
  Value memory = isAddress ? value : memoryOf(producer, value);
  builder.setInsertionPoint(producer);
  for (const Piece &piece : pieces) {
    if (memory) {
      operands.push_back(
          LLVM::LoadOp::create(builder, loc, typeOf(piece), address(loc, memory, piece.offset), /*alignment=*/1));
      continue;
    }
    Type type = value.getType();
    Value moved = value;
    if (piece.offset) {
      Value bits = LLVM::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, piece.offset * 8));
      moved = LLVM::LShrOp::create(builder, loc, value, bits);
    }
    operands.push_back(piece.size * 8 == type.getIntOrFloatBitWidth()
                           ? moved
                           : LLVM::TruncOp::create(builder, loc, typeOf(piece), moved).getResult());
  }
}

/// Rewrites an operation that fills an element. Its operands from `firstOperand` on are the fields of the element.
void FieldSplitter::rewriteProducer(Operation *producer, unsigned firstOperand) {
  builder.setInsertionPoint(producer);
  SmallVector<Value> operands(producer->getOperands().take_front(firstOperand));
  SmallVector<Value> fields(producer->getOperands().drop_front(firstOperand));
  for (auto [value, type, pieces] : llvm::zip_equal(fields, stack.getFields().getAsValueRange<TypeAttr>(), split_)) {
    if (pieces.empty())
      operands.push_back(value);
    else
      split(producer, value, isByAddress(type), pieces, operands);
  }
  producer->setOperands(operands);
  for (Value value : fields)
    if (auto load = value.getDefiningOp<LLVM::LoadOp>(); load && isOpTriviallyDead(load))
      load.erase();
}

void FieldSplitter::rewriteStack() {
  SmallVector<Attribute> types;
  std::optional<uint64_t> destination = stack.getDestination();
  for (auto [index, type, pieces] : llvm::enumerate(stack.getFields(), split_)) {
    if (destination == index)
      stack.setDestination(types.size()); // an address, which is not split
    if (pieces.empty())
      types.push_back(type);
    for (const Piece &piece : pieces)
      types.push_back(TypeAttr::get(typeOf(piece)));
  }
  stack.setFieldsAttr(builder.getArrayAttr(types));
}

namespace {

struct SplitFieldsPass : cilk2gpu::channel::impl::SplitFieldsPassBase<SplitFieldsPass> {
  void runOnOperation() override {
    llvm::DenseMap<Attribute, SmallVector<Operation *>> consumers, elided, producers;
    getOperation().walk([&](Operation *op) {
      if (auto deq = dyn_cast<DeqOp>(op))
        (op->getParentOp()->hasAttr(kElidedAttr) ? elided : consumers)[deq.getChannel()].push_back(op);
      if (auto enq = dyn_cast<EnqOp>(op))
        producers[enq.getChannel()].push_back(op);
      if (auto root = dyn_cast<RootOp>(op))
        producers[root.getChannel()].push_back(op);
    });
    for (auto graph : getOperation().getOps<GraphOp>())
      for (auto stack : graph.getOps<StackOp>()) {
        // Other units rely on the layout that follows from the function's prototype.
        auto linkage = stack.getLinkage();
        if (!linkage || linkage->getLinkage() != LLVM::Linkage::Internal || stack.getResumes())
          continue;
        auto name = SymbolRefAttr::get(graph.getSymNameAttr(), FlatSymbolRefAttr::get(stack.getSymNameAttr()));
        if (consumers[name].size() != 1)
          continue;
        FieldSplitter splitter(graph, stack, cast<DeqOp>(consumers[name].front()));
        unsigned count = splitter.decide();
        if (!count)
          continue;
        splitter.rewriteConsumer();
        for (Operation *other : elided[name])
          splitter.rewriteElided(cast<DeqOp>(other));
        for (Operation *producer : producers[name])
          splitter.rewriteProducer(producer, isa<EnqOp>(producer) ? 1 : 0);
        splitter.rewriteStack();
        numFields += count;
      }
  }
};

} // namespace
