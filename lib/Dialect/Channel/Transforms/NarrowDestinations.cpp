// Replaces the addresses of destinations in elements by offsets of 32 bits, if all of them are addresses in frames. A
// destination receives a result or a sum. All frames stand in one range of addresses (abi::kFrameUnit).
#include "cilk2gpu/Dialect/Channel/Transforms/Passes.h"
#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "cilk2gpu/Support/Displacement.h"
#include "cilk2gpu/Support/TypeSizes.h"
#include "cilk2gpu/abi/Records.h"

#include "mlir/IR/Builders.h"

namespace cilk2gpu::channel {
#define GEN_PASS_DEF_NARROWDESTINATIONSPASS
#include "cilk2gpu/Dialect/Channel/Transforms/Passes.h.inc"
} // namespace cilk2gpu::channel

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::channel;

/// Returns the operands with which a lane (EnqOp) or the host (RootOp) fills an element.
static MutableOperandRange filledFields(Operation *op) {
  auto enq = dyn_cast<EnqOp>(op);
  return enq ? enq.getFieldsMutable() : cast<RootOp>(op).getFieldsMutable();
}

/// Returns the variable of a host function that receives the result of a root's task, or null if the variable has other
/// uses.
static LLVM::AllocaOp resultOfRoot(RootOp root, uint64_t destination) {
  auto local = root.getFields()[destination].getDefiningOp<LLVM::AllocaOp>();
  if (!local || !isa<LLVM::ReturnOp>(root->getBlock()->getTerminator()))
    return {};
  for (OpOperand &use : local.getResult().getUses()) {
    Operation *user = use.getOwner();
    bool isResult = user == root && use.getOperandNumber() == destination;
    bool isRead = isa<LLVM::LoadOp>(user) && user->getBlock() == root->getBlock() && root->isBeforeInBlock(user);
    if (!isResult && !isRead)
      return {};
  }
  return local;
}

namespace {

struct NarrowDestinationsPass : cilk2gpu::channel::impl::NarrowDestinationsPassBase<NarrowDestinationsPass> {
  void runOnOperation() override;

  StackOp stackOf(Operation *op);
  StackOp destinationOf(Value value);
  OpOperand &destinationIn(Operation *fill);
  void findCandidates();
  bool isOnlyDestination(StackOp stack);
  bool isPlace(Value value, SymbolRefAttr &frame);
  bool fits(Operation *fill);
  void alignFrame(Value value);
  void narrowDeq(DeqOp deq);
  void narrowFill(Operation *fill);

  SymbolTableCollection *symbols = nullptr;
  SmallVector<DeqOp> deqs;
  llvm::DenseMap<Operation *, SmallVector<DeqOp>>
      users;                               ///< for each pre-sync stack, the operations that dequeue its elements
  SmallVector<Operation *> fills;          ///< EnqOp and RootOp
  llvm::SetVector<Operation *> candidates; ///< stacks whose destinations may become offsets
  llvm::DenseMap<Value, Value> offsets;    ///< for each address made from a dequeued offset, the offset
};

} // namespace

/// Returns the stack from which a lane dequeues an element, or to which a lane or the host enqueues an element.
StackOp NarrowDestinationsPass::stackOf(Operation *op) {
  if (auto deq = dyn_cast<DeqOp>(op))
    return symbols->lookupNearestSymbolFrom<StackOp>(op, deq.getChannel());
  auto enq = dyn_cast<EnqOp>(op);
  return symbols->lookupNearestSymbolFrom<StackOp>(op, enq ? enq.getChannel() : cast<RootOp>(op).getChannel());
}

/// Returns the pre-sync stack whose elements hold `value` as their destination, else null.
StackOp NarrowDestinationsPass::destinationOf(Value value) {
  auto deq = value.getDefiningOp<DeqOp>();
  StackOp stack = deq ? stackOf(deq) : StackOp();
  bool isDestination = stack && stack.getDestination() && value == deq.getFields()[*stack.getDestination()];
  return isDestination ? stack : StackOp();
}

/// Returns the operand of an enq or a root that is the destination.
OpOperand &NarrowDestinationsPass::destinationIn(Operation *fill) {
  return filledFields(fill)[*stackOf(fill).getDestination()];
}

/// Returns true if the destination field of a stack's elements is only used as a destination. It may have these uses:
/// - a result is stored or accumulated at the address;
/// - the address is passed on as a destination;
/// - the address is saved.
bool NarrowDestinationsPass::isOnlyDestination(StackOp stack) {
  bool isUsed = false;
  for (DeqOp deq : users.lookup(stack)) {
    for (OpOperand &use : deq.getFields()[*stack.getDestination()].getUses()) {
      Operation *user = use.getOwner();
      auto update = dyn_cast<LLVM::AtomicRMWOp>(user);
      auto save = dyn_cast<LLVM::StoreOp>(user);
      auto enq = dyn_cast<EnqOp>(user);
      bool isStored = isa<ResultOp>(user) || (update && update->hasAttr(cilk::kAccumulateAttr) &&
                                              use.getOperandNumber() == update.getPtrMutable().getOperandNumber());
      bool isSaved = save && use.getOperandNumber() == save.getValueMutable().getOperandNumber();
      StackOp target = enq ? stackOf(enq) : StackOp();
      bool isHandedOn = target && target.getDestination() && &use == &destinationIn(enq);
      if (!isStored && !isSaved && !isHandedOn)
        return false;
      isUsed = true;
    }
  }
  return isUsed;
}

