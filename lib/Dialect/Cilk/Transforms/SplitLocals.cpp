// See SplitLocals.h. LLVM does the same for other locals, but not for those whose addresses a spawn takes.
#include "SplitLocals.h"

#include "Constants.h"
#include "Paths.h"

#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "cilk2gpu/Support/Displacement.h"
#include "cilk2gpu/Support/TypeSizes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Transforms/Mem2Reg.h"
#include "llvm/ADT/SetVector.h"

#include <map>
#include <numeric>

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::cilk;

namespace {

/// A load, a store, or the result of a spawn: the operand that is the address, and the type of what is there.
struct Access {
  OpOperand *address;
  Type type;
};

/// An array in a local.
struct ArrayPart {
  int64_t start, bytes;
  Type element;
};

/// A place in a local: a constant distance from its start in bytes, and an index if the place is computed.
struct Place {
  int64_t distance = 0;
  Value index;                    ///< null for a constant place
  int64_t stride = 0;             ///< the bytes of one step of the index
  std::optional<ArrayPart> array; ///< what the index counts in, where the address says so
};

/// Everything that happens to one local, and its split.
class Local {
public:
  Local(LLVM::AllocaOp local, const DataLayout &layout) : local(local), layout(layout), builder(local) {}

  /// Collects the uses. Returns false if the local cannot be split.
  bool collect();

  /// Replaces the local by its parts. Adds variables that get no child's result to `plain`.
  void split(SmallVectorImpl<LLVM::AllocaOp> &plain);

private:
  bool collectUse(OpOperand &use);
  bool collectBranch(OpOperand &use);
  bool collectStep(LLVM::GEPOp step);
  std::optional<Place> placeOf(Value pointer);
  std::optional<ArrayPart> arrayAt(int64_t distance);
  bool findArrays();
  bool areSeparate();
  Value indexOf(Value pointer, const ArrayPart &array);
  void replaceWalks();
  void replaceAccesses(const ArrayPart &array);
  void fill(LLVM::AllocaOp part, Type type, int64_t distance, int64_t bytes);
  void erase();

  int64_t bytes() { return int64_t(allocSize(layout, local.getElemType())); }
  int64_t sizeOf(Type type) { return int64_t(storeSize(layout, type)); }

  LLVM::AllocaOp local;
  const DataLayout &layout;
  OpBuilder builder;
  llvm::SetVector<Value> pointers; ///< the local's address, and those that are computed from it
  SmallVector<Access> accesses;
  llvm::SetVector<LLVM::ICmpOp> comparisons; ///< of two of the pointers
  SmallVector<LLVM::MemsetOp> fills;         ///< of the whole local
  llvm::SetVector<BlockArgument> walks;
  bool hasSpawn = false;
  std::map<int64_t, ArrayPart> arrays; ///< by their starts
  llvm::DenseMap<Value, Value> indices;
  llvm::DenseMap<Value, Place> places;
};

/// Returns the type of what an operation reads or writes at the address `use`; null if it does something else with the
/// address.
Type accessedType(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto spawn = dyn_cast<SpawnOp>(op)) {
    bool isDest = spawn.getDest() && &use == &spawn.getDestMutable()[0];
    return isDest && spawn.getResultType() ? *spawn.getResultType() : Type();
  }
  auto isPlain = [](auto access) {
    return !access.getVolatile_() && access.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  };
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return isPlain(load) ? load.getType() : Type();
  auto store = dyn_cast<LLVM::StoreOp>(op);
  return store && use.get() != store.getValue() && isPlain(store) ? store.getValue().getType() : Type();
}

/// Returns the comparison of signed numbers that corresponds to one of addresses.
LLVM::ICmpPredicate signedForm(LLVM::ICmpPredicate predicate) {
  using Predicate = LLVM::ICmpPredicate;
  switch (predicate) {
  case Predicate::ult:
    return Predicate::slt;
  case Predicate::ule:
    return Predicate::sle;
  case Predicate::ugt:
    return Predicate::sgt;
  case Predicate::uge:
    return Predicate::sge;
  default:
    return predicate;
  }
}

} // namespace

