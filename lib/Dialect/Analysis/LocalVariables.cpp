// Classification and liveness of local variables with respect to cuts. See Cuts.h.
#include "cilk2gpu/Dialect/Analysis/Cuts.h"
#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/TypeSizes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cilk2gpu;

namespace {

/// Kinds of use of a local's address.
enum class Use { Load, Store, Access, Derive, Escape };

} // namespace

/// Returns true if the spawn copies the content that argument `index` points to.
static bool isCopied(cilk::SpawnOp spawn, unsigned index) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(spawn, spawn.getCalleeAttr());
  return callee && index < spawn.getArgs().size() && callee.getArgAttr(index, LLVM::LLVMDialect::getByValAttrName());
}

/// Returns true if the element's field `index` is a copy of the content that the operand points to.
static bool isCopied(Operation *op, SymbolRefAttr channel, unsigned index) {
  auto stack = SymbolTable::lookupNearestSymbolFrom<channel::StackOp>(op, channel);
  return stack && channel::isByAddress(cast<TypeAttr>(stack.getFields()[index]).getValue());
}

bool cilk2gpu::isBorrowed(OpOperand &use) {
  auto call = dyn_cast<LLVM::CallOp>(use.getOwner());
  auto callee = call && call.getCallee()
                    ? SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(call, call.getCalleeAttr())
                    : LLVM::LLVMFuncOp();
  ArrayAttr attributes = callee ? callee.getPassthroughAttr() : ArrayAttr();
  if (!attributes)
    return false;
  for (Attribute attribute : attributes)
    if (auto pair = dyn_cast<ArrayAttr>(attribute); pair && cast<StringAttr>(pair[0]).getValue() == kBorrowsAttr) {
      SmallVector<StringRef> numbers;
      cast<StringAttr>(pair[1]).getValue().split(numbers, ' ');
      return llvm::is_contained(numbers, std::to_string(use.getOperandNumber()));
    }
  return false;
}

static Use classifyUse(OpOperand &use, Type elementType) {
  Value address = use.get();
  return TypeSwitch<Operation *, Use>(use.getOwner())
      .Case([&](LLVM::LoadOp load) {
        bool whole = load.getType() == elementType && !load.getVolatile_() &&
                     load.getOrdering() == LLVM::AtomicOrdering::not_atomic;
        return whole ? Use::Load : Use::Access;
      })
      .Case([&](LLVM::StoreOp store) {
        if (store.getValue() == address)
          return Use::Escape;
        bool whole = store.getValue().getType() == elementType && !store.getVolatile_() &&
                     store.getOrdering() == LLVM::AtomicOrdering::not_atomic;
        return whole ? Use::Store : Use::Access;
      })
      .Case<LLVM::GEPOp, LLVM::BitcastOp>([](auto) { return Use::Derive; })
      .Case<LLVM::MemcpyOp, LLVM::MemcpyInlineOp, LLVM::MemmoveOp, LLVM::MemsetOp, LLVM::MemsetInlineOp, LLVM::ICmpOp>(
          [](auto) { return Use::Access; })
      .Case([&](LLVM::AtomicRMWOp rmw) { return rmw.getVal() == address ? Use::Escape : Use::Access; })
      .Case([&](cilk::SpawnOp spawn) { return isCopied(spawn, use.getOperandNumber()) ? Use::Access : Use::Escape; })
      .Case([&](channel::EnqOp enq) {
        unsigned index = use.getOperandNumber() - 1;
        return isCopied(enq, enq.getChannel(), index) ? Use::Access : Use::Escape;
      })
      .Default([&](Operation *) { return isBorrowed(use) ? Use::Access : Use::Escape; });
}

uint64_t cilk2gpu::storageSize(LLVM::AllocaOp local) {
  APInt count(64, 1);
  matchPattern(local.getArraySize(), m_ConstantInt(&count));
  return allocSize(DataLayout::closest(local), local.getElemType()) * count.getZExtValue();
}

Operation *cilk2gpu::copyLocal(OpBuilder &builder, Location loc, LLVM::AllocaOp local, Value from, Value to) {
  if (!isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(local.getElemType()) &&
      matchPattern(local.getArraySize(), m_One())) {
    Value value = LLVM::LoadOp::create(builder, loc, local.getElemType(), from);
    return LLVM::StoreOp::create(builder, loc, value, to);
  }
  Value size = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                        builder.getI64IntegerAttr(int64_t(storageSize(local))));
  return LLVM::MemcpyOp::create(builder, loc, to, from, size, /*isVolatile=*/false);
}

//===-- Locals whose address is used ------------------------------------------------------------------------------===//

/// Tells which blocks can be reached from a block along at least one edge.
class LocalVariables::Reachability {
public:
  explicit Reachability(Region &region) {
    for (Block &block : region)
      numbers[&block] = numbers.size();
    reached.resize(numbers.size());
    for (Block &block : region) {
      llvm::BitVector &set = reached[numbers[&block]];
      set.resize(numbers.size());
      SmallVector<Block *> work(block.getSuccessors());
      while (!work.empty()) {
        Block *next = work.pop_back_val();
        if (!set.test(numbers[next])) {
          set.set(numbers[next]);
          llvm::append_range(work, next->getSuccessors());
        }
      }
    }
  }
  bool operator()(Block *from, Block *to) const { return reached[numbers.lookup(from)].test(numbers.lookup(to)); }

private:
  llvm::DenseMap<Block *, unsigned> numbers;
  SmallVector<llvm::BitVector> reached;
};

