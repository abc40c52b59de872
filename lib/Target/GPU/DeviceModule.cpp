// See DeviceModule.h.
#include "cilk2gpu/Target/GPU/DeviceModule.h"

#include "AddressSpaces.h"
#include "ExactMath.h"
#include "HostThunks.h"
#include "Versions.h"
#include "cilk2gpu/Support/Analyses.h"
#include "cilk2gpu/Support/Annotations.h"
#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/Support/SourceNames.h"
#include "cilk2gpu/Support/SourceTarget.h"
#include "cilk2gpu/Target/GPU/UnitPasses.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Coroutines/CoroEarly.h"
#include "llvm/Transforms/Coroutines/CoroSplit.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/LowerMatrixIntrinsics.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace cilk2gpu;

static constexpr char kOffloadSection[] = ".llvm.offloading", kProducer[] = "cilk2gpu";

/// Name of the section that collects the addresses of a program's variables; the linker marks its ends with symbols.
static constexpr char kAddressSection[] = "cilk2gpu_addresses";

/// Name of a unit's part of the section.
static constexpr char kAddressList[] = "__cilk2gpu_addresses";

/// Number of characters of a digest as text.
static constexpr size_t kDigestLength = 16;

static std::string digest(StringRef text) {
  MD5 hash;
  hash.update(text);
  MD5::MD5Result result;
  hash.final(result);
  return toHex(ArrayRef<uint8_t>(result).take_front(kDigestLength / 2), /*LowerCase=*/true);
}

std::string cilk2gpu::addressSlot(StringRef name) { return "__cilk2gpu_address_" + digest(name); }

/// Prefix of the units' prefixes; a digest and an underscore follow.
static constexpr char kPrefix[] = "__cilk2gpu_";

StringRef cilk2gpu::withoutPrefix(StringRef name) {
  StringRef local = name;
  bool isLocal = local.consume_front(kPrefix) && local.size() > kDigestLength && local[kDigestLength] == '_' &&
                 all_of(local.take_front(kDigestLength), isHexDigit);
  return isLocal ? local.drop_front(kDigestLength + 1) : name;
}

StringRef cilk2gpu::symbolOf(StringRef name) { return name.consume_front("host ") ? name.take_until(isSpace) : name; }

std::string cilk2gpu::writtenName(StringRef name) { return sourceName(withoutPrefix(symbolOf(name))); }

std::string cilk2gpu::deviceSymbolPrefix(const Module &module) {
  SmallString<256> text;
  sys::fs::current_path(text);
  text += module.getSourceFileName();
  raw_svector_ostream os(text);
  WriteBitcodeToFile(module, os);
  return kPrefix + digest(text) + "_";
}

//===-- Units -----------------------------------------------------------------------------------------------------===//

/// Named metadata of a device module that holds its unit's prefix.
static constexpr char kUnit[] = "cilk2gpu.unit";

static void notePrefix(Module &device, StringRef prefix) {
  LLVMContext &context = device.getContext();
  device.getOrInsertNamedMetadata(kUnit)->addOperand(MDNode::get(context, MDString::get(context, prefix)));
}

std::string cilk2gpu::unitPrefix(const Module &device) {
  return cast<MDString>(device.getNamedMetadata(kUnit)->getOperand(0)->getOperand(0))->getString().str();
}

std::string cilk2gpu::prefixOfCopy(StringRef prefix, uint64_t number) {
  return kPrefix + digest((prefix + "copy " + Twine(number)).str()) + "_";
}

void cilk2gpu::changePrefix(Module &device, StringRef from, StringRef to,
                            function_ref<void(StringRef before, StringRef after)> change) {
  SmallVector<GlobalValue *> values(make_pointer_range(device.global_values()));
  for (GlobalValue *value : values) {
    StringRef name = value->getName(), list = name.starts_with(kFunctionList) ? kFunctionList : "";
    if (!name.drop_front(list.size()).starts_with(from))
      continue;
    std::string before = name.str(), after = (list + to + name.drop_front(list.size() + from.size())).str();
    value->setName(after);
    change(addressSlot(before), addressSlot(after));
  }
}