void NarrowDestinationsPass::findCandidates() {
  getOperation().walk([&](Operation *op) {
    if (auto deq = dyn_cast<DeqOp>(op)) {
      deqs.push_back(deq);
      if (StackOp stack = stackOf(deq); stack && stack.getDestination())
        users[stack].push_back(deq);
    }
    if (isa<EnqOp, RootOp>(op))
      fills.push_back(op);
  });
  getOperation().walk([&](StackOp stack) {
    // Other units rely on the layout that follows from the function's prototype.
    auto linkage = stack.getLinkage();
    if (!stack.getDestination() || !linkage || linkage->getLinkage() != LLVM::Linkage::Internal)
      return;
    if (!stack.hasNarrowDestination() && isOnlyDestination(stack))
      candidates.insert(stack);
  });
}

/// Returns true if `value` is an address in a frame whose distance from the frame is a multiple of the unit. Sets
/// `frame` to the frame's node.
bool NarrowDestinationsPass::isPlace(Value value, SymbolRefAttr &frame) {
  DataLayout dataLayout(getOperation());
  while (auto gep = value.getDefiningOp<LLVM::GEPOp>()) {
    std::optional<SmallVector<AddressTerm>> terms = displacement(gep, dataLayout);
    if (!terms || llvm::any_of(*terms, [](const AddressTerm &term) { return term.stride % abi::kFrameUnit != 0; }))
      return false;
    value = gep.getBase();
  }
  if (auto talloc = value.getDefiningOp<TallocOp>()) {
    frame = talloc.getChannel();
    return isa<LLVM::LLVMPointerType>(value.getType());
  }
  auto deq = value.getDefiningOp<DeqOp>();
  auto stack = deq ? stackOf(deq) : StackOp();
  if (!stack || !stack.getResumes())
    return false;
  for (auto node : cast<GraphOp>(stack->getParentOp()).getOps<FrameOp>())
    if (node.getTaskAttr() == stack.getResumesAttr())
      frame = SymbolRefAttr::get(cast<GraphOp>(stack->getParentOp()).getSymNameAttr(),
                                 FlatSymbolRefAttr::get(node.getSymNameAttr()));
  return bool(frame);
}

/// Returns true if the destination of an element can be an offset, provided that the candidates' destinations become
/// offsets.
bool NarrowDestinationsPass::fits(Operation *fill) {
  Value value = destinationIn(fill).get();
  SymbolRefAttr frame;
  if (auto root = dyn_cast<RootOp>(fill))
    return bool(resultOfRoot(root, *stackOf(fill).getDestination()));
  if (StackOp from = destinationOf(value))
    return candidates.contains(from);
  return isPlace(value, frame);
}

/// %f:2 = deq : i32, ptr   ->   %f:2 = deq : i32, i32; %a = address %f#1
void NarrowDestinationsPass::narrowDeq(DeqOp deq) {
  OpBuilder builder(&getContext());
  builder.setInsertionPointAfter(deq);
  Value field = deq.getFields()[*stackOf(deq).getDestination()];
  Type pointer = field.getType();
  field.setType(builder.getI32Type());
  Value address = AddressOp::create(builder, deq.getLoc(), pointer, field);
  field.replaceAllUsesExcept(address, address.getDefiningOp());
  offsets[address] = field;
}

void NarrowDestinationsPass::alignFrame(Value value) {
  SymbolRefAttr ref;
  if (!isPlace(value, ref))
    return;
  auto frame = symbols->lookupNearestSymbolFrom<FrameOp>(value.getDefiningOp(), ref);
  uint64_t align = std::max<uint64_t>(frame.getAlign(), abi::kFrameUnit);
  frame.setAlign(align);
  frame.setSize(llvm::alignTo(frame.getSize(), align));
}

void NarrowDestinationsPass::narrowFill(Operation *fill) {
  OpBuilder builder(fill);
  Location loc = fill->getLoc();
  OpOperand &operand = destinationIn(fill);
  if (Value same = offsets.lookup(operand.get()))
    return operand.set(same);
  if (auto root = dyn_cast<RootOp>(fill)) {
    LLVM::AllocaOp local = resultOfRoot(root, *stackOf(fill).getDestination());
    DataLayout dataLayout(getOperation());
    int64_t size = storeSize(dataLayout, local.getElemType());
    Value slot = SlotOp::create(builder, loc, local.getType(), size);
    local.getResult().replaceAllUsesWith(slot);
    local.erase();
    builder.setInsertionPoint(fill->getBlock()->getTerminator());
    FreeSlotOp::create(builder, loc, slot, size);
    builder.setInsertionPoint(fill);
  } else {
    alignFrame(operand.get());
  }
  operand.set(OffsetOp::create(builder, loc, builder.getI32Type(), operand.get()));
}

void NarrowDestinationsPass::runOnOperation() {
  SymbolTableCollection tables;
  symbols = &tables;
  deqs.clear();
  users.clear();
  fills.clear();
  candidates.clear();
  offsets.clear();
  findCandidates();
  auto loses = [&](Operation *fill) {
    StackOp stack = stackOf(fill);
    return stack && candidates.contains(stack) && !fits(fill) && candidates.remove(stack);
  };
  while (llvm::any_of(fills, loses))
    ;
  for (DeqOp deq : deqs)
    if (StackOp stack = stackOf(deq); stack && candidates.contains(stack))
      narrowDeq(deq);
  for (Operation *fill : fills)
    if (candidates.contains(stackOf(fill)))
      narrowFill(fill);
  Builder builder(&getContext());
  for (Operation *op : candidates) {
    auto stack = cast<StackOp>(op);
    SmallVector<Attribute> types(stack.getFields().getValue());
    types[*stack.getDestination()] = TypeAttr::get(builder.getI32Type());
    stack.setFieldsAttr(builder.getArrayAttr(types));
    ++numStacks;
  }
}
