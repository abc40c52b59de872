// See Units.h.
#include "Units.h"

#include "cilk2gpu/Target/Device/DeviceModule.h"

using namespace llvm;
using namespace cilk2gpu;

/// What other names of functions and variables are declared as.
static GlobalValue *declare(GlobalValue &value) {
  if (auto *type = dyn_cast<FunctionType>(value.getValueType()))
    return Function::Create(type, GlobalValue::ExternalLinkage, value.getAddressSpace(), "", value.getParent());
  return new GlobalVariable(*value.getParent(), value.getValueType(), /*isConstant=*/false, GlobalValue::ExternalLinkage, nullptr,
                            "", nullptr, value.getThreadLocalMode(), value.getAddressSpace());
}

/// Leaves a declaration.
static void dropDefinition(GlobalValue &value) {
  if (auto *function = dyn_cast<Function>(&value)) {
    function->deleteBody();
  } else if (auto *variable = dyn_cast<GlobalVariable>(&value)) {
    variable->setInitializer(nullptr);
    variable->setLinkage(GlobalValue::ExternalLinkage);
    variable->clearMetadata();
  } else {
    GlobalValue *other = declare(value);
    other->takeName(&value);
    value.replaceAllUsesWith(other);
    value.eraseFromParent();
  }
}

/// Drops definitions in whose place the program has those of other objects, for which there may be no device code. What C++
/// lets many files define is the same in all of them.
static void dropReplaced(Module &unit, const LinkedObject &object, const LinkInputs &inputs) {
  SmallVector<GlobalValue *> values(make_pointer_range(unit.global_values()));
  for (GlobalValue *value : values) {
    if (value->isDeclarationForLinker() || value->hasLocalLinkage() || value->hasLinkOnceODRLinkage() || value->hasWeakODRLinkage())
      continue;
    const LinkedObject *definer = inputs.definerOf(value->getName().ltrim('\1'));
    if (definer && definer != &object)
      dropDefinition(*value);
  }
}

Expected<std::vector<std::unique_ptr<Module>>> cilk2gpu::readUnits(const LinkInputs &inputs, LLVMContext &context) {
  std::vector<std::unique_ptr<Module>> units;
  for (const LinkedObject &object : inputs.objects()) {
    SmallVector<std::unique_ptr<Module>> modules;
    if (Error error = readDeviceModules(object.buffer, object.name(), context, modules))
      return error;
    for (std::unique_ptr<Module> &unit : modules) {
      dropReplaced(*unit, object, inputs);
      units.push_back(std::move(unit));
    }
  }
  return units;
}