//===-- Extracting ------------------------------------------------------------------------------------------------===//

static bool isKernel(const Function &function) { return function.hasFnAttribute(kDeviceKernelAttr); }

/// Creates `void SYMBOL(wave) { __cilk2gpu_device_run(wave, form, restarts) }`.
static void createEntry(Function &form, const Twine &symbol, bool restarts) {
  Module &module = *form.getParent();
  LLVMContext &context = module.getContext();
  Type *none = Type::getVoidTy(context), *pointer = PointerType::get(context, 0), *flag = Type::getInt32Ty(context);
  FunctionCallee run = module.getOrInsertFunction("__cilk2gpu_device_run", none, pointer, pointer, flag);
  auto *entry =
      Function::Create(FunctionType::get(none, {pointer}, false), GlobalValue::ExternalLinkage, symbol, module);
  entry->addFnAttr(kDeviceKernelAttr, entry->getName());
  if (form.hasFnAttribute(kDeviceElidesAttr))
    entry->addFnAttr(kDeviceElidesAttr);
  IRBuilder<> builder(BasicBlock::Create(context, "", entry));
  builder.CreateCall(run, {entry->getArg(0), &form, builder.getInt32(restarts)});
  builder.CreateRetVoid();
}

/// Gives definitions names that no other unit has, unless other units refer to them by name.
static void separateLocals(Module &device, StringRef prefix) {
  for (GlobalValue &value : device.global_values())
    if (!value.isDeclaration() && value.hasLocalLinkage() && !value.getName().starts_with(prefix))
      value.setName(Twine(prefix) + value.getName());
}

/// Drops parts that a device does not need: constructors, lists for the linker, the host's entries and tables of the
/// graph.
static void dropHostParts(Module &device) {
  for (StringRef list :
       {"llvm.global_ctors", "llvm.global_dtors", "llvm.used", "llvm.compiler.used", "llvm.global.annotations"})
    if (GlobalVariable *variable = device.getNamedGlobal(list))
      variable->eraseFromParent();
  device.setModuleInlineAsm("");
  // Flags about the host's code may differ from unit to unit.
  if (NamedMDNode *flags = device.getModuleFlagsMetadata())
    flags->eraseFromParent();
  device.addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
  if (Function *main = device.getFunction("main"); main && !main->isDeclaration())
    main->deleteBody();
  // Counters of a profile belong to the host.
  for (Function &function : make_early_inc_range(device.functions()))
    if (function.getName().starts_with("llvm.instrprof.")) {
      for (User *user : make_early_inc_range(function.users()))
        cast<Instruction>(user)->eraseFromParent();
      function.eraseFromParent();
    }
  for (Function &function : device) {
    function.setComdat(nullptr);
    if (function.hasFnAttribute(Attribute::OptimizeNone)) {
      function.removeFnAttr(Attribute::OptimizeNone);
      function.removeFnAttr(Attribute::NoInline);
    }
  }
  for (GlobalVariable &variable : device.globals())
    variable.setComdat(nullptr);
}

/// Section of data that only the compiler uses, such as the texts of annotations. This data has no address.
static constexpr StringLiteral kNotEmitted = "llvm.metadata";

/// Returns true if a constant contains addresses.
static bool hasAddresses(const Constant *value) {
  return isa<GlobalValue>(value) || any_of(value->operands(), [](const Use &operand) {
           auto *part = dyn_cast<Constant>(operand.get());
           return part && hasAddresses(part);
         });
}

bool cilk2gpu::isPrivateConstant(const GlobalVariable &variable) {
  if (!variable.isConstant() || !variable.hasDefinitiveInitializer() || hasAddresses(variable.getInitializer()))
    return false;
  SmallVector<const Value *> work{&variable};
  while (!work.empty())
    for (const User *user : work.pop_back_val()->users()) {
      if (isa<LoadInst>(user))
        continue;
      if (auto *copy = dyn_cast<MemTransferInst>(user); copy && copy->getRawDest() != &variable)
        continue;
      auto *expression = dyn_cast<ConstantExpr>(user);
      if (!isa<GetElementPtrInst>(user) && !(expression && expression->getOpcode() == Instruction::GetElementPtr))
        return false;
      work.push_back(user);
    }
  return true;
}

