// Makes a program in the project's dialects smaller for as long as a script finds it interesting: mlir-reduce with the
// cilk and channel dialects and all passes.
#include "cilk2gpu/Pipeline/Pipelines.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/Support/PrettyStackTrace.h"

int main(int argc, char **argv) {
  llvm::setBugReportMsg("cilk-reduce crashed: please report the input, the command line and this trace.\n");
  mlir::DialectRegistry registry;
  cilk2gpu::registerAllDialects(registry);
  cilk2gpu::registerAllPasses();
  mlir::MLIRContext context(registry);
  return failed(mlir::mlirReduceMain(argc, argv, context));
}
