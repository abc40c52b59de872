// Declarations and registration of the passes in Passes.td; generated.
#ifndef CILK2GPU_CONVERSION_PASSES_H
#define CILK2GPU_CONVERSION_PASSES_H

#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "cilk2gpu/Dialect/Lane/IR/Lane.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace cilk2gpu {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "cilk2gpu/Conversion/Passes.h.inc"

} // namespace cilk2gpu

#endif // CILK2GPU_CONVERSION_PASSES_H
