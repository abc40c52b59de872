// See Registration.h.
#include "cilk2gpu/Dialect/Registration.h"

#include "AttributeAliases.h"
#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "cilk2gpu/Dialect/Lane/IR/Lane.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

void cilk2gpu::registerAllDialects(DialectRegistry &registry) {
  registry.insert<cilk::CilkDialect, channel::ChannelDialect, lane::LaneDialect, LLVM::LLVMDialect, DLTIDialect>();
  registerAttributeAliases(registry);
}
