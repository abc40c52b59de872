// The contents of a graph as its records will have them, and what verifiers ask about a graph as a whole. Nodes add
// their own parts through ChannelNodeOpInterface, so nothing here knows the kinds of nodes.
#ifndef CILK2GPU_DIALECT_CHANNEL_IR_GRAPHDESCRIPTION_H
#define CILK2GPU_DIALECT_CHANNEL_IR_GRAPHDESCRIPTION_H

#include "cilk2gpu/abi/Records.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace cilk2gpu::channel {

class GraphOp;

/// One edge to post-sync elements of a record.
struct EdgeDescription {
  mlir::StringAttr from;    ///< name of the awaited record
  mlir::StringAttr waiting; ///< name of the node whose elements wait
  abi::ReadinessKind readiness = abi::ReadinessKind::DrainedBelow;
};

/// One record: a node that takes new work, and its kernels.
struct RecordDescription {
  mlir::Operation *node = nullptr; ///< declares the elements; null: nothing has described it
  abi::NodeKind kind = abi::NodeKind::Task;
  mlir::ArrayAttr fields;
  std::optional<uint64_t> destination; ///< index of the field that names the destination
  uint64_t capacity = 0;               ///< in elements; 0: chosen at run time
  mlir::LLVM::Linkage linkage = mlir::LLVM::Linkage::Internal;
  mlir::Operation *frame = nullptr;             ///< a FrameOp; null: the task has none
  llvm::SmallVector<mlir::Operation *> kernels; ///< KernelOps, by segment once the graph is complete
  llvm::SetVector<mlir::Attribute> targets;     ///< nodes that its kernels enqueue new work to, numbered in this order
  llvm::SmallVector<mlir::StringAttr> postSync; ///< by segment: name of the node that is consumed; [0] is null
  llvm::SmallVector<EdgeDescription> edges;
};

/// The records of a graph by name, in the order in which the nodes that take new work are declared.
class GraphDescription {
public:
  explicit GraphDescription(GraphOp graph);

  /// The record of that name; a new one if there is none yet.
  RecordDescription &operator[](mlir::StringAttr name) { return records[name]; }
  /// The node of that name; null: there is none.
  mlir::Operation *node(mlir::StringAttr name) const { return nodes.lookup(name); }
  auto begin() { return records.begin(); }
  auto end() { return records.end(); }

private:
  mlir::SymbolTable nodes;
  llvm::MapVector<mlir::StringAttr, RecordDescription> records;
};

/// Nodes that can be reached in a graph, by the names of records.
class GraphAnalysis {
public:
  explicit GraphAnalysis(GraphOp graph);

  /// The name of the record that a node's elements belong to; null: the node has none.
  mlir::StringAttr recordOf(mlir::Attribute node) const { return recordOfNode.lookup(nameOf(node)); }
  /// The records that new work of `from`, which are nodes, can reach, themselves included.
  llvm::SetVector<mlir::StringAttr> reach(llvm::ArrayRef<mlir::Attribute> from) const;
  /// Returns whether an edge leads to the node.
  bool hasEdge(mlir::StringAttr node) const { return awaitedBy.contains(node); }
  /// The nodes that elements of the node wait for.
  llvm::ArrayRef<mlir::Attribute> awaited(mlir::StringAttr node) const;
  /// Nodes that consume elements of the node.
  llvm::ArrayRef<mlir::Operation *> consumersOf(mlir::StringAttr node) const;

private:
  static mlir::StringAttr nameOf(mlir::Attribute node) { return llvm::cast<mlir::FlatSymbolRefAttr>(node).getAttr(); }

  llvm::DenseMap<mlir::StringAttr, mlir::StringAttr> recordOfNode;
  llvm::DenseMap<mlir::StringAttr, llvm::SetVector<mlir::Attribute>> spawnedBy; ///< by record
  llvm::DenseMap<mlir::StringAttr, llvm::SmallVector<mlir::Operation *>> consumers;
  llvm::DenseMap<mlir::StringAttr, llvm::SmallVector<mlir::Attribute>> awaitedBy; ///< by node
};

} // namespace cilk2gpu::channel

#endif // CILK2GPU_DIALECT_CHANNEL_IR_GRAPHDESCRIPTION_H