//===-- Addresses -------------------------------------------------------------------------------------------------===//

/// Returns true if a function has uses other than calls.
static bool isPointedAt(const Function &function) {
  return any_of(function.users(), [&](const User *user) {
    auto *call = dyn_cast<CallBase>(user);
    return !call || call->getCalledOperand() != &function;
  });
}

StringRef cilk2gpu::standsFor(const Function &function) {
  return function.getFnAttribute(kPointedAtAttr).getValueAsString();
}

PreservedAnalyses SplitCoroutinesPass::run(Module &module, ModuleAnalysisManager &) {
  if (none_of(module, [](const Function &function) { return function.isPresplitCoroutine(); }))
    return PreservedAnalyses::all();
  Analyses analyses;
  ModulePassManager passes;
  passes.addPass(CoroEarlyPass());
  passes.addPass(createModuleToPostOrderCGSCCPassAdaptor(CoroSplitPass(/*OptimizeFrame=*/true)));
  passes.run(module, analyses.modules);
  return PreservedAnalyses::none();
}

/// Marks functions that a C program may pass to wf_launch_graph.
static void markNodes(Module &module) {
  Function *launch = module.getFunction("wf_launch_graph");
  if (!launch || launch->use_empty())
    return;
  LLVMContext &context = module.getContext();
  auto *type =
      FunctionType::get(Type::getVoidTy(context), {Type::getInt64Ty(context), PointerType::get(context, 0)}, false);
  for (Function &function : module)
    if (function.hasFnAttribute(kPointedAtAttr) && function.getFunctionType() == type)
      function.addFnAttr(kBlockCallAttr);
}

PreservedAnalyses MarkPointedAtPass::run(Module &module, ModuleAnalysisManager &) {
  SmallPtrSet<Function *, 8> ofHost;
  forEachAnnotation(module, [&](Function &function, StringRef text) {
    if (text == kBlockHostAnnotation)
      ofHost.insert(&function);
    if (text == kGraphKernelAnnotation)
      function.addFnAttr(kGraphKernelAttr);
    if (text == kBlockCallAnnotation)
      function.addFnAttr(kBlockCallAttr);
  });
  forEachAnnotation<GlobalVariable>(module, [](GlobalVariable &variable, StringRef text) {
    if (text == kBlockIndexAnnotation)
      variable.addAttribute(kBlockIndexAttr);
    if (text == kBlockSharedAnnotation)
      variable.addAttribute(kBlockSharedAttr);
  });
  for (Function &function : module)
    if (!function.isIntrinsic() && !function.isVarArg() && isPointedAt(function) && function.getName() != "main" &&
        !ofHost.contains(&function) && function.getName() != kRegisterLinks)
      function.addFnAttr(kPointedAtAttr);
  markNodes(module);
  return PreservedAnalyses::all();
}

/// Makes stand-ins for functions that pointers may lead to and that are defined elsewhere: in device code of another
/// unit, in the device runtime, or only on the host. A stand-in calls the function.
static void standForOthers(Module &device) {
  SmallVector<Function *> others;
  for (Function &function : device)
    if (function.hasFnAttribute(kPointedAtAttr) && function.isDeclarationForLinker())
      others.push_back(&function);
  for (Function *other : others) {
    other->removeFnAttr(kPointedAtAttr);
    auto *function = Function::Create(other->getFunctionType(), GlobalValue::LinkOnceODRLinkage,
                                      "__cilk2gpu_called." + other->getName(), device);
    forward(*function, *other);
    function->addFnAttr(kPointedAtAttr, other->getName());
  }
}

/// Lists the functions that pointers may lead to in a variable whose name the device linker knows.
static void listFunctions(Module &device, StringRef prefix) {
  SmallVector<Constant *> functions;
  for (Function &function : device)
    if (function.hasFnAttribute(kPointedAtAttr) && !function.isDeclaration())
      functions.push_back(&function);
  if (functions.empty())
    return;
  auto *type = ArrayType::get(PointerType::get(device.getContext(), 0), functions.size());
  new GlobalVariable(device, type, true, GlobalValue::ExternalLinkage, ConstantArray::get(type, functions),
                     Twine(kFunctionList) + prefix);
}

