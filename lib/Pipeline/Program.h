// A whole program as one MLIR module. The graph part is in the `cilk` or `channel` dialect. The host part contains all
// code without Cilk, which the extraction leaves in the frontend's module.
//
//   module @"fib.c" attributes {...} {
//     channel.graph @cilk {...}              the graph part: nodes, kernels, entries
//     llvm.func @fib.k0() ...
//     module @host attributes {...} {        the host part: main, ordinary functions, globals, and the outside
//       llvm.func @main() ...                of each function whose code is in the graph part
//     }
//   }
//
// A person may also write ordinary functions and globals at the top level. Then @host may be missing.
#ifndef CILK2GPU_LIB_PIPELINE_PROGRAM_H
#define CILK2GPU_LIB_PIPELINE_PROGRAM_H

#include "Import/Trip.h"
#include "cilk2gpu/Support/LoweringOptions.h"

namespace cilk2gpu {

/// Attribute of a program's module that was made with --offload-arch.
inline constexpr const char kForDevicesAttr[] = "channel.for_devices";

/// Removes the code of `functions`, because the graph part has it. Keeps their linkage, attributes and metadata, and
/// marks them for takeGraphFunctions.
void leaveCodeToGraph(llvm::Module &module, llvm::ArrayRef<llvm::Function *> functions);

/// Removes the marks from the functions of `module` whose code must be in the graph part, and returns these functions
/// in module order.
llvm::SmallVector<llvm::Function *> takeGraphFunctions(llvm::Module &module);

/// Verifies that `program`, without its host part, has the code of `functions`. Reports the first missing function.
bool hasCodeOf(mlir::ModuleOp program, llvm::ArrayRef<llvm::Function *> functions);

/// Adds the host part to `graph`.
bool addHost(mlir::ModuleOp graph, const llvm::Module &host, Trip &trip);

/// Parses a program. Returns null after an error, which is reported at its position in the text.
mlir::OwningOpRef<mlir::ModuleOp> parseProgram(const MlirSource &source, Trip &trip);

/// The dialect of a program's graph part.
enum class GraphDialect {
  None,    ///< there is no graph
  Cilk,    ///< spawns and syncs
  Channel, ///< nodes and kernels
  Lane     ///< lane forms beside lowered kernels and records
};
GraphDialect graphDialect(mlir::ModuleOp program);

/// Moves the host part of `program` into `module`, which Clang has made from the template `frame` for the same command
/// line. Functions without a target of their own are compiled for the target of the template. Returns false after an
/// error.
bool takeHost(mlir::ModuleOp program, llvm::Module &module, llvm::Function &frame, Trip &trip);

/// Keeps passes away from the host part of a program, and gives it the target of `module` if it has none.
class DetachedHost {
public:
  DetachedHost(mlir::ModuleOp program, const llvm::Module &module);
  ~DetachedHost();
  DetachedHost(const DetachedHost &) = delete;

private:
  mlir::ModuleOp program, host;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_PIPELINE_PROGRAM_H