//===-- Uses of a local ---------------------------------------------------------------------------------------------//

bool Local::collect() {
  if (!isa<LLVM::LLVMArrayType, LLVM::LLVMStructType>(local.getElemType()) || !isConstant(local.getArraySize(), 1))
    return false;
  pointers.insert(local);
  for (size_t i = 0; i < pointers.size(); ++i)
    for (OpOperand &use : pointers[i].getUses())
      if (!collectUse(use))
        return false;
  // What is compared, and what comes to a walking pointer, must be places in this local.
  for (LLVM::ICmpOp compare : comparisons)
    if (!pointers.contains(compare.getLhs()) || !pointers.contains(compare.getRhs()))
      return false;
  for (BlockArgument walk : walks)
    for (auto it = walk.getOwner()->pred_begin(), end = walk.getOwner()->pred_end(); it != end; ++it) {
      auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
      if (!branch || !pointers.contains(branch.getSuccessorOperands(it.getSuccessorIndex())[walk.getArgNumber()]))
        return false;
    }
  return hasSpawn && findArrays() && areSeparate();
}

bool Local::collectUse(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto step = dyn_cast<LLVM::GEPOp>(user))
    return use.getOperandNumber() == 0 && collectStep(step);
  if (auto compare = dyn_cast<LLVM::ICmpOp>(user)) {
    comparisons.insert(compare);
    return true;
  }
  if (successorOf(use))
    return collectBranch(use);
  if (auto memset = dyn_cast<LLVM::MemsetOp>(user)) {
    fills.push_back(memset);
    return use.get() == local && isConstant(memset.getLen(), bytes()) && isConstant(memset.getVal(), 0) &&
           !memset.getIsVolatile();
  }
  Type type = accessedType(use);
  if (!type)
    return false;
  hasSpawn |= isa<SpawnOp>(user);
  accesses.push_back({&use, type});
  return true;
}

bool Local::collectBranch(OpOperand &use) {
  auto branch = cast<BranchOpInterface>(use.getOwner());
  unsigned successor = *successorOf(use);
  auto operands = branch.getSuccessorOperands(successor);
  for (BlockArgument argument : use.getOwner()->getSuccessor(successor)->getArguments())
    if (operands.getOperandIndex(argument.getArgNumber()) == use.getOperandNumber()) {
      walks.insert(argument);
      pointers.insert(argument);
      return true;
    }
  return false;
}

bool Local::collectStep(LLVM::GEPOp step) {
  std::optional<SmallVector<AddressTerm>> terms = displacement(step, layout);
  if (!terms || llvm::count_if(*terms, [](const AddressTerm &term) { return bool(term.index); }) > 1)
    return false;
  pointers.insert(step);
  return true;
}

/// Returns the terms of an address of which it is known that it has some. A loop over them needs a list of its own.
static SmallVector<AddressTerm> termsOf(LLVM::GEPOp step, const DataLayout &layout) {
  return *displacement(step, layout);
}

//===-- Places ------------------------------------------------------------------------------------------------------//

/// Returns the place of a pointer that was not computed from a walking one; nothing if two indices lead to it.
std::optional<Place> Local::placeOf(Value pointer) {
  if (pointer == local)
    return Place();
  auto step = pointer.getDefiningOp<LLVM::GEPOp>();
  std::optional<Place> place = step ? placeOf(step.getBase()) : std::nullopt;
  if (!place)
    return {};
  auto array = dyn_cast<LLVM::LLVMArrayType>(step.getElemType());
  bool isElement = array && step.getRawConstantIndices().size() == 2;
  for (const AddressTerm &term : termsOf(step, layout)) {
    if (term.index && place->index)
      return {};
    if (!term.index) {
      place->distance += term.stride;
      continue;
    }
    place->index = term.index, place->stride = term.stride;
    if (isElement)
      place->array = {place->distance, int64_t(allocSize(layout, array)), array.getElementType()};
  }
  return place;
}