namespace {

/// Lists the addresses of a unit's variables and functions that its device module refers to.
class AddressList {
public:
  explicit AddressList(Module &module) : module(module) {
    LLVMContext &context = module.getContext();
    Type *pointer = PointerType::get(context, 0);
    record = StructType::get(context, {pointer, pointer, Type::getInt64Ty(context)});
  }

  void add(const GlobalValue &inDevice, StringRef hostName);
  /// Adds `host`, whose name in device modules is `name`.
  void add(StringRef name, GlobalValue &host);
  void finish();

private:
  Module &module;
  StructType *record;
  SmallVector<Constant *> records;
};

} // namespace

void AddressList::add(const GlobalValue &inDevice, StringRef hostName) {
  GlobalValue *host = module.getNamedValue(hostName);
  if (host && !host->isThreadLocal())
    add(inDevice.getName(), *host);
}

void AddressList::add(StringRef name, GlobalValue &host) {
  LLVMContext &context = module.getContext();
  uint64_t bytes = isa<GlobalVariable>(host) && host.getValueType()->isSized()
                       ? module.getDataLayout().getTypeAllocSize(host.getValueType()).getFixedValue()
                       : 0;
  Constant *slot = ConstantDataArray::getString(context, addressSlot(name));
  auto *symbol = new GlobalVariable(module, slot->getType(), true, GlobalValue::PrivateLinkage, slot, "");
  Constant *fields[] = {symbol, &host, ConstantInt::get(Type::getInt64Ty(context), bytes)};
  records.push_back(ConstantStruct::get(record, fields));
}

/// Makes one variable for the list, so that the list has one section. Linkers that drop unused sections must keep it,
/// because lld does not count symbols of a section's ends as references.
void AddressList::finish() {
  if (records.empty())
    return;
  auto *type = ArrayType::get(record, records.size());
  auto *list = new GlobalVariable(module, type, false, GlobalValue::PrivateLinkage, ConstantArray::get(type, records),
                                  kAddressList);
  list->setSection(kAddressSection);
  list->setAlignment(Align(8));
  appendToUsed(module, {list});
}

/// Returns true if only lists of addresses, and thunks for devices, refer to a value.
static bool isOnlyListed(const Constant &value) {
  return all_of(value.users(), [](const User *user) {
    if (auto *inst = dyn_cast<Instruction>(user))
      return inst->getFunction()->getName().starts_with(kHostThunk);
    auto *variable = dyn_cast<GlobalVariable>(user);
    return variable ? variable->getName().starts_with(kAddressList)
                    : !isa<GlobalValue>(user) && isOnlyListed(*cast<Constant>(user));
  });
}

PreservedAnalyses WeakenListedPass::run(Module &module, ModuleAnalysisManager &) {
  if (!hasDeviceModule(module))
    return PreservedAnalyses::all();
  for (GlobalObject &value : module.global_objects()) {
    auto *function = dyn_cast<Function>(&value);
    if (!value.isDeclaration() || !value.hasExternalLinkage() || value.use_empty() ||
        (function && function->isIntrinsic()) || value.getName().starts_with("__cilk2gpu_") || !isOnlyListed(value))
      continue;
    value.setLinkage(GlobalValue::ExternalWeakLinkage);
    value.setDSOLocal(false);
  }
  return PreservedAnalyses::none();
}

/// Drops marks of device forms, which have no meaning on the host.
static void dropMarks(Module &module) {
  for (Function &function : module) {
    function.removeFnAttr(kDeviceKernelAttr);
    function.removeFnAttr(kDeviceResumesAttr);
    function.removeFnAttr(kDeviceElidesAttr);
    function.removeFnAttr(kPointedAtAttr);
    function.removeFnAttr(kGraphKernelAttr);
    function.removeFnAttr(kBlockCallAttr);
  }
}

