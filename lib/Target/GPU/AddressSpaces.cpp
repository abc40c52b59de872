// See AddressSpaces.h.
#include "AddressSpaces.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2gpu;

static bool isDropped(unsigned space) { return space > 0 && space < kFirstHostSpace; }

namespace {

/// Changes types, then the values that have these types.
class AddressSpaces {
public:
  explicit AddressSpaces(Module &device) : device(device) {}
  void drop();

private:
  bool isChanged(Type *type) { return typeFor(type) != type; }
  bool isChanged(Instruction &inst);
  bool any();
  Type *typeFor(Type *type);
  Type *structFor(StructType *type);
  Constant *constantFor(Constant *value);
  Constant *createConstant(Constant *value);
  void replace(GlobalVariable &variable);
  void replace(Function &function);
  void change(Instruction &inst);

  Module &device;
  DenseMap<Type *, Type *> types;
  DenseMap<Constant *, Constant *> constants; ///< replacements of constants, variables and functions
};

} // namespace

//===-- Types -----------------------------------------------------------------------------------------------------===//

Type *AddressSpaces::structFor(StructType *type) {
  SmallVector<Type *> elements;
  for (Type *element : type->elements())
    elements.push_back(typeFor(element));
  if (elements == type->elements())
    return type;
  return type->isLiteral() ? StructType::get(type->getContext(), elements, type->isPacked())
                           : StructType::create(elements, type->getName(), type->isPacked());
}

Type *AddressSpaces::typeFor(Type *type) {
  if (auto known = types.find(type); known != types.end())
    return known->second;
  Type *result = type;
  if (auto *pointer = dyn_cast<PointerType>(type); pointer && isDropped(pointer->getAddressSpace())) {
    result = PointerType::get(type->getContext(), 0);
  } else if (auto *record = dyn_cast<StructType>(type)) {
    result = structFor(record);
  } else if (auto *array = dyn_cast<ArrayType>(type)) {
    result = ArrayType::get(typeFor(array->getElementType()), array->getNumElements());
  } else if (auto *vector = dyn_cast<VectorType>(type)) {
    result = VectorType::get(typeFor(vector->getElementType()), vector->getElementCount());
  } else if (auto *function = dyn_cast<FunctionType>(type)) {
    SmallVector<Type *> parameters;
    for (Type *parameter : function->params())
      parameters.push_back(typeFor(parameter));
    result = FunctionType::get(typeFor(function->getReturnType()), parameters, function->isVarArg());
  }
  return types[type] = result;
}

bool AddressSpaces::isChanged(Instruction &inst) {
  auto *local = dyn_cast<AllocaInst>(&inst);
  auto *element = dyn_cast<GetElementPtrInst>(&inst);
  return isChanged(inst.getType()) || (local && isChanged(local->getAllocatedType())) ||
         (element && isChanged(element->getSourceElementType())) ||
         any_of(inst.operand_values(), [&](Value *operand) { return isChanged(operand->getType()); });
}

/// Returns true if the module has pointers that must change. Most programs have none.
bool AddressSpaces::any() {
  return any_of(device.global_values(),
                [&](GlobalValue &value) { return isChanged(value.getType()) || isChanged(value.getValueType()); }) ||
         any_of(device, [&](Function &function) {
           return any_of(instructions(function), [&](Instruction &inst) { return isChanged(inst); });
         });
}

//===-- Values ----------------------------------------------------------------------------------------------------===//

Constant *AddressSpaces::createConstant(Constant *value) {
  Type *type = typeFor(value->getType());
  SmallVector<Constant *> operands;
  for (Value *operand : value->operand_values())
    operands.push_back(constantFor(cast<Constant>(operand)));
  if (auto *expression = dyn_cast<ConstantExpr>(value)) {
    if (expression->getOpcode() == Instruction::AddrSpaceCast && operands[0]->getType() == type)
      return operands[0];
    auto *element = dyn_cast<GEPOperator>(value);
    return expression->getWithOperands(operands, type, false,
                                       element ? typeFor(element->getSourceElementType()) : nullptr);
  }
  if (auto *record = dyn_cast<StructType>(type); record && isa<ConstantStruct>(value))
    return ConstantStruct::get(record, operands);
  if (auto *array = dyn_cast<ArrayType>(type); array && isa<ConstantArray>(value))
    return ConstantArray::get(array, operands);
  if (isa<ConstantVector>(value))
    return ConstantVector::get(operands);
  if (isa<PoisonValue>(value))
    return PoisonValue::get(type);
  if (isa<UndefValue>(value))
    return UndefValue::get(type);
  return value->isNullValue() ? Constant::getNullValue(type) : value;
}