/// Returns the outermost array of the local that contains the byte.
std::optional<ArrayPart> Local::arrayAt(int64_t distance) {
  int64_t start = 0;
  Type type = local.getElemType();
  while (auto record = dyn_cast<LLVM::LLVMStructType>(type)) {
    int64_t at = 0;
    Type found;
    for (Type member : record.getBody()) {
      at = llvm::alignTo(at, record.isPacked() ? 1 : layout.getTypeABIAlignment(member));
      int64_t next = at + int64_t(allocSize(layout, member));
      if (distance - start >= at && distance - start < next) {
        found = member;
        break;
      }
      at = next;
    }
    if (!found)
      return {};
    start += at;
    type = found;
  }
  auto array = dyn_cast<LLVM::LLVMArrayType>(type);
  if (!array || isa<LLVM::LLVMArrayType, LLVM::LLVMStructType>(array.getElementType()))
    return {};
  return ArrayPart{start, int64_t(allocSize(layout, type)), array.getElementType()};
}

/// Finds the arrays that are accessed at computed places.
bool Local::findArrays() {
  if (!walks.empty()) { // the local must be one array, so that each distance is an index
    std::optional<ArrayPart> array = arrayAt(0);
    if (!array || array->bytes != bytes())
      return false;
    arrays[0] = *array;
  }
  for (const Access &access : accesses) {
    std::optional<Place> place = placeOf(access.address->get());
    if (walks.empty() && !place)
      return false;
    if (!walks.empty() || !place->index)
      continue;
    std::optional<ArrayPart> array = place->array ? place->array : arrayAt(place->distance);
    if (!array)
      return false;
    auto [known, isNew] = arrays.try_emplace(array->start, *array);
    if (!isNew && known->second.bytes != array->bytes)
      return false;
  }
  return walks.empty() ? comparisons.empty() : true;
}

/// Returns true if all accesses of an array access whole elements, and no other two accesses overlap.
bool Local::areSeparate() {
  std::map<int64_t, Type> scalars;
  for (const Access &access : accesses) {
    std::optional<Place> place = walks.empty() ? placeOf(access.address->get()) : std::nullopt;
    int64_t distance = place ? place->distance : 0;
    auto array = arrays.upper_bound(distance);
    bool inArray =
        array != arrays.begin() && distance < std::prev(array)->second.start + std::prev(array)->second.bytes;
    if (inArray) {
      const ArrayPart &part = std::prev(array)->second;
      int64_t size = sizeOf(part.element);
      if (access.type != part.element || (distance - part.start) % size != 0 ||
          (place && place->index && place->stride != size))
        return false;
      continue;
    }
    Type &known = scalars[distance];
    if (known && known != access.type)
      return false;
    known = access.type;
  }
  // A walking pointer moves by whole elements.
  for (Value pointer : pointers)
    if (auto step = pointer.getDefiningOp<LLVM::GEPOp>(); step && !walks.empty())
      for (const AddressTerm &term : termsOf(step, layout)) {
        int64_t size = sizeOf(arrays[0].element);
        if (term.index ? term.stride != size : term.stride % size != 0)
          return false;
      }
  int64_t end = 0;
  for (auto &[start, array] : arrays) {
    if (start < end || start + array.bytes > bytes() || array.bytes % sizeOf(array.element) != 0)
      return false;
    end = start + array.bytes;
  }
  end = 0;
  for (auto &[distance, type] : scalars) {
    if (distance < end)
      return false;
    end = distance + sizeOf(type);
    auto next = arrays.lower_bound(distance);
    if (end > bytes() || (next != arrays.end() && end > next->first))
      return false;
  }
  return true;
}

//===-- The split ---------------------------------------------------------------------------------------------------//

