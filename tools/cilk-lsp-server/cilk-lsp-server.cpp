// A language server for editors that show the project's dialects: hover, definitions and errors in .mlir files.
#include "cilk2gpu/Dialect/Registration.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/PrettyStackTrace.h"

int main(int argc, char **argv) {
  llvm::setBugReportMsg("cilk-lsp-server crashed: please report the input and this trace.\n");
  mlir::DialectRegistry registry;
  cilk2gpu::registerAllDialects(registry);
  return llvm::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
