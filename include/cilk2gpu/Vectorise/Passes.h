// Declarations and registration of the passes in Passes.td; generated.
#ifndef CILK2GPU_VECTORISE_PASSES_H
#define CILK2GPU_VECTORISE_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace cilk2gpu {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "cilk2gpu/Vectorise/Passes.h.inc"

} // namespace cilk2gpu

#endif // CILK2GPU_VECTORISE_PASSES_H
