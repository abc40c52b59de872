// Declarations and registration of the passes in Passes.td; generated.
#ifndef CILK2GPU_CILK_TRANSFORMS_PASSES_H
#define CILK2GPU_CILK_TRANSFORMS_PASSES_H

#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace cilk2gpu::cilk {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h.inc"

} // namespace cilk2gpu::cilk

#endif // CILK2GPU_CILK_TRANSFORMS_PASSES_H
