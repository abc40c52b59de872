// The graph that the conversions make of a translation unit.
#ifndef CILK2GPU_LIB_CONVERSION_UNITGRAPH_H
#define CILK2GPU_LIB_CONVERSION_UNITGRAPH_H

#include "cilk2gpu/Dialect/Channel/IR/Channel.h"

namespace cilk2gpu {

/// Returns the unit's graph. Makes an empty one if there is none.
inline channel::GraphOp unitGraph(mlir::ModuleOp module, mlir::SymbolTable &symbols) {
  for (auto graph : module.getOps<channel::GraphOp>())
    return graph;
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(module.getBody());
  auto graph = channel::GraphOp::create(builder, module.getLoc(), "cilk");
  graph.getBody().emplaceBlock();
  symbols.insert(graph, mlir::Block::iterator(graph));
  return graph;
}

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_CONVERSION_UNITGRAPH_H
