// Prints channel-flow graphs for people (DOT) and programs (JSON).
#ifndef CILK2GPU_TARGET_GRAPH_EMITGRAPH_H
#define CILK2GPU_TARGET_GRAPH_EMITGRAPH_H

#include "mlir/IR/BuiltinOps.h"

namespace cilk2gpu {

/// Prints Graphviz source: kernels as boxes, stacks and queues as ellipses, frames as notes, dependencies dotted.
void emitDot(mlir::ModuleOp module, llvm::raw_ostream &os);

/// Prints one JSON object: {"version":1,"graphs":[{"name","stacks","queues","frames","kernels","dependencies"}]}. Sizes
/// are in bytes.
void emitJson(mlir::ModuleOp module, llvm::raw_ostream &os);

/// Prints one line for each channel, frame and kernel, for people who read a generated program.
void emitOutline(mlir::ModuleOp module, llvm::raw_ostream &os);

/// Registers `channel-to-dot`, `channel-to-json` and `channel-to-outline` with mlir-translate style tools.
void registerGraphTranslations();

} // namespace cilk2gpu

#endif // CILK2GPU_TARGET_GRAPH_EMITGRAPH_H
