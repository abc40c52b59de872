// The optimiser driver of the project's dialects: mlir-opt with the cilk and channel dialects and all passes.
#include "cilk2gpu/Pipeline/Pipelines.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/thread.h"

/// MLIR's parser and printer recurse for each nested region, with about 2 KB of stack. The usual 8 MB allow 4,000
/// levels.
static constexpr unsigned kStackBytes = 64u << 20;

int main(int argc, char **argv) {
  llvm::setBugReportMsg("cilk-opt crashed: please report the input, the command line and this trace.\n");
  mlir::DialectRegistry registry;
  cilk2gpu::registerAllDialects(registry);
  cilk2gpu::registerAllPasses();
  int status = 1;
  llvm::thread worker(std::optional<unsigned>(kStackBytes), [&] {
    status = mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "cilk2gpu optimiser driver\n", registry));
  });
  worker.join();
  return status;
}
