// See HostPart.h. What the LLVM dialect cannot hold is bitcode in a resource of the text.
#include "HostPart.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"

using namespace cilk2gpu;

/// Attribute of the host part: what the LLVM dialect does not hold of it.
static constexpr const char kBitcodeAttr[] = "channel.bitcode";

static mlir::Attribute bitcodeOf(const llvm::Module &module, mlir::MLIRContext *context) {
  llvm::SmallVector<char> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::WriteBitcodeToFile(module, os);
  auto type = mlir::RankedTensorType::get({int64_t(bytes.size())}, mlir::IntegerType::get(context, 8));
  return mlir::DenseResourceElementsAttr::get(
      type, "host", mlir::HeapAsmResourceBlob::allocateAndCopyInferAlign(llvm::ArrayRef<char>(bytes)));
}

mlir::OwningOpRef<mlir::ModuleOp> cilk2gpu::writeHostPart(const llvm::Module &host, Trip &trip) {
  mlir::MLIRContext *context = trip.getContext();
  mlir::OwningOpRef<mlir::ModuleOp> part =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(context), llvm::StringRef(kHostName));
  (*part)->setAttr(kBitcodeAttr, bitcodeOf(host, context));
  return part;
}

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

std::unique_ptr<llvm::Module> cilk2gpu::readHostPart(mlir::ModuleOp host, Trip &, llvm::LLVMContext &context) {
  return readBitcode(host, context);
}