/// Makes inline functions of C and templates of the C++ library local. Their other definitions are equivalent, and may
/// have no device code. Inline functions of the C library stay declarations, because the host or the device runtime has
/// versions of them.
static void keepInlineFunctions(Module &device) {
  TargetLibraryInfoImpl library(device.getTargetTriple());
  LibFunc known;
  for (Function &function : device)
    if (function.hasAvailableExternallyLinkage() && !library.getLibFunc(function, known))
      function.setLinkage(GlobalValue::LinkOnceODRLinkage);
}

/// Turns operations on matrices into operations on their elements, in the order of the host's code. Must run before
/// settleMulAdds decides how these are rounded.
static void lowerMatrices(Module &device) {
  Analyses analyses;
  FunctionPassManager passes;
  passes.addPass(LowerMatrixIntrinsicsPass());
  for (Function &function : device)
    if (any_of(instructions(function), [](const Instruction &inst) {
          auto *call = dyn_cast<IntrinsicInst>(&inst);
          return call && call->getCalledFunction()->getName().starts_with("llvm.matrix.");
        }))
      passes.run(function, analyses.functions);
}

std::unique_ptr<Module> cilk2gpu::extractDeviceModule(Module &module, StringRef prefix) {
  nameLocalVersions(module, prefix);
  std::unique_ptr<Module> device = CloneModule(module);
  dropHostParts(*device);
  resolveVersions(*device);
  dropAddressSpaces(*device);
  keepInlineFunctions(*device);
  lowerMatrices(*device);
  standForOthers(*device);
  for_each(*device, settleMulAdds); // GPUs would round once where the host may round twice
  SmallVector<Function *> forms;
  for (Function &function : *device)
    if (isKernel(function))
      forms.push_back(&function);
  for (Function *form : forms) {
    std::string symbol = form->getFnAttribute(kDeviceKernelAttr).getValueAsString().str();
    createEntry(*form, symbol, /*restarts=*/false);
    if (form->hasFnAttribute(kDeviceResumesAttr))
      createEntry(*form, restartSymbol(symbol), /*restarts=*/true);
    form->removeFnAttr(kDeviceKernelAttr);
    form->removeFnAttr(kDeviceResumesAttr);
    form->removeFnAttr(kDeviceElidesAttr);
  }
  listFunctions(*device, prefix);
  callMathFunctions(*device);
  ModuleAnalysisManager analyses;
  GlobalDCEPass().run(*device, analyses);
  dropMarks(module);
  if (all_of(*device, [](const Function &function) { return function.isDeclaration(); }))
    return nullptr;

  AddressList addresses(module);
  SmallVector<std::pair<GlobalValue *, std::string>> pointedAt;
  for (GlobalVariable &variable : device->globals())
    if (variable.getName().starts_with(kFunctionList))
      continue;
    else if (variable.getSection() == kNotEmitted)
      continue;
    else if (!isPrivateConstant(variable))
      pointedAt.emplace_back(&variable, variable.getName().str());
  for (Function &function : *device)
    if (!function.isIntrinsic() && isPointedAt(function) && module.getNamedValue(function.getName()))
      pointedAt.emplace_back(&function, function.getName().str());
  for (Function &function : *device)
    if (StringRef other = standsFor(function); !other.empty() && !isPointedAt(*device->getFunction(other)))
      pointedAt.emplace_back(device->getFunction(other), other.str());
  createHostThunks(module, *device, [&](StringRef key, Function &thunk) { addresses.add(key, thunk); });
  separateLocals(*device, prefix);
  for (auto &[value, hostName] : pointedAt)
    addresses.add(*value, hostName);
  addresses.finish();
  notePrefix(*device, prefix);
  return device;
}

bool cilk2gpu::hasGraphs(const Module &device) {
  return any_of(device, [](const Function &function) { return function.hasFnAttribute(kGraphKernelAttr); });
}

bool cilk2gpu::hasBlocks(const Module &device) {
  return any_of(device, [](const Function &function) { return function.hasFnAttribute(kBlockCallAttr); });
}

bool cilk2gpu::hasKernels(const Module &device) {
  return any_of(device, isKernel) || hasGraphs(device) || hasBlocks(device);
}

