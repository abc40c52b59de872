// The optimiser driver of the project's dialects: mlir-opt with the cilk and channel dialects and all passes.
#include "cilk2gpu/Pipeline/Pipelines.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/PrettyStackTrace.h"

int main(int argc, char **argv) {
  llvm::setBugReportMsg("cilk-opt crashed: please report the input, the command line and this trace.\n");
  mlir::DialectRegistry registry;
  cilk2gpu::registerAllDialects(registry);
  cilk2gpu::registerAllPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "cilk2gpu optimiser driver\n", registry));
}
