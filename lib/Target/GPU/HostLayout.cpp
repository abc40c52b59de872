// See HostLayout.h.
#include "HostLayout.h"

#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

class LayoutKeeper {
public:
  LayoutKeeper(Module &program, const DataLayout &device)
      : program(program), host(program.getDataLayout()), device(device) {}

  void run();

private:
  bool differs(Type *type);
  bool isOtherwise(Type *type);
  void spellOut(GlobalVariable &variable);
  void spellOut(Instruction &inst);
  bool hasOtherAddresses(const User &user);
  void lowerConstants();
  Constant *bytesOf(Constant *value) const;
  uint64_t offsetIn(Type *type, unsigned index) const;
  Value *load(IRBuilder<> &builder, LoadInst &whole, Type *type, uint64_t offset);
  void store(IRBuilder<> &builder, StoreInst &whole, Value *value, uint64_t offset);
  void append(Constant *value, uint64_t offset, SmallVectorImpl<Constant *> &parts, uint64_t &filled);

  ArrayType *bytes(uint64_t count) const { return ArrayType::get(Type::getInt8Ty(program.getContext()), count); }
  uint64_t sizeOf(Type *type) const { return host.getTypeAllocSize(type).getFixedValue(); }

  Module &program;
  const DataLayout &host, &device;
  DenseMap<Type *, bool> known;
};

} // namespace

//===-- Types -----------------------------------------------------------------------------------------------------===//

static bool isAggregate(const Type *type) { return isa<StructType, ArrayType>(type); }

/// Returns true if host and device differ in a type's size, or in the offset of a member or element.
bool LayoutKeeper::differs(Type *type) {
  if (!type->isSized() || type->isScalableTy())
    return false;
  if (auto found = known.find(type); found != known.end())
    return found->second;
  bool result = isOtherwise(type);
  return known[type] = result;
}

bool LayoutKeeper::isOtherwise(Type *type) {
  if (host.getTypeAllocSize(type) != device.getTypeAllocSize(type))
    return true;
  if (auto *array = dyn_cast<ArrayType>(type))
    return differs(array->getElementType());
  auto *record = dyn_cast<StructType>(type);
  if (!record)
    return false;
  for (unsigned i = 0; i < record->getNumElements(); ++i)
    if (host.getStructLayout(record)->getElementOffset(i) != device.getStructLayout(record)->getElementOffset(i) ||
        differs(record->getElementType(i)))
      return true;
  return false;
}

/// Returns the offset of a member or an element.
uint64_t LayoutKeeper::offsetIn(Type *type, unsigned index) const {
  if (auto *record = dyn_cast<StructType>(type))
    return host.getStructLayout(record)->getElementOffset(index);
  return index * sizeOf(type->getArrayElementType());
}

static unsigned countParts(const Type *type) {
  return type->isStructTy() ? type->getStructNumElements() : unsigned(type->getArrayNumElements());
}

//===-- Constants -------------------------------------------------------------------------------------------------===//

/// Returns the bytes of an integer. Undefined bytes become zero.
Constant *LayoutKeeper::bytesOf(Constant *value) const {
  SmallVector<uint8_t> result(host.getTypeStoreSize(value->getType()).getFixedValue());
  if (auto *number = dyn_cast<ConstantInt>(value))
    for (unsigned i = 0; i < result.size(); ++i)
      result[i] = uint8_t(number->getValue().lshr(8 * i).trunc(8).getZExtValue());
  return ConstantDataArray::get(program.getContext(), result);
}

/// Appends the parts of a constant, and before each part the bytes of padding.
void LayoutKeeper::append(Constant *value, uint64_t offset, SmallVectorImpl<Constant *> &parts, uint64_t &filled) {
  if (isAggregate(value->getType()) && differs(value->getType())) {
    for (unsigned i = 0; i < countParts(value->getType()); ++i)
      append(value->getAggregateElement(i), offset + offsetIn(value->getType(), i), parts, filled);
    return;
  }
  if (differs(value->getType()))
    value = bytesOf(value);
  if (offset > filled)
    parts.push_back(Constant::getNullValue(bytes(offset - filled)));
  parts.push_back(value);
  filled = offset + sizeOf(value->getType());
}

