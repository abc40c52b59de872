// Queries about paths of a control-flow graph. Paths go through single operations and edges.
#ifndef CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_PATHS_H
#define CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_PATHS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace cilk2gpu {

/// A set of points of a function: operations, edges (a terminator and the number of a successor), block entries.
class Points {
public:
  void add(mlir::Operation *op) { ops.insert(op); }
  void add(mlir::Block *block) { blocks.insert(block); }
  /// Adds the point of `use`: the edge for a branch's operand, else the operation.
  void add(mlir::OpOperand &use);
  void addEdge(mlir::Operation *terminator, unsigned successor) { edges.insert({terminator, successor}); }
  /// Adds the point at which `value` is defined.
  void addDefinition(mlir::Value value);

  bool has(mlir::Operation *op) const { return ops.contains(op); }
  bool has(mlir::Block *block) const { return blocks.contains(block); }
  bool has(mlir::Operation *terminator, unsigned successor) const { return edges.contains({terminator, successor}); }

private:
  llvm::DenseSet<mlir::Operation *> ops;
  llvm::DenseSet<mlir::Block *> blocks;
  llvm::DenseSet<std::pair<mlir::Operation *, unsigned>> edges;
};

/// Returns true if a path that starts behind `from` reaches one of `targets` before any of `barriers`. `from` is an
/// operation, a use or a value; for a value, the path starts at its definition. A point in both sets is a target.
bool reaches(mlir::Operation *from, const Points &targets, const Points &barriers);
bool reaches(mlir::OpOperand &from, const Points &targets, const Points &barriers);
bool reaches(mlir::Value from, const Points &targets, const Points &barriers);

/// Returns the result of reaches() for paths from the start of a block. The block's entry itself does not count as a
/// point.
bool reachesFromStart(mlir::Block *from, const Points &targets, const Points &barriers);

/// Returns the number of the terminator's successor that gets `use` as a block argument, or nothing for other uses.
std::optional<unsigned> successorOf(mlir::OpOperand &use);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_PATHS_H