/// Returns the index, of 64 bits, at which `pointer` points into the array. The code for it is made where the pointer
/// is computed.
Value Local::indexOf(Value pointer, const ArrayPart &array) {
  auto known = indices.find(pointer);
  if (known != indices.end())
    return known->second;
  auto constant = [&](int64_t value) {
    return LLVM::ConstantOp::create(builder, local.getLoc(), builder.getI64IntegerAttr(value)).getResult();
  };
  int64_t size = sizeOf(array.element), distance = -array.start;
  Value index;
  auto step = pointer.getDefiningOp<LLVM::GEPOp>();
  if (step && walks.empty()) {
    distance += places.at(pointer).distance;
    index = places.at(pointer).index;
  } else if (step) {
    index = indexOf(step.getBase(), array);
    if (isConstant(index, 0))
      index = {};
    for (const AddressTerm &term : termsOf(step, layout))
      if (!term.index)
        distance += term.stride;
  }
  if (step)
    builder.setInsertionPoint(step);
  else
    builder.setInsertionPoint(local);
  auto extended = [&](Value value) -> Value {
    return value.getType().isInteger(64) ? value
                                         : LLVM::SExtOp::create(builder, step.getLoc(), builder.getI64Type(), value);
  };
  if (index)
    index = extended(index);
  if (step && !walks.empty())
    for (const AddressTerm &term : termsOf(step, layout))
      if (term.index)
        index = index ? LLVM::AddOp::create(builder, step.getLoc(), index, extended(term.index)) : extended(term.index);
  if (!index)
    index = constant(distance / size);
  else if (distance != 0)
    index = LLVM::AddOp::create(builder, step.getLoc(), index, constant(distance / size));
  return indices[pointer] = index;
}

/// Makes indices of the pointers that walk through the local's only array.
void Local::replaceWalks() {
  const ArrayPart &array = arrays[0];
  for (BlockArgument walk : walks)
    indices[walk] = walk.getOwner()->addArgument(builder.getI64Type(), walk.getLoc());
  for (BlockArgument walk : walks)
    for (auto it = walk.getOwner()->pred_begin(), end = walk.getOwner()->pred_end(); it != end; ++it) {
      auto operands = cast<BranchOpInterface>((*it)->getTerminator()).getSuccessorOperands(it.getSuccessorIndex());
      operands.append(indexOf(operands[walk.getArgNumber()], array));
    }
  for (LLVM::ICmpOp compare : comparisons) {
    compare->setOperand(0, indexOf(compare.getLhs(), array));
    compare->setOperand(1, indexOf(compare.getRhs(), array));
    compare.setPredicate(signedForm(compare.getPredicate())); // an index may lie before the array
  }
}

void Local::replaceAccesses(const ArrayPart &array) {
  builder.setInsertionPoint(local);
  int64_t size = sizeOf(array.element);
  auto type = LLVM::LLVMArrayType::get(array.element, array.bytes / size);
  uint64_t alignment = local.getAlignment().value_or(layout.getTypeABIAlignment(local.getElemType()));
  auto own = LLVM::AllocaOp::create(builder, local.getLoc(), local.getType(), type, local.getArraySize(),
                                    unsigned(std::gcd(alignment, uint64_t(array.start))));
  fill(own, {}, array.start, array.bytes);
  for (const Access &access : accesses) {
    Value pointer = access.address->get();
    if (walks.empty() &&
        (places.at(pointer).distance < array.start || places.at(pointer).distance >= array.start + array.bytes))
      continue;
    Value index = indexOf(pointer, array);
    Operation *owner = access.address->getOwner();
    builder.setInsertionPoint(owner);
    access.address->set(LLVM::GEPOp::create(builder, owner->getLoc(), local.getType(), type, own,
                                            ArrayRef<LLVM::GEPArg>{0, index}, LLVM::GEPNoWrapFlags::inbounds));
  }
}