/// Gives the variable the host's size, and puts its contents at the host's offsets, whatever layout the device has for
/// its type.
void LayoutKeeper::spellOut(GlobalVariable &variable) {
  Type *type = variable.getValueType();
  if (!differs(type))
    return;
  Type *placed = bytes(sizeOf(type));
  Constant *contents = nullptr;
  if (variable.hasInitializer()) {
    SmallVector<Constant *> parts;
    uint64_t filled = 0;
    append(variable.getInitializer(), 0, parts, filled);
    if (sizeOf(type) > filled)
      parts.push_back(Constant::getNullValue(bytes(sizeOf(type) - filled)));
    contents = ConstantStruct::getAnon(program.getContext(), parts, /*Packed=*/true);
    placed = contents->getType();
  }
  auto *spelled = new GlobalVariable(program, placed, variable.isConstant(), variable.getLinkage(), contents, "",
                                     &variable, variable.getThreadLocalMode(), variable.getAddressSpace());
  spelled->copyAttributesFrom(&variable);
  spelled->setAlignment(std::max(variable.getAlign().valueOrOne(), host.getABITypeAlign(type)));
  spelled->takeName(&variable);
  variable.replaceAllUsesWith(spelled);
  variable.eraseFromParent();
}

/// Returns true if a constant is the address of a member or an element whose offset differs on the device, or contains
/// such an address.
bool LayoutKeeper::hasOtherAddresses(const User &constant) {
  auto *address = dyn_cast<GEPOperator>(&constant);
  return (address && differs(address->getSourceElementType())) || any_of(constant.users(), [&](const User *user) {
           return isa<ConstantExpr>(user) && hasOtherAddresses(*user);
         });
}

/// Turns such addresses into instructions, one at each use.
void LayoutKeeper::lowerConstants() {
  SmallVector<Constant *> variables;
  for (GlobalVariable &variable : program.globals())
    if (hasOtherAddresses(variable))
      variables.push_back(&variable);
  convertUsersOfConstantsToInstructions(variables);
}

//===-- Instructions ----------------------------------------------------------------------------------------------===//

/// Loads the value at `offset` of a struct or an array.
Value *LayoutKeeper::load(IRBuilder<> &builder, LoadInst &whole, Type *type, uint64_t offset) {
  if (isAggregate(type) && differs(type)) {
    Value *value = PoisonValue::get(type);
    for (unsigned i = 0; i < countParts(type); ++i) {
      Value *part =
          load(builder, whole, type->getContainedType(type->isStructTy() ? i : 0), offset + offsetIn(type, i));
      value = builder.CreateInsertValue(value, part, i);
    }
    return value;
  }
  Value *at = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), whole.getPointerOperand(), offset);
  return builder.CreateAlignedLoad(type, at, commonAlignment(whole.getAlign(), offset), whole.isVolatile());
}

void LayoutKeeper::store(IRBuilder<> &builder, StoreInst &whole, Value *value, uint64_t offset) {
  Type *type = value->getType();
  if (isAggregate(type) && differs(type)) {
    for (unsigned i = 0; i < countParts(type); ++i)
      store(builder, whole, builder.CreateExtractValue(value, i), offset + offsetIn(type, i));
    return;
  }
  Value *at = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), whole.getPointerOperand(), offset);
  builder.CreateAlignedStore(value, at, commonAlignment(whole.getAlign(), offset), whole.isVolatile());
}

void LayoutKeeper::spellOut(Instruction &inst) {
  IRBuilder<> builder(&inst);
  Value *value = nullptr;
  if (auto *address = dyn_cast<GetElementPtrInst>(&inst); address && differs(address->getSourceElementType())) {
    Value *offset = emitGEPOffset(&builder, host, address);
    value = builder.CreatePtrAdd(address->getPointerOperand(), offset, "", address->getNoWrapFlags());
  } else if (auto *local = dyn_cast<AllocaInst>(&inst); local && differs(local->getAllocatedType())) {
    auto *spelled = new AllocaInst(bytes(sizeOf(local->getAllocatedType())), local->getAddressSpace(),
                                   local->getArraySize(), local->getAlign(), "", local->getIterator());
    spelled->takeName(local);
    value = spelled;
  } else if (auto *loaded = dyn_cast<LoadInst>(&inst);
             loaded && isAggregate(loaded->getType()) && differs(loaded->getType())) {
    value = load(builder, *loaded, loaded->getType(), 0);
  } else if (auto *stored = dyn_cast<StoreInst>(&inst); stored && isAggregate(stored->getValueOperand()->getType()) &&
                                                        differs(stored->getValueOperand()->getType())) {
    store(builder, *stored, stored->getValueOperand(), 0);
    inst.eraseFromParent();
    return;
  }
  if (!value)
    return;
  inst.replaceAllUsesWith(value);
  inst.eraseFromParent();
}

void LayoutKeeper::run() {
  lowerConstants();
  for (Function &function : program)
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      spellOut(inst);
  for (GlobalVariable &variable : make_early_inc_range(program.globals()))
    spellOut(variable);
}

void cilk2gpu::keepHostLayout(Module &program, const DataLayout &device) { LayoutKeeper(program, device).run(); }
