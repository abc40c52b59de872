// Declarations and registration of the passes in Passes.td; generated.
#ifndef CILK2GPU_CHANNEL_TRANSFORMS_PASSES_H
#define CILK2GPU_CHANNEL_TRANSFORMS_PASSES_H

#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace cilk2gpu::channel {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "cilk2gpu/Dialect/Channel/Transforms/Passes.h.inc"

} // namespace cilk2gpu::channel

#endif // CILK2GPU_CHANNEL_TRANSFORMS_PASSES_H
