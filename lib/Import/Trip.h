// A trip of LLVM IR through MLIR: import, a pipeline, and export. Diagnostics on the way are forwarded to LLVM.
#ifndef CILK2GPU_LIB_IMPORT_TRIP_H
#define CILK2GPU_LIB_IMPORT_TRIP_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"

namespace cilk2gpu {

/// Trips that share an MLIR context. Errors are reported through `module`'s LLVMContext, at the user's source lines.
class Trip {
public:
  /// `callbacks`, if not null, see the passes on LLVM IR.
  Trip(llvm::Module &module, llvm::PassInstrumentationCallbacks *callbacks);
  ~Trip();
  Trip(const Trip &) = delete;

  /// Imports `module` and runs `build`'s pipeline; null after an error.
  mlir::OwningOpRef<mlir::ModuleOp> run(std::unique_ptr<llvm::Module> module,
                                        llvm::function_ref<void(mlir::OpPassManager &)> build);

  /// Runs a pipeline as run() does, and translates the result to LLVM IR. Returns null after an error.
  std::unique_ptr<llvm::Module> roundTrip(std::unique_ptr<llvm::Module> module,
                                          llvm::function_ref<void(mlir::OpPassManager &)> build);

  /// Parses a module from text. Errors name positions in the file `name`. Returns null after an error.
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text, llvm::StringRef name);

  /// Imports `module` without a pipeline. Returns null after an error.
  mlir::OwningOpRef<mlir::ModuleOp> import(std::unique_ptr<llvm::Module> module);

  /// Runs `build`'s pipeline and verifies the result. Returns false after an error.
  bool transform(mlir::ModuleOp module, llvm::function_ref<void(mlir::OpPassManager &)> build);

  /// Translates a module in the LLVM dialect to LLVM IR; null after an error.
  std::unique_ptr<llvm::Module> translate(mlir::ModuleOp module);

  mlir::MLIRContext *getContext() { return &context; }

  /// Suppresses remarks and warnings from now on, because they have been shown before.
  void mute() { muted = true; }

  /// While set, the first error is stored in `where` instead of being reported.
  void divertErrors(std::string *where) { diverted = where; }

private:
  void forward(mlir::Diagnostic &diag);

  llvm::Module &module;
  llvm::PassInstrumentationCallbacks *callbacks;
  mlir::MLIRContext context;
  mlir::DiagnosticEngine::HandlerID handler;
  std::string *diverted = nullptr;
  bool muted = false;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_TRIP_H