Constant *AddressSpaces::constantFor(Constant *value) {
  if (auto known = constants.find(value); known != constants.end())
    return known->second;
  bool isLeaf = isa<GlobalValue, BlockAddress, ConstantData>(value) && !isChanged(value->getType());
  Constant *result = isLeaf ? value : createConstant(value);
  return constants[value] = result;
}

void AddressSpaces::replace(GlobalVariable &variable) {
  auto *replacement = new GlobalVariable(device, typeFor(variable.getValueType()), variable.isConstant(),
                                         variable.getLinkage(), nullptr, "", &variable, variable.getThreadLocalMode());
  replacement->copyAttributesFrom(&variable);
  replacement->copyMetadata(&variable, 0);
  replacement->takeName(&variable);
  constants[&variable] = replacement;
}

void AddressSpaces::replace(Function &function) {
  auto *type = cast<FunctionType>(typeFor(function.getFunctionType()));
  SmallVector<Type *> overloads;
  if (function.isIntrinsic() && Intrinsic::getIntrinsicSignature(function.getIntrinsicID(), type, overloads)) {
    constants[&function] = Intrinsic::getOrInsertDeclaration(&device, function.getIntrinsicID(), overloads);
    return;
  }
  auto *replacement = Function::Create(type, function.getLinkage(), function.getAddressSpace());
  device.getFunctionList().insert(function.getIterator(), replacement);
  replacement->copyAttributesFrom(&function);
  replacement->copyMetadata(&function, 0);
  replacement->takeName(&function);
  replacement->splice(replacement->begin(), &function);
  for (auto [before, after] : zip(function.args(), replacement->args())) {
    before.mutateType(after.getType());
    before.replaceAllUsesWith(&after);
  }
  constants[&function] = replacement;
}

void AddressSpaces::change(Instruction &inst) {
  for (Use &operand : inst.operands())
    if (auto *value = dyn_cast<Constant>(operand))
      operand = constantFor(value);
  inst.mutateType(typeFor(inst.getType()));
  if (auto *local = dyn_cast<AllocaInst>(&inst))
    local->setAllocatedType(typeFor(local->getAllocatedType()));
  if (auto *element = dyn_cast<GetElementPtrInst>(&inst)) {
    element->setSourceElementType(typeFor(element->getSourceElementType()));
    element->setResultElementType(typeFor(element->getResultElementType()));
  }
  if (auto *call = dyn_cast<CallBase>(&inst))
    call->mutateFunctionType(cast<FunctionType>(typeFor(call->getFunctionType())));
}

void AddressSpaces::drop() {
  if (!any())
    return;
  SmallVector<GlobalVariable *> variables;
  for (GlobalVariable &variable : device.globals())
    if (isChanged(variable.getType()) || isChanged(variable.getValueType()))
      variables.push_back(&variable);
  SmallVector<Function *> functions;
  for (Function &function : device)
    if (isChanged(function.getFunctionType()))
      functions.push_back(&function);
  for (GlobalVariable *variable : variables)
    replace(*variable);
  for (Function *function : functions)
    replace(*function);
  for (GlobalVariable *variable : variables)
    if (variable->hasInitializer())
      cast<GlobalVariable>(constants[variable])->setInitializer(constantFor(variable->getInitializer()));
  for (GlobalVariable &variable : device.globals())
    if (variable.hasInitializer() && !constants.contains(&variable))
      variable.setInitializer(constantFor(variable.getInitializer()));
  for (GlobalAlias &alias : device.aliases())
    alias.setAliasee(constantFor(alias.getAliasee()));
  SmallVector<Instruction *> casts; // casts between address spaces that have become the same
  for (Function &function : device)
    for (Instruction &inst : instructions(function)) {
      change(inst);
      if (isa<AddrSpaceCastInst>(inst) && inst.getType()->isPtrOrPtrVectorTy())
        casts.push_back(&inst);
    }
  for (Instruction *cast : casts)
    if (cast->getType() == cast->getOperand(0)->getType()) {
      cast->replaceAllUsesWith(cast->getOperand(0));
      cast->eraseFromParent();
    }
  for (GlobalVariable *variable : variables) {
    variable->setInitializer(nullptr);
    variable->removeDeadConstantUsers();
  }
  for (GlobalVariable *variable : variables)
    variable->eraseFromParent();
  for (Function *function : functions) {
    function->removeDeadConstantUsers();
    function->eraseFromParent();
  }
}

void cilk2gpu::dropAddressSpaces(Module &device) { AddressSpaces(device).drop(); }
