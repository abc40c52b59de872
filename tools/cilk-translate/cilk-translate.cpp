// Translations into and out of the project's dialects: LLVM IR in both directions, graphs as DOT and JSON.
#include "cilk2gpu/Target/Graph/EmitGraph.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "llvm/Support/PrettyStackTrace.h"

int main(int argc, char **argv) {
  llvm::setBugReportMsg("cilk-translate crashed: please report the input, the command line and this trace.\n");
  mlir::registerToLLVMIRTranslation();
  mlir::registerFromLLVMIRTranslation();
  cilk2gpu::registerGraphTranslations();
  return failed(mlir::mlirTranslateMain(argc, argv, "cilk2gpu translation driver"));
}
