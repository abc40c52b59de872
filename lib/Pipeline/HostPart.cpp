// Writes and reads the host part. A definition goes into the LLVM dialect if the translation back gives the same
// definition, with all attributes and metadata. This is tried for each definition. All other definitions, and data that
// belongs to no definition, are LLVM bitcode in a resource of the text. See HostPart.h.
#include "HostPart.h"

#include "CanonicalText.h"
#include "Import/Extract.h"
#include "cilk2gpu/Support/ModuleParts.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace cilk2gpu;

/// Attribute of the host part: bitcode of the part of the module that the LLVM dialect cannot represent.
static constexpr const char kBitcodeAttr[] = "channel.bitcode";

/// Attribute of the host part: names of the definitions in the bitcode, each with the reason.
static constexpr const char kHeldAttr[] = "channel.held_as_bitcode";

//===-- What the LLVM dialect holds -------------------------------------------------------------------------------===//

/// Returns the reason why a definition is put into the bitcode without trying, or null if it is tried.
static const char *whyNotTried(const llvm::GlobalValue &value) {
  auto *function = llvm::dyn_cast<llvm::Function>(&value);
  if (!function)
    return llvm::isa<llvm::GlobalVariable>(value) && !value.getName().starts_with("llvm.") ? nullptr : "no function";
  if (function->getSubprogram())
    return "debug information";
  for (const llvm::Instruction &inst : llvm::instructions(*function)) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
    if (llvm::isa<llvm::CallBrInst, llvm::IndirectBrInst>(inst))
      return "computed goto";
    if (call && llvm::isa<llvm::InlineAsm>(call->getCalledOperand()))
      return "inline assembly";
    auto *callee = call ? llvm::dyn_cast<llvm::Function>(call->getCalledOperand()) : nullptr;
    if (callee && callee->getFunctionType() != call->getFunctionType())
      return "a call whose type differs from its function's type";
  }
  return nullptr;
}

namespace {

/// Divides a module into definitions that the LLVM dialect can represent, and the rest.
class HostDivision {
public:
  HostDivision(const llvm::Module &host, Trip &trip) : host(host), trip(trip) {
    for (const llvm::GlobalValue &value : host.global_values())
      if (!value.isDeclaration()) {
        if (const char *reason = whyNotTried(value))
          held.push_back((value.getName() + ": " + reason).str());
        else
          kept.insert(&value);
      }
  }

  /// Returns the definitions that the LLVM dialect can represent, as a module. Returns null after an error, which is
  /// reported.
  mlir::OwningOpRef<mlir::ModuleOp> importKept() {
    // Leaving out a definition may change names of constants in the others, so this is repeated until nothing is lost.
    for (;;) {
      std::string message;
      trip.divertErrors(&message);
      mlir::OwningOpRef<mlir::ModuleOp> imported = trip.import(clone(/*isKept=*/true));
      std::string lost = imported ? findLost(*imported) : "";
      trip.divertErrors(nullptr);
      if (imported && lost.empty())
        return imported;
      if (!imported && kept.empty())
        return nullptr;
      if (!imported)
        holdAll(message);
    }
  }

  /// Returns the rest as a module: all definitions that are not kept, and data that belongs to none, in the order of
  /// the host part.
  std::unique_ptr<llvm::Module> cloneRest() const { return clone(/*isKept=*/false); }

  /// Returns true if the rest contains nothing.
  bool isRestEmpty() const { return held.empty(); }

  /// Returns the definitions in the rest, with the reasons why they are there.
  llvm::ArrayRef<std::string> getHeld() const { return held; }

private:
  std::unique_ptr<llvm::Module> clone(bool isKept) const {
    llvm::ValueToValueMapTy mapping;
    std::unique_ptr<llvm::Module> part = llvm::CloneModule(
        host, mapping, [&](const llvm::GlobalValue *value) { return kept.contains(value) == isKept; });
    if (isKept) {
      part->setModuleInlineAsm("");
      dropUnused(*part);
    }
    return part;
  }

  /// Moves definitions that the translation changes to the rest. Returns their names.
  std::string findLost(mlir::ModuleOp imported) {
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> again = mlir::translateModuleToLLVMIR(imported, context, "cilk2gpu");
    if (!again) {
      holdAll("no translation back");
      return "all";
    }
    CanonicalText before(host), after(*again);
    std::string lost;
    auto check = [&](llvm::StringRef name) {
      std::string was = before.of(name);
      return was.empty() || was == after.of(name);
    };
    for (const llvm::GlobalValue &value : host.global_values())
      if (kept.contains(&value) && !check(symbolOf(value))) {
        kept.erase(&value);
        held.push_back((value.getName() + ": attributes or metadata").str());
        lost += value.getName();
      }
    if (lost.empty())
      checkModule(check);
    return lost;
  }

