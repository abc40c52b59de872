// See VectorClones.h.
#include "VectorClones.h"

#include "cilk2gpu/Vectorise/LaneAttributes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cilk2gpu;

LLVM::LLVMFuncOp VectorClones::sourceOf(StringRef callee, const VectorIsaInfo &isa) {
  return module.lookupSymbol<LLVM::LLVMFuncOp>((callee + lane::kCloneInfix + isa.name).str());
}

LLVM::LLVMFuncOp VectorClones::get(LLVM::LLVMFuncOp source, ArrayRef<bool> varying, unsigned length,
                                   const VectorIsaInfo &isa, LLVM::LLVMFunctionType type) {
  std::string name = (source.getName() + "." + Twine(length)).str();
  for (bool varies : varying)
    name += varies ? 'v' : 'u';
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto vector = LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
  vector.setPassthroughAttr(source.getPassthroughAttr());
  wanted.push_back({source, vector, SmallVector<bool>(varying), length, &isa});
  return vector;
}