/// Clears a part where the program clears the whole local. `type` is null for an array.
void Local::fill(LLVM::AllocaOp part, Type type, int64_t distance, int64_t bytes) {
  for (LLVM::MemsetOp memset : fills) {
    OpBuilder at(memset);
    if (type) {
      TypedAttr zero = at.getZeroAttr(type); // null for pointers
      Value cleared = zero ? LLVM::ConstantOp::create(at, memset.getLoc(), zero).getResult()
                           : LLVM::ZeroOp::create(at, memset.getLoc(), type).getResult();
      LLVM::StoreOp::create(at, memset.getLoc(), cleared, part);
    } else {
      Value length = LLVM::ConstantOp::create(at, memset.getLoc(), memset.getLen().getType(), bytes);
      LLVM::MemsetOp::create(at, memset.getLoc(), part, memset.getVal(), length, /*isVolatile=*/false);
    }
  }
}

void Local::split(SmallVectorImpl<LLVM::AllocaOp> &plain) {
  if (walks.empty())
    for (Value pointer : pointers)
      places[pointer] = *placeOf(pointer);
  else
    replaceWalks();
  for (auto &[start, array] : arrays)
    replaceAccesses(array);
  std::map<int64_t, LLVM::AllocaOp> scalars;
  uint64_t alignment = local.getAlignment().value_or(layout.getTypeABIAlignment(local.getElemType()));
  llvm::SmallPtrSet<Operation *, 4> results;
  for (const Access &access : accesses) {
    Value pointer = access.address->get();
    if (!pointers.contains(pointer)) // in an array
      continue;
    int64_t distance = places.at(pointer).distance;
    LLVM::AllocaOp &own = scalars[distance];
    if (!own) {
      builder.setInsertionPoint(local);
      own = LLVM::AllocaOp::create(builder, local.getLoc(), local.getType(), access.type, local.getArraySize(),
                                   unsigned(std::gcd(alignment, uint64_t(distance))));
      fill(own, access.type, distance, sizeOf(access.type));
    }
    access.address->set(own);
    if (isa<SpawnOp>(access.address->getOwner()))
      results.insert(own);
  }
  for (auto &[distance, own] : scalars)
    if (!results.contains(own))
      plain.push_back(own);
  erase();
}

/// Erases the local and the pointers into it, which nothing accesses any more.
void Local::erase() {
  for (LLVM::MemsetOp memset : fills)
    memset.erase();
  for (BlockArgument walk : walks)
    for (auto it = walk.getOwner()->pred_begin(), end = walk.getOwner()->pred_end(); it != end; ++it)
      cast<BranchOpInterface>((*it)->getTerminator())
          .getSuccessorOperands(it.getSuccessorIndex())
          .erase(walk.getArgNumber());
  // A pointer is behind those that it is computed from, but walks are anywhere.
  SmallVector<BlockArgument> arguments;
  for (Value pointer : llvm::reverse(pointers.getArrayRef()))
    if (auto walk = dyn_cast<BlockArgument>(pointer))
      arguments.push_back(walk);
    else
      pointer.getDefiningOp()->dropAllUses(), pointer.getDefiningOp()->erase();
  for (BlockArgument walk : arguments) {
    walk.dropAllUses();
    walk.getOwner()->eraseArgument(walk.getArgNumber());
  }
}

void cilk2gpu::cilk::splitLocals(LLVM::LLVMFuncOp task, const DataLayout &layout) {
  SmallVector<LLVM::AllocaOp> plain;
  for (auto local : llvm::make_early_inc_range(task.getBody().front().getOps<LLVM::AllocaOp>())) {
    Local parts(local, layout);
    if (parts.collect())
      parts.split(plain);
  }
  if (plain.empty())
    return;
  OpBuilder builder(task);
  DominanceInfo dominance(task);
  SmallVector<PromotableAllocationOpInterface> slots(plain.begin(), plain.end());
  (void)tryToPromoteMemorySlots(slots, builder, layout, dominance);
}
