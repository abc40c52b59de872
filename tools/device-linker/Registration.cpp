// See Registration.h.
#include "Registration.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

class Registration {
public:
  explicit Registration(LLVMContext &context)
      : module("cilk2gpu images", context), builder(context), pointer(PointerType::get(context, 0)),
        i32(Type::getInt32Ty(context)), i64(Type::getInt64Ty(context)) {}

  Module &build(ArrayRef<BuiltImage> images);
  void refer(ArrayRef<std::string> symbols);

private:
  GlobalVariable *data(StringRef contents, const Twine &name, unsigned align);
  GlobalVariable *boundary(const char *name);
  GlobalVariable *record(const BuiltImage &image);

  Module module;
  IRBuilder<> builder;
  Type *pointer, *i32, *i64;
  GlobalVariable *firstAddress = nullptr;
};

} // namespace

GlobalVariable *Registration::data(StringRef contents, const Twine &name, unsigned align) {
  Constant *bytes = ConstantDataArray::getString(module.getContext(), contents, /*AddNull=*/false);
  auto *variable = new GlobalVariable(module, bytes->getType(), true, GlobalValue::InternalLinkage, bytes, name);
  variable->setAlignment(Align(align));
  return variable;
}

/// Returns a symbol that the linker defines at the start or end of a section whose name is an identifier. Without such
/// a section, the symbol is null.
GlobalVariable *Registration::boundary(const char *name) {
  auto *symbol = new GlobalVariable(module, pointer, false, GlobalValue::ExternalWeakLinkage, nullptr, name);
  symbol->setVisibility(GlobalValue::HiddenVisibility);
  return symbol;
}

GlobalVariable *Registration::record(const BuiltImage &image) {
  bool isText = !image.target.isAMD();
  std::string contents = image.contents;
  if (isText && !contents.empty())
    contents.push_back('\0');
  std::string arch = image.target.arch;
  arch.push_back('\0');
  auto *type = StructType::get(module.getContext(), {i32, i32, i32, i32, pointer, pointer, i64, pointer, i64});
  auto number = [&](Type *of, uint64_t value) { return ConstantInt::get(of, value); };
  Constant *fields[] = {number(i32, abi::kMagic),
                        number(i32, abi::kAbiVersion),
                        number(i32, uint32_t(image.target.kind)),
                        number(i32, image.target.waveSize),
                        data(arch, "arch", 1),
                        data(contents, "image", 4096), // drivers want code objects at a page
                        number(i64, contents.size()),
                        firstAddress,
                        number(i64, 0)}; // set at start-up
  return new GlobalVariable(module, type, false, GlobalValue::InternalLinkage, ConstantStruct::get(type, fields),
                            "__cilk2gpu_image");
}

Module &Registration::build(ArrayRef<BuiltImage> images) {
  firstAddress = boundary("__start_cilk2gpu_addresses");
  GlobalVariable *end = boundary("__stop_cilk2gpu_addresses");
  Type *none = Type::getVoidTy(module.getContext());
  auto *constructor = Function::Create(FunctionType::get(none, false), GlobalValue::InternalLinkage,
                                       "__cilk2gpu_register_images", module);
  FunctionCallee add = module.getOrInsertFunction("__cilk2gpu_register_image", none, pointer);
  builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "", constructor));
  Value *bytes = builder.CreateSub(builder.CreatePtrToInt(end, i64), builder.CreatePtrToInt(firstAddress, i64));
  Value *count = builder.CreateUDiv(bytes, builder.getInt64(sizeof(abi::AddressRecord)));
  for (const BuiltImage &image : images) {
    GlobalVariable *entry = record(image);
    builder.CreateStore(count, builder.CreateStructGEP(entry->getValueType(), entry, 8));
    builder.CreateCall(add, entry);
  }
  builder.CreateRetVoid();
  // The constructor runs before the program's own constructors, which may run graphs.
  appendToGlobalCtors(module, constructor, 101);
  return module;
}

/// Makes the linker find the symbols that images use.
void Registration::refer(ArrayRef<std::string> symbols) {
  SmallVector<Constant *> addresses;
  for (const std::string &symbol : symbols)
    addresses.push_back(module.getOrInsertGlobal(symbol, builder.getInt8Ty()));
  if (addresses.empty())
    return;
  auto *type = ArrayType::get(pointer, addresses.size());
  auto *list = new GlobalVariable(module, type, true, GlobalValue::InternalLinkage, ConstantArray::get(type, addresses),
                                  "__cilk2gpu_used");
  appendToUsed(module, {list});
}

Expected<std::string> cilk2gpu::createRegistrationObject(ArrayRef<BuiltImage> images, ArrayRef<std::string> symbols) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  LLVMContext context;
  Registration registration(context);
  registration.refer(symbols);
  Module &module = registration.build(images);
  Triple triple(sys::getDefaultTargetTriple());
  std::string problem;
  const Target *target = TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return createStringError(problem);
  TargetOptions options;
  options.UseInitArray = true; // lld and current start-up code know no .ctors
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(triple, "", "", options, Reloc::PIC_));
  module.setTargetTriple(triple);
  module.setDataLayout(machine->createDataLayout());
  SmallString<0> object;
  raw_svector_ostream os(object);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, os, nullptr, CodeGenFileType::ObjectFile))
    return createStringError("LLVM cannot write object files for this machine");
  passes.run(module);
  return object.str().str();
}