LocalVariables::LocalVariables(LLVM::LLVMFuncOp func, const BlockSet &cuts) {
  Reachability reaches(func.getBody());
  for (Block *cut : cuts)
    saved[cut];
  for (LLVM::AllocaOp local : staticAllocas(func))
    classify(local, cuts, reaches);
  solveScalars(func, cuts);
}

/// Returns true if the address is at a constant distance from `local`.
static bool isConstantFrom(Value address, LLVM::AllocaOp local) {
  while (auto gep = address.getDefiningOp<LLVM::GEPOp>()) {
    if (!gep.getDynamicIndices().empty())
      return false;
    address = gep.getBase();
  }
  return address == local.getResult();
}

/// Returns true if a derived address is used behind a cut and cannot be computed again there, because its distance from
/// the local is not constant.
bool LocalVariables::outlivesCut(Operation *derived, LLVM::AllocaOp local, const BlockSet &cuts,
                                 const Reachability &reaches) {
  if (isConstantFrom(derived->getResult(0), local))
    return false;
  Block *from = derived->getBlock();
  return llvm::any_of(derived->getUsers(), [&](Operation *user) {
    Block *to = user->getBlock();
    return to != from &&
           llvm::any_of(cuts, [&](Block *cut) { return reaches(from, cut) && (cut == to || reaches(cut, to)); });
  });
}

LocalVariables::Uses LocalVariables::usesOf(LLVM::AllocaOp local, const BlockSet &cuts, const Reachability &reaches) {
  Uses uses;
  uses.isScalar = matchPattern(local.getArraySize(), m_One());
  SmallVector<Value> work{local.getResult()};
  while (!work.empty()) {
    Value address = work.pop_back_val();
    for (OpOperand &use : address.getUses()) {
      Operation *user = use.getOwner();
      Use kind = classifyUse(use, local.getElemType());
      uses.isScalar &= (kind == Use::Load || kind == Use::Store) && address == local.getResult();
      uses.blocks.insert(user->getBlock());
      if (kind == Use::Escape || (kind == Use::Derive && outlivesCut(user, local, cuts, reaches)))
        uses.escapes.insert(user->getBlock());
      if (kind == Use::Derive)
        work.push_back(user->getResult(0));
    }
  }
  return uses;
}

void LocalVariables::classify(LLVM::AllocaOp local, const BlockSet &cuts, const Reachability &reaches) {
  Uses uses = usesOf(local, cuts, reaches);
  if (uses.isScalar)
    return scalars.push_back(local);
  bool mayMove = uses.escapes.empty() && storageSize(local) <= kMostCopied;
  // A local is live across a cut in two cases:
  // - a use reaches the cut, and the cut reaches a use;
  // - its address escapes before the cut: for example, a child may use the address until the function ends.
  bool lives = false;
  for (Block *cut : cuts) {
    bool usedAfter = llvm::any_of(uses.blocks, [&](Block *block) { return block == cut || reaches(cut, block); });
    bool livesHere = llvm::any_of(
        uses.blocks, [&](Block *block) { return reaches(block, cut) && (usedAfter || uses.escapes.contains(block)); });
    lives |= livesHere;
    if (livesHere && mayMove)
      saved[cut].insert(local);
  }
  if (lives && !mayMove)
    resident.push_back(local);
}

//===-- Locals that are only loaded and stored --------------------------------------------------------------------===//

void LocalVariables::solveScalars(LLVM::LLVMFuncOp func, const BlockSet &cuts) {
  // Computes the liveness of the variables' contents backwards: a variable is live where it is read before it is
  // written.
  using Set = llvm::SmallPtrSet<Operation *, 8>;
  llvm::DenseMap<Block *, Set> reads, writes, live;
  llvm::SmallPtrSet<Operation *, 32> interesting;
  for (LLVM::AllocaOp local : scalars)
    interesting.insert(local);
  auto localOf = [&](Value address) -> Operation * {
    Operation *op = address.getDefiningOp();
    return op && interesting.contains(op) ? op : nullptr;
  };
  for (Block &block : func.getBody())
    for (Operation &op : block) {
      if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
        if (Operation *local = localOf(load.getAddr()); local && !writes[&block].contains(local))
          reads[&block].insert(local);
      } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
        if (Operation *local = localOf(store.getAddr()))
          writes[&block].insert(local);
      }
    }
  for (bool changed = true; changed;) {
    changed = false;
    for (Block &block : llvm::reverse(func.getBody())) {
      Set in = reads[&block];
      for (Block *next : block.getSuccessors())
        for (Operation *local : live[next])
          if (!writes[&block].contains(local))
            in.insert(local);
      if (in.size() != live[&block].size()) {
        live[&block] = std::move(in);
        changed = true;
      }
    }
  }
  for (Block *cut : cuts)
    for (LLVM::AllocaOp local : scalars)
      if (live[cut].contains(local))
        saved[cut].insert(local);
}
