// How one node or edge of a graph appears to readers. Nodes fill it in (ChannelNodeOpInterface::draw); the printers of
// graphs (Target/Graph/EmitGraph.h) make Graphviz, JSON and text of it.
#ifndef CILK2GPU_DIALECT_CHANNEL_IR_NODEDRAWING_H
#define CILK2GPU_DIALECT_CHANNEL_IR_NODEDRAWING_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/JSON.h"

namespace cilk2gpu::channel {

struct NodeDrawing {
  const mlir::DataLayout *dataLayout = nullptr; ///< for sizes of fields

  std::string name;  ///< name of the node; empty: only arrows are drawn
  std::string style; ///< Graphviz attributes of the node, such as "shape=box"
  std::string label; ///< text in the node; empty: the name
  std::string kind;  ///< the node's line in the legend; empty: none
  std::string task;  ///< name of the task whose box the node stands in; empty: the node stands in no box

  /// Where else the functions of a program may have the node's name.
  enum class Scope {
    Program,   ///< the name means this node in all files
    File,      ///< other files may use the name for another node
    Elsewhere, ///< another file may have the task with its kernels; here it is a call of an ordinary function
  };
  Scope scope = Scope::Program; ///< of the task that the node declares

  struct Arrow {
    std::string from, to;
    std::string style; ///< Graphviz attributes, or empty
  };
  llvm::SmallVector<Arrow> arrows;

  std::string waiting;              ///< the stack whose elements wait; empty: the node is no dependency
  std::vector<std::string> awaited; ///< the nodes that have to be drained at deeper levels

  std::string list;          ///< name of the list in JSON that the node stands in
  llvm::json::Object object; ///< the node's entry in that list
  std::string sentence;      ///< the line of text
};

/// Returns the types of fields as C names them: "int32_t, void *".
std::string fieldList(mlir::ArrayAttr fields);
/// Returns the names of nodes as text: "f, g".
std::string nameList(mlir::ArrayAttr refs);
/// Returns a place in the source, or null if it is not known.
mlir::FileLineColLoc placeOf(mlir::Location location);
/// Returns a line of a label: "\n" + text + " line 12", or nothing if the place is not known.
std::string lineText(llvm::StringRef text, mlir::Location location);
/// Returns the types, sizes and alignments of fields as JSON.
llvm::json::Array fieldsJson(mlir::ArrayAttr fields, const mlir::DataLayout &dataLayout);
/// Returns a name as JSON. A byte that is not part of a UTF-8 character becomes U+FFFD, because JSON is UTF-8.
llvm::json::Value nameJson(llvm::StringRef name);
/// Returns the names of nodes as JSON.
llvm::json::Array namesJson(mlir::ArrayAttr refs);

} // namespace cilk2gpu::channel

#endif // CILK2GPU_DIALECT_CHANNEL_IR_NODEDRAWING_H
