// The contents of a graph as its records will have them, and an analysis of the whole graph for verifiers. Nodes add
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

/// An edge: post-sync elements of a record wait for another record.
struct EdgeDescription {
  mlir::StringAttr from;    ///< name of the awaited record
  mlir::StringAttr waiting; ///< name of the node whose elements wait
  abi::ReadinessKind readiness = abi::ReadinessKind::DrainedBelow;
};

/// One record: a node that takes new work, and its kernels.
struct RecordDescription {
  mlir::Operation *node = nullptr; ///< declares the elements; null: no node has described the record yet
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

/// Maps names to the records of a graph, in the order in which the nodes that take new work are declared.
class GraphDescription {
public:
  explicit GraphDescription(GraphOp graph);

  /// Returns the record of that name, and adds it if it is new.
  RecordDescription &operator[](mlir::StringAttr name) { return records[name]; }
  /// Returns the node of that name, or null if there is none.
  mlir::Operation *node(mlir::StringAttr name) const { return nodes.lookup(name); }
  auto begin() { return records.begin(); }
  auto end() { return records.end(); }

private:
  mlir::SymbolTable nodes;
  llvm::MapVector<mlir::StringAttr, RecordDescription> records;
};

/// Answers which nodes of a graph can be reached from others. Nodes are grouped by the names of their records.
class GraphAnalysis {
public:
  explicit GraphAnalysis(GraphOp graph);

  /// Returns the name of the record that a node's elements belong to, or null if there is none.
  mlir::StringAttr recordOf(mlir::Attribute node) const { return recordOfNode.lookup(nameOf(node)); }
  /// Returns the names of the records that can be reached by new work of the nodes `from`, their own records included.
  llvm::SetVector<mlir::StringAttr> reach(llvm::ArrayRef<mlir::Attribute> from) const;
  /// Returns true if elements of the node wait for an edge.
  bool hasEdge(mlir::StringAttr node) const { return awaitedBy.contains(node); }
  /// Returns the nodes for which elements of the node wait.
  llvm::ArrayRef<mlir::Attribute> awaited(mlir::StringAttr node) const;
  /// Returns the nodes that consume elements of the node.
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