  template <typename Check> void checkModule(const Check &check) {
    for (const llvm::NamedMDNode &node : host.named_metadata())
      if (!check(("!" + node.getName()).str()))
        held.push_back((node.getName() + ": named metadata").str());
    if (!host.getModuleInlineAsm().empty())
      held.push_back("the file's assembly");
  }

  /// Returns a symbol as LLVM prints it.
  static std::string symbolOf(const llvm::GlobalValue &value) {
    std::string text;
    llvm::raw_string_ostream os(text);
    value.printAsOperand(os, /*PrintType=*/false);
    return text;
  }

  void holdAll(llvm::StringRef reason) {
    kept.clear();
    held.push_back(("all: " + reason).str());
  }

  const llvm::Module &host;
  Trip &trip;
  llvm::SmallPtrSet<const llvm::GlobalValue *, 32> kept;
  llvm::SmallVector<std::string> held;
};

} // namespace

//===-- Writing ---------------------------------------------------------------------------------------------------===//

static mlir::Attribute bitcodeOf(const llvm::Module &module, mlir::MLIRContext *context) {
  llvm::SmallVector<char> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::WriteBitcodeToFile(module, os);
  auto type = mlir::RankedTensorType::get({int64_t(bytes.size())}, mlir::IntegerType::get(context, 8));
  return mlir::DenseResourceElementsAttr::get(
      type, "host", mlir::HeapAsmResourceBlob::allocateAndCopyInferAlign(llvm::ArrayRef<char>(bytes)));
}

mlir::OwningOpRef<mlir::ModuleOp> cilk2gpu::writeHostPart(const llvm::Module &host, Trip &trip) {
  HostDivision division(host, trip);
  mlir::OwningOpRef<mlir::ModuleOp> part = division.importKept();
  if (!part)
    return nullptr;
  (*part)->setLoc(mlir::UnknownLoc::get(trip.getContext()));
  part->setName(kHostName);
  // The program's module has these attributes, and MLIR cannot join two data layouts that have pointers.
  for (llvm::StringRef name :
       {llvm::StringRef(mlir::DLTIDialect::kDataLayoutAttrName), mlir::LLVM::LLVMDialect::getTargetTripleAttrName()})
    (*part)->removeAttr(name);
  if (division.isRestEmpty())
    return part;
  mlir::Builder builder(trip.getContext());
  llvm::SmallVector<llvm::StringRef> held(division.getHeld());
  (*part)->setAttr(kHeldAttr, builder.getStrArrayAttr(held));
  (*part)->setAttr(kBitcodeAttr, bitcodeOf(*division.cloneRest(), trip.getContext()));
  return part;
}

//===-- Reading ---------------------------------------------------------------------------------------------------===//

static std::unique_ptr<llvm::Module> readBitcode(mlir::ModuleOp host, llvm::LLVMContext &context) {
  auto attribute = host->getAttrOfType<mlir::DenseResourceElementsAttr>(kBitcodeAttr);
  mlir::AsmResourceBlob *blob = attribute ? attribute.getRawHandle().getBlob() : nullptr;
  if (!blob) {
    host.emitError() << "'" << kBitcodeAttr << "' names a resource with LLVM bitcode, but there is none";
    return nullptr;
  }
  llvm::ArrayRef<char> bytes = blob->getData();
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(llvm::StringRef(bytes.data(), bytes.size()), ""), context);
  if (module)
    return std::move(*module);
  host.emitError() << "the resource of '" << kBitcodeAttr
                   << "' is not LLVM bitcode: " << llvm::toString(module.takeError());
  return nullptr;
}

std::unique_ptr<llvm::Module> cilk2gpu::readHostPart(mlir::ModuleOp host, Trip &trip, llvm::LLVMContext &context) {
  std::unique_ptr<llvm::Module> kept = trip.translate(host);
  if (!kept || !host->hasAttr(kBitcodeAttr))
    return kept;
  std::unique_ptr<llvm::Module> rest = readBitcode(host, context);
  if (!rest)
    return nullptr;
  // The rest has all metadata of the module as a whole.
  for (llvm::NamedMDNode &node : llvm::make_early_inc_range(kept->named_metadata()))
    node.eraseFromParent();
  kept->setDataLayout(rest->getDataLayout());
  kept->setTargetTriple(rest->getTargetTriple());
  return linkWhole(*rest, std::move(kept)) ? std::move(rest) : nullptr;
}