static constexpr char kOutline[] = "cilk2gpu.outline";

void cilk2gpu::addOutline(Module &device, StringRef text) {
  LLVMContext &context = device.getContext();
  std::string lines = ("of " + device.getSourceFileName() + ":\n" + text).str();
  device.getOrInsertNamedMetadata(kOutline)->addOperand(MDNode::get(context, MDString::get(context, lines)));
}

std::string cilk2gpu::outlineOf(const Module &device) {
  std::string text;
  if (const NamedMDNode *outlines = device.getNamedMetadata(kOutline))
    for (const MDNode *outline : outlines->operands())
      text += cast<MDString>(outline->getOperand(0))->getString();
  return text;
}

//===-- Embedding -------------------------------------------------------------------------------------------------===//

/// Named metadata of a unit that has an embedded device module.
static constexpr char kEmbedded[] = "cilk2gpu.embedded";

bool cilk2gpu::hasDeviceModule(const Module &module) { return module.getNamedMetadata(kEmbedded); }

/// Format of the embedded data. The number must change whenever a name, an attribute or metadata changes that the
/// device linker reads from a device module.
static constexpr char kForm[] = "3", kFormKey[] = "cilk2gpu-form", kDigestKey[] = "cilk2gpu-digest";

void cilk2gpu::embedDeviceModule(Module &module, Module &device) {
  module.getOrInsertNamedMetadata(kEmbedded);
  SmallString<0> bitcode;
  raw_svector_ostream os(bitcode);
  WriteBitcodeToFile(device, os);
  std::string triple = module.getTargetTriple().str(), contents = digest(bitcode);
  object::OffloadBinary::OffloadingImage image;
  image.TheImageKind = object::IMG_Bitcode;
  image.StringData["producer"] = kProducer;
  image.StringData["triple"] = triple;
  image.StringData[kFormKey] = kForm;
  image.StringData[kDigestKey] = contents;
  image.Image = MemoryBuffer::getMemBufferCopy(bitcode);
  SmallString<0> section = object::OffloadBinary::write(image);
  embedBufferInModule(module, MemoryBufferRef(section, ""), kOffloadSection,
                      Align(object::OffloadBinary::getAlignment()));
}

//===-- Reading ---------------------------------------------------------------------------------------------------===//

static Error isDamaged() { return createStringError("is damaged"); }

static Error cannotBeRead(Error why) {
  return createStringError("cannot be read (%s)", toString(std::move(why)).c_str());
}

/// Returns a part of the embedded data, or nothing if the data is too short.
template <typename T> static std::optional<T> partAt(StringRef contents, uint64_t offset) {
  T part;
  if (offset > contents.size() || contents.size() - offset < sizeof part)
    return std::nullopt;
  memcpy(&part, contents.data() + offset, sizeof part);
  return part;
}

static bool endsInside(StringRef contents, uint64_t text) {
  return text < contents.size() && contents.find('\0', text) != StringRef::npos;
}

/// Returns true if the binary at the beginning of `contents` is complete. LLVM's reader does not check the bounds of
/// the strings and of the image.
static bool isWhole(StringRef contents) {
  using object::OffloadBinary;
  auto header = partAt<OffloadBinary::Header>(contents, 0);
  if (!header || header->Size > contents.size())
    return false;
  StringRef own = contents.take_front(header->Size);
  auto entry = partAt<OffloadBinary::Entry>(own, header->EntryOffset);
  if (!entry || entry->ImageOffset > own.size() || entry->ImageSize > own.size() - entry->ImageOffset ||
      entry->StringOffset > own.size() || entry->NumStrings > own.size())
    return false;
  for (uint64_t i = 0; i < entry->NumStrings; ++i) {
    auto text = partAt<OffloadBinary::StringEntry>(own, entry->StringOffset + i * sizeof(OffloadBinary::StringEntry));
    if (!text || !endsInside(own, text->KeyOffset) || !endsInside(own, text->ValueOffset))
      return false;
  }
  return true;
}

