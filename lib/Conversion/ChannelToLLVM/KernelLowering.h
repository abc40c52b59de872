// Makes the forms of each kernel: the scalar form, and the forms for lanes that restart, for vectors and for devices.
#ifndef CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_KERNELLOWERING_H
#define CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_KERNELLOWERING_H

#include "LaneLoops.h"

namespace cilk2gpu {

/// The forms of kernels to make in addition to the scalar form.
struct KernelForms {
  /// Instruction sets, with + between them. Each kernel that can have a lane form gets one, and its descriptor gets
  /// vector entries for these sets.
  std::string vectorIsas;
  /// If not empty, each kernel gets a device form. Its symbol in device images begins with this text.
  std::string deviceSymbols;
  /// If true, kernels are prepared for the counting of instructions.
  bool counts = false;
};

/// Lowers kernels and ordinary functions. A kernel's body becomes a function of (wave, lane, site). Descriptors point
/// at functions that call it.
class KernelLowering {
public:
  KernelLowering(mlir::ModuleOp module, channel::GraphOp graph, GraphParts &parts, const KernelForms &forms)
      : module(module), nodes(graph), functions(module), parts(parts), forms(forms), dataLayout(module),
        runtime(module), loops(scope(), forms.counts), builder(module.getContext()) {}

  mlir::LogicalResult lowerKernel(channel::KernelOp node);
  mlir::LogicalResult lowerElided(TaskParts &of);
  mlir::LogicalResult lowerHost(mlir::LLVM::LLVMFuncOp func);

private:
  KernelScope scope() { return {module, nodes, dataLayout, runtime, task}; }
  mlir::FailureOr<LoweredBody> lowerBody(mlir::LLVM::LLVMFuncOp kernel, llvm::StringRef name, bool onDevice);
  mlir::LogicalResult lowerScalarForm(mlir::LLVM::LLVMFuncOp kernel, const std::string &name);
  mlir::LogicalResult lowerRestarts(mlir::LLVM::LLVMFuncOp restarts, const std::string &name);
  mlir::LogicalResult lowerDeviceForm(mlir::LLVM::LLVMFuncOp copy, llvm::StringRef name, bool resumes, bool elides);
  mlir::FailureOr<mlir::LLVM::LLVMFuncOp> createLaneForm(mlir::LLVM::LLVMFuncOp kernel);
  llvm::SmallVector<mlir::Attribute> laneFormAttributes();
  bool isRootOnly();

  mlir::ModuleOp module;
  mlir::SymbolTable nodes;     ///< nodes of the graph
  mlir::SymbolTable functions; ///< functions, by their names before they were lowered
  GraphParts &parts;
  KernelForms forms;
  mlir::DataLayout dataLayout;
  RuntimeFunctions runtime;
  const TaskParts *task = nullptr; ///< task of the kernel that is being lowered
  LaneLoops loops;
  mlir::OpBuilder builder;
  unsigned numDeviceForms = 0;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_KERNELLOWERING_H
