// Declarations and registration of the passes in Passes.td; generated.
#ifndef CILK2GPU_DIALECT_LANE_TRANSFORMS_PASSES_H
#define CILK2GPU_DIALECT_LANE_TRANSFORMS_PASSES_H

#include "cilk2gpu/Dialect/Lane/IR/Lane.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace cilk2gpu::lane {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "cilk2gpu/Dialect/Lane/Transforms/Passes.h.inc"

} // namespace cilk2gpu::lane

#endif // CILK2GPU_DIALECT_LANE_TRANSFORMS_PASSES_H
