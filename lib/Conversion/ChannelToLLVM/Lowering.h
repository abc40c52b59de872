// The parts of a graph during convert-channel-to-llvm, and the emission of descriptors.
#ifndef CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_LOWERING_H
#define CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_LOWERING_H

#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "cilk2gpu/Support/LoweredNames.h"

namespace cilk2gpu {

/// The parts of a task or a queue, from which its kernels are lowered.
struct TaskParts {
  channel::ChannelNodeOpInterface node;                        ///< declares its elements
  channel::FrameOp frame;                                      ///< null if the task has none
  llvm::SmallVector<channel::KernelOp> kernels;                ///< by segment
  llvm::SmallVector<bool> spawnOne;                            ///< by segment: true if a lane spawns at most one task
  llvm::SmallVector<bool> mayBeLong;                           ///< by segment: mayTakeLong()
  bool isRange = false;                                        ///< runs iterations of a cilk_for without children
  llvm::SetVector<mlir::Attribute> targets;                    ///< nodes that its kernels spawn, numbered in this order
  llvm::SmallVector<channel::ChannelNodeOpInterface> postSync; ///< by segment: consumed stacks; [0] is null
  mlir::LLVM::LLVMFuncOp elided; ///< runs a task as its elision, with all tasks that it spawns; or null

  // The following members have the meaning that they have in channel::RecordDescription.
  abi::NodeKind kind = abi::NodeKind::Task;
  mlir::ArrayAttr fields;
  std::optional<uint64_t> destination;
  uint64_t capacity = 0;
  mlir::LLVM::Linkage linkage = mlir::LLVM::Linkage::Internal;
  llvm::SmallVector<channel::EdgeDescription> edges;
};

/// Maps names of tasks to their parts, in order of declaration.
using GraphParts = llvm::MapVector<mlir::StringAttr, TaskParts>;
mlir::FailureOr<GraphParts> collectParts(channel::GraphOp graph);

/// Declares a function of the runtime if it is not declared yet.
mlir::LLVM::LLVMFuncOp declareRuntime(mlir::ModuleOp module, llvm::StringRef name, mlir::Type result,
                                      llvm::ArrayRef<mlir::Type> params);

/// Emits the graph as constant records (cilk2gpu/abi/Records.h) and the constructor that registers them.
void emitDescriptors(mlir::ModuleOp module, channel::GraphOp graph, GraphParts &parts);

/// Emits the record of a block graph whose functions have been lowered (cilk2gpu/abi/BlockRecords.h). `synchronises`:
/// threads of a block wait for one another.
void emitBlocksRecord(mlir::ModuleOp module, channel::BlocksOp blocks, bool synchronises);

/// Emits the list of the kernels in C++ that have a record, and a constructor that registers it.
void emitBlockKernels(mlir::ModuleOp module, channel::GraphOp graph);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_LOWERING_H
