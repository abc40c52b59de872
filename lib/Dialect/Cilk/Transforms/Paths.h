// Questions about the paths of a control flow graph, at the precision of single operations and edges.
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
  /// Where `use` takes place: a branch's operand is used on its edge, anything else at the operation.
  void add(mlir::OpOperand &use);
  void addEdge(mlir::Operation *terminator, unsigned successor) { edges.insert({terminator, successor}); }
  /// Where `value` comes to be.
  void addDefinition(mlir::Value value);

  bool has(mlir::Operation *op) const { return ops.contains(op); }
  bool has(mlir::Block *block) const { return blocks.contains(block); }
  bool has(mlir::Operation *terminator, unsigned successor) const { return edges.contains({terminator, successor}); }

private:
  llvm::DenseSet<mlir::Operation *> ops;
  llvm::DenseSet<mlir::Block *> blocks;
  llvm::DenseSet<std::pair<mlir::Operation *, unsigned>> edges;
};

/// Whether a path from right behind `from` (an operation), from behind the use `from`, or from where the value `from`
/// is defined, reaches one of `targets` without meeting one of `barriers` before. A point that is both is a target.
bool reaches(mlir::Operation *from, const Points &targets, const Points &barriers);
bool reaches(mlir::OpOperand &from, const Points &targets, const Points &barriers);
bool reaches(mlir::Value from, const Points &targets, const Points &barriers);

/// The same from the start of a block, whose entry is not looked at.
bool reachesFromStart(mlir::Block *from, const Points &targets, const Points &barriers);

/// The successor of a terminator that gets `use` as a block argument, or nothing if it is not such an operand.
std::optional<unsigned> successorOf(mlir::OpOperand &use);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_PATHS_H
