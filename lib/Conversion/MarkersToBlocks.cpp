// Makes nodes of the bodies of kernels of thread blocks (Markers.h): markers become operations, and the node names the
// body and the kernel.
#include "Conversion/UnitGraph.h"
#include "cilk2gpu/Conversion/Passes.h"
#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/Remarks.h"
#include "cilk2gpu/Support/SourceNames.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

namespace cilk2gpu {
#define GEN_PASS_DEF_CONVERTMARKERSTOBLOCKSPASS
#include "cilk2gpu/Conversion/Passes.h.inc"
} // namespace cilk2gpu

using namespace mlir;
using namespace cilk2gpu;

/// Removes the attribute `name` that MLIR passes through.
static void dropFunctionAttribute(LLVM::LLVMFuncOp function, StringRef name) {
  SmallVector<Attribute> kept;
  for (Attribute attribute : function.getPassthroughAttr()) {
    auto pair = dyn_cast<ArrayAttr>(attribute);
    if (!pair || cast<StringAttr>(pair[0]).getValue() != name)
      kept.push_back(attribute);
  }
  function.setPassthroughAttr(ArrayAttr::get(function.getContext(), kept));
}

/// The type of the field that a parameter becomes: of a struct that is passed by value, the struct. Fields that are
/// passed by address are structs and arrays.
static Type fieldType(LLVM::LLVMFuncOp function, unsigned number) {
  auto copied = function.getArgAttrOfType<TypeAttr>(number, LLVM::LLVMDialect::getByValAttrName());
  if (!copied)
    return function.getArgumentTypes()[number];
  Type type = copied.getValue();
  return channel::isByAddress(type) ? type : LLVM::LLVMArrayType::get(type, 1);
}

template <typename OpT> static LogicalResult replaceRead(LLVM::CallOp marker) {
  APInt dimension;
  if (marker.getNumOperands() != 1 || !matchPattern(marker.getOperand(0), m_ConstantInt(&dimension)) ||
      dimension.getZExtValue() > 2)
    return marker.emitError("a marker of a coordinate takes a dimension, the constant 0, 1 or 2");
  OpBuilder builder(marker);
  auto which = static_cast<channel::Dimension>(dimension.getZExtValue());
  marker.replaceAllUsesWith(OpT::create(builder, marker.getLoc(), builder.getI32Type(), which).getOperation());
  marker.erase();
  return success();
}

static LogicalResult replaceWait(LLVM::CallOp marker) {
  OpBuilder builder(marker);
  channel::BlockSyncOp::create(builder, marker.getLoc());
  marker.erase();
  return success();
}

/// Replaces the markers of a body by operations.
static LogicalResult replaceMarkers(LLVM::LLVMFuncOp body) {
  SmallVector<LLVM::CallOp> calls(body.getOps<LLVM::CallOp>());
  for (LLVM::CallOp call : calls) {
    auto replace = llvm::StringSwitch<LogicalResult (*)(LLVM::CallOp)>(call.getCallee().value_or(""))
                       .Case(kBlockIdMarker, replaceRead<channel::BlockIdOp>)
                       .Case(kThreadIdMarker, replaceRead<channel::ThreadIdOp>)
                       .Case(kGridDimMarker, replaceRead<channel::GridDimOp>)
                       .Case(kBlockDimMarker, replaceRead<channel::BlockDimOp>)
                       .Case(kBlockSyncMarker, replaceWait)
                       .Default(nullptr);
    if (replace && failed(replace(call)))
      return failure();
  }
  return success();
}

namespace {

struct ConvertMarkersToBlocksPass : cilk2gpu::impl::ConvertMarkersToBlocksPassBase<ConvertMarkersToBlocksPass> {
  void runOnOperation() override {
    SmallVector<LLVM::LLVMFuncOp> bodies;
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal() && !functionAttribute(function, kBlockBodyAttr).empty())
        bodies.push_back(function);
    SymbolTable symbols(getOperation());
    for (LLVM::LLVMFuncOp body : bodies)
      if (failed(convert(body, symbols)))
        return signalPassFailure();
    for (StringRef name : {kBlockIdMarker, kThreadIdMarker, kGridDimMarker, kBlockDimMarker, kBlockSyncMarker})
      if (Operation *declaration = symbols.lookup(name))
        symbols.erase(declaration);
  }

private:
  LogicalResult convert(LLVM::LLVMFuncOp body, SymbolTable &symbols) {
    if (failed(replaceMarkers(body)))
      return failure();
    if (keepsFibers(body)) {
      symbols.erase(body);
      return success();
    }
    declareKernel(body, symbols);
    createNode(body, symbols);
    dropFunctionAttribute(body, kBlockBodyAttr);
    body.removeArgAttrsAttr();
    body.setLinkage(LLVM::Linkage::Internal);
    ++numKernels;
    return success();
  }

  /// Returns true, with a remark, if threads may not all come to a barrier. The run ends with a message if they do not,
  /// and only the kernel as an ordinary function can find that out.
  bool keepsFibers(LLVM::LLVMFuncOp body) {
    bool found = false;
    body.walk([&](channel::BlockSyncOp sync) {
      Operation *branch = found ? nullptr : channel::findDivergence(sync, /*threads=*/std::nullopt);
      if (!branch)
        return;
      found = true;
      speedRemark(body, "BlockKernel", /*missed=*/true, sync.getLoc())
          << "kernel '" << sourceName(functionAttribute(body, kBlockBodyAttr))
          << "' runs thread by thread as an ordinary function: a condition before wf::SyncThreads depends on the "
             "thread; call it where all threads of a block come";
    });
    return found;
  }

  void declareKernel(LLVM::LLVMFuncOp body, SymbolTable &symbols) {
    StringRef name = functionAttribute(body, kBlockBodyAttr);
    if (symbols.lookup(name))
      return;
    OpBuilder builder(body);
    // Without the source line, which only definitions have.
    auto kernel = LLVM::LLVMFuncOp::create(builder, builder.getUnknownLoc(), name, body.getFunctionType());
    kernel.setArgAttrsAttr(body.getArgAttrsAttr());
    symbols.insert(kernel);
  }

  void createNode(LLVM::LLVMFuncOp body, SymbolTable &symbols) {
    channel::GraphOp graph = unitGraph(getOperation(), symbols);
    OpBuilder builder = OpBuilder::atBlockEnd(&graph.getBody().front());
    SmallVector<Attribute> fields;
    for (unsigned number = 0; number < body.getNumArguments(); ++number)
      fields.push_back(TypeAttr::get(fieldType(body, number)));
    StringAttr kernel = builder.getStringAttr(functionAttribute(body, kBlockBodyAttr));
    auto node = channel::BlocksOp::create(builder, body.getLoc(), kernel.getValue(), builder.getArrayAttr(fields),
                                          body.getName());
    node.setKernelAttr(FlatSymbolRefAttr::get(kernel));
    SymbolTable(graph).insert(node, Block::iterator(node));
    body->setAttr(channel::kBlocksAttr,
                  SymbolRefAttr::get(graph.getSymNameAttr(), {FlatSymbolRefAttr::get(node.getSymNameAttr())}));
  }
};

} // namespace
