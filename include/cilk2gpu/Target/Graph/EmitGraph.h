// Prints channel-flow graphs for people (DOT) and programs (JSON).
#ifndef CILK2GPU_TARGET_GRAPH_EMITGRAPH_H
#define CILK2GPU_TARGET_GRAPH_EMITGRAPH_H

#include "cilk2gpu/Dialect/Channel/IR/NodeDrawing.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace cilk2gpu {

/// The graphs of the files of one program. They do not depend on an MLIRContext, so that each file may have its own.
///
/// Example:
///   GraphDrawings graphs;
///   graphs.add(first);
///   graphs.add(second, signatures);
///   graphs.printDot(os);
class GraphDrawings {
public:
  /// Adds the graphs of a module. `signatures` are the declarations of functions as the source has them, by symbol:
  /// "fib" -> "int fib(int n)". The boxes of tasks show them.
  void add(mlir::ModuleOp module, const llvm::StringMap<std::string> &signatures = {});

  /// Prints Graphviz source. Each file, and each task in it, has a box. A task that several files know is drawn where
  /// its kernels are. Kernels are boxes, stacks and queues are ellipses, frames are notes, dependencies are dotted. A
  /// legend has a line for each kind of node that occurs.
  void printDot(llvm::raw_ostream &os) const;

  /// Prints one JSON object: {"version":1,"graphs":[{"name","source","stacks","queues","frames","kernels",
  /// "dependencies","roots"}]}. Sizes are in bytes. "signature", "file" and "line" of a node are there if known.
  void printJson(llvm::raw_ostream &os) const;

private:
  struct Graph {
    std::string name, source;
    std::optional<std::string> policy;
    std::vector<channel::NodeDrawing> nodes;
    std::vector<std::string> roots;                      ///< tasks that ordinary code calls
    llvm::StringMap<std::string> headings;               ///< of the boxes of tasks
    llvm::StringMap<channel::NodeDrawing::Scope> scopes; ///< of tasks
  };
  class DotPrinter;

  std::vector<Graph> graphs;
};

/// Prints Graphviz source of the graphs of one module.
void emitDot(mlir::ModuleOp module, llvm::raw_ostream &os);

/// Prints the graphs of one module as JSON.
void emitJson(mlir::ModuleOp module, llvm::raw_ostream &os);

/// Prints one line for each channel, frame and kernel, for people who read a generated program.
void emitOutline(mlir::ModuleOp module, llvm::raw_ostream &os);

/// Registers `channel-to-dot`, `channel-to-json` and `channel-to-outline` with mlir-translate style tools.
void registerGraphTranslations();

} // namespace cilk2gpu

#endif // CILK2GPU_TARGET_GRAPH_EMITGRAPH_H
