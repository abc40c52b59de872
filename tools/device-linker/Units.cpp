// See Units.h.
#include "Units.h"

#include "cilk2gpu/Target/GPU/DeviceModule.h"
#include "llvm/BinaryFormat/Magic.h"
#include <set>

using namespace llvm;
using namespace cilk2gpu;

/// Declares the function or variable that an alias names.
static GlobalValue *declare(GlobalValue &value) {
  if (auto *type = dyn_cast<FunctionType>(value.getValueType()))
    return Function::Create(type, GlobalValue::ExternalLinkage, value.getAddressSpace(), "", value.getParent());
  return new GlobalVariable(*value.getParent(), value.getValueType(), /*isConstant=*/false,
                            GlobalValue::ExternalLinkage, nullptr, "", nullptr, value.getThreadLocalMode(),
                            value.getAddressSpace());
}

/// Turns a definition into a declaration.
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

/// Drops definitions that the program replaces by definitions of other objects, perhaps without device code.
/// Definitions that C++ allows in many files are equal in all of them, and stay.
static void dropReplaced(Module &unit, const LinkedObject &object, const LinkInputs &inputs) {
  SmallVector<GlobalValue *> values(make_pointer_range(unit.global_values()));
  for (GlobalValue *value : values) {
    if (value->isDeclarationForLinker() || value->hasLocalLinkage() || value->hasLinkOnceODRLinkage() ||
        value->hasWeakODRLinkage())
      continue;
    const LinkedObject *definer = inputs.definerOf(value->getName().ltrim('\1'));
    if (definer && definer != &object)
      dropDefinition(*value);
  }
}

//===-- Copies ----------------------------------------------------------------------------------------------------===//

/// Gives a unit names of its own if it is a copy of a unit in `seen`, which lists the objects of each unit.
Error Units::separate(Module &unit, size_t object, StringMap<std::vector<size_t>> &seen) {
  std::string prefix = unitPrefix(unit);
  std::vector<size_t> &objects = seen[prefix];
  uint64_t number = objects.size();
  if (is_contained(objects, object))
    return createStringError(
        "'%s' has two copies of one file's tasks, but each copy needs an object of its own; link the objects "
        "without joining them first (-r)",
        inputs.objects()[object].name().c_str());
  objects.push_back(object);
  if (!number)
    return Error::success();
  std::string own = prefixOfCopy(prefix, number);
  Names &names = renamed[object];
  names[prefix] = own;
  changePrefix(unit, prefix, own, [&](StringRef before, StringRef after) { names[before] = after.str(); });
  return Error::success();
}

/// Replaces names in an object file by names of the same length. The names contain digests, so no other bytes of the
/// file are equal to them.
static std::string replaceNames(StringRef contents, const StringMap<std::string> &names) {
  std::set<size_t> sizes;
  for (const auto &name : names)
    sizes.insert(name.first().size());
  std::string result = contents.str();
  for (size_t at = 0; (at = contents.find("__cilk2gpu_", at)) != StringRef::npos; ++at)
    for (size_t size : sizes)
      if (auto name = names.find(contents.substr(at, size)); name != names.end())
        result.replace(at, size, name->second);
  return result;
}

Error Units::separateCopies() {
  for (const auto &[number, names] : renamed) {
    const LinkedObject &object = inputs.objects()[number];
    if (!object.archive.empty())
      return createStringError(
          "'%s' is a copy of another file of the program, and has tasks; name it on the command line as a file",
          object.name().c_str());
    if (identify_magic(object.buffer.getBuffer()) == file_magic::bitcode)
      return createStringError("'%s' is a copy of another file of the program, and has tasks; compile it without -flto",
                               object.name().c_str());
    inputs.change(number, replaceNames(object.buffer.getBuffer(), names));
  }
  return Error::success();
}

Expected<std::vector<std::unique_ptr<Module>>> Units::read(LLVMContext &context) {
  std::vector<std::unique_ptr<Module>> units;
  StringMap<std::vector<size_t>> seen;
  for (const auto &[number, object] : enumerate(inputs.objects())) {
    SmallVector<std::unique_ptr<Module>> modules;
    if (Error error = readDeviceModules(object.buffer, object.name(), context, modules))
      return error;
    for (std::unique_ptr<Module> &unit : modules) {
      dropReplaced(*unit, object, inputs);
      if (Error error = separate(*unit, number, seen))
        return error;
      units.push_back(std::move(unit));
    }
  }
  return units;
}
