// How one node or edge of a graph appears to readers. Nodes fill it in (ChannelNodeOpInterface::draw); the printers of
// graphs (Target/Graph/EmitGraph.h) make Graphviz, JSON and text of it.
#ifndef CILK2GPU_DIALECT_CHANNEL_IR_NODEDRAWING_H
#define CILK2GPU_DIALECT_CHANNEL_IR_NODEDRAWING_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/JSON.h"

namespace cilk2gpu::channel {

struct NodeDrawing {
  const mlir::DataLayout *dataLayout = nullptr; ///< for sizes of fields

  std::string name;  ///< empty: no node is drawn, only arrows
  std::string style; ///< Graphviz attributes of the node, such as "shape=box"
  std::string label; ///< empty: the name

  struct Arrow {
    std::string from, to;
    std::string style; ///< Graphviz attributes, or empty
  };
  llvm::SmallVector<Arrow> arrows;

  std::string list;          ///< name of the list in JSON that the node stands in
  llvm::json::Object object; ///< its entry there
  std::string sentence;      ///< the line of text
};

/// "i32, !llvm.ptr"
std::string fieldList(mlir::ArrayAttr fields);
/// "f, g": the names of nodes.
std::string nameList(mlir::ArrayAttr refs);
/// Types, sizes and alignments of fields.
llvm::json::Array fieldsJson(mlir::ArrayAttr fields, const mlir::DataLayout &dataLayout);
/// Names of nodes.
llvm::json::Array namesJson(mlir::ArrayAttr refs);

} // namespace cilk2gpu::channel

#endif // CILK2GPU_DIALECT_CHANNEL_IR_NODEDRAWING_H