/// Reads one binary after the other, and passes each to `use`.
static Error readBinaries(StringRef contents, function_ref<Error(const object::OffloadBinary &)> use) {
  while (!contents.empty()) {
    if (!isWhole(contents))
      return isDamaged();
    std::unique_ptr<MemoryBuffer> aligned = MemoryBuffer::getMemBufferCopy(contents);
    Expected<std::unique_ptr<object::OffloadBinary>> binary = object::OffloadBinary::create(*aligned);
    if (!binary)
      return cannotBeRead(binary.takeError());
    if (Error error = use(**binary))
      return error;
    contents = contents.drop_front((*binary)->getSize());
  }
  return Error::success();
}

/// Passes the contents of a file's sections for offloading to `use`. Other faults of the file are left to the linker's
/// messages.
static Error readSections(MemoryBufferRef file, function_ref<Error(StringRef contents)> use) {
  Expected<std::unique_ptr<object::ObjectFile>> object = object::ObjectFile::createObjectFile(file);
  if (!object) {
    consumeError(object.takeError());
    return Error::success();
  }
  for (const object::SectionRef &section : (*object)->sections()) {
    Expected<StringRef> name = section.getName();
    if (!name || *name != kOffloadSection) {
      consumeError(name.takeError());
      continue;
    }
    Expected<StringRef> contents = section.getContents();
    if (Error error = contents ? use(*contents) : cannotBeRead(contents.takeError()))
      return error;
  }
  return Error::success();
}

/// Does the same as readSections for LLVM bitcode, which is an object file for link-time optimisation.
static Error readVariables(MemoryBufferRef file, function_ref<Error(StringRef contents)> use) {
  LLVMContext context;
  Expected<std::unique_ptr<Module>> module = getLazyBitcodeModule(file, context, /*ShouldLazyLoadMetadata=*/true);
  if (!module) {
    consumeError(module.takeError());
    return Error::success();
  }
  for (const GlobalVariable &variable : (*module)->globals())
    if (variable.getSection() == kOffloadSection && variable.hasInitializer())
      if (auto *bytes = dyn_cast<ConstantDataSequential>(variable.getInitializer()))
        if (Error error = use(bytes->getRawDataValues()))
          return error;
  return Error::success();
}

/// Returns true if the texts before the image contain a name of this project, even if the data is damaged.
static bool isOwn(const object::OffloadBinary &binary) {
  StringRef all = binary.getData();
  return all.take_front(size_t(binary.getImage().data() - all.data())).contains(kProducer);
}

/// Reads a device module. Checks the format first, because another format may give other parts another meaning.
static Expected<std::unique_ptr<Module>> readModule(const object::OffloadBinary &binary, StringRef name,
                                                    LLVMContext &context) {
  if (binary.getString("producer") != kProducer)
    return isDamaged();
  StringRef form = binary.getString(kFormKey);
  if (form != kForm)
    return createStringError("was made by another version of cilk2gpu (form %s instead of %s)",
                             form.empty() ? "0" : form.str().c_str(), kForm);
  if (digest(binary.getImage()) != binary.getString(kDigestKey))
    return isDamaged();
  Expected<std::unique_ptr<Module>> module = parseBitcodeFile(MemoryBufferRef(binary.getImage(), name), context);
  return module ? std::move(module) : cannotBeRead(module.takeError());
}

Error cilk2gpu::readDeviceModules(MemoryBufferRef file, StringRef name, LLVMContext &context,
                                  SmallVectorImpl<std::unique_ptr<Module>> &modules) {
  auto readContents = [&](StringRef contents) {
    return readBinaries(contents, [&](const object::OffloadBinary &binary) -> Error {
      if (!isOwn(binary))
        return Error::success();
      Expected<std::unique_ptr<Module>> module = readModule(binary, name, context);
      if (!module)
        return module.takeError();
      modules.push_back(std::move(*module));
      return Error::success();
    });
  };
  bool isBitcode = identify_magic(file.getBuffer()) == file_magic::bitcode;
  Error error = isBitcode ? readVariables(file, readContents) : readSections(file, readContents);
  return error ? createStringError("the code for devices in '%s' %s; compile it again", name.str().c_str(),
                                   toString(std::move(error)).c_str())
               : Error::success();
}
