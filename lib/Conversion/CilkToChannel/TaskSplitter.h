// Splits one task at its syncs into kernels (the heart of convert-cilk-to-channel).
#ifndef CILK2GPU_LIB_CONVERSION_CILKTOCHANNEL_TASKSPLITTER_H
#define CILK2GPU_LIB_CONVERSION_CILKTOCHANNEL_TASKSPLITTER_H

#include "cilk2gpu/Dialect/Analysis/Cuts.h"
#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "mlir/IR/IRMapping.h"

namespace cilk2gpu {

/// The properties of a task that its parents and the graph need to know.
struct TaskInfo {
  mlir::LLVM::LLVMFuncOp func;
  std::string stack;                    ///< name of its pre-sync stack: the Cilk or ordinary function's name
  mlir::LLVM::Linkage linkage;          ///< linkage of its descriptor
  llvm::SmallVector<mlir::Type> fields; ///< arguments, then the result's destination if there is a result
  bool hasResult = false;
  std::optional<unsigned> destination; ///< index of the field that holds the destination of the result or sum

  mlir::Type destinationType() const { return fields[*destination]; }

  explicit TaskInfo(mlir::LLVM::LLVMFuncOp func, mlir::SymbolTable &symbols);
};

/// Tasks by their functions.
using TaskMap = llvm::MapVector<mlir::Operation *, TaskInfo>;

/// Returns the field that carries an argument. An aggregate is put into a local variable at the builder's insertion
/// point, because enq takes aggregates by address. A bool becomes a byte.
mlir::Value fieldOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value argument);

/// Returns the fields of a spawned element. For an unused result, the destination is null.
llvm::SmallVector<mlir::Value> elementFields(mlir::OpBuilder &builder, cilk::SpawnOp spawn, const TaskInfo &callee);

/// Makes the kernels and nodes of one task. Does not change the task's function.
class TaskSplitter {
public:
  TaskSplitter(const TaskInfo &task, const TaskMap &tasks, channel::GraphOp graph, mlir::SymbolTable &symbols)
      : task(task), func(task.func), tasks(tasks), graph(graph), symbols(symbols) {}

  /// Returns false after a diagnostic if the task cannot be split.
  bool run();
  unsigned getNumKernels() const { return numKernels; }
  uint64_t getFrameSize() const { return frameSize; }

private:
  mlir::LLVM::LLVMFuncOp createBody();
  void copyByValueArguments(mlir::LLVM::LLVMFuncOp body);
  bool splitAtSyncs(mlir::LLVM::LLVMFuncOp body);
  void dropIdleContinuations(const LocalVariables &locals);
  mlir::LLVM::AllocaOp firstField(const LocalVariables &locals);
  void createNodes(mlir::LLVM::LLVMFuncOp body, const FrameLayout &layout);
  void createElided();
  void createKernel(unsigned segment, mlir::Block *start, mlir::LLVM::LLVMFuncOp body, const LocalVariables &locals,
                    FrameLayout &layout);
  mlir::LLVM::LLVMFuncOp declareKernel(unsigned segment);
  void freeElement(mlir::Block *prologue, mlir::IRMapping &mapping);
  void findUnchanged(mlir::Block *start, mlir::Block *prologue, mlir::IRMapping &mapping, const LocalVariables &locals);
  llvm::SetVector<mlir::Attribute> endAtSyncs(mlir::LLVM::LLVMFuncOp kernel,
                                              const llvm::SmallDenseMap<mlir::Block *, mlir::Block *> &cutOf,
                                              mlir::Value frame, mlir::IRMapping &mapping, const LocalVariables &locals,
                                              FrameLayout &layout);
  mlir::Value createPrologue(mlir::OpBuilder &builder, unsigned segment, mlir::Block *start, mlir::IRMapping &mapping,
                             const LocalVariables &locals, FrameLayout &layout);
  void endSegment(mlir::Operation *sync, mlir::Block *cut, mlir::Value frame, mlir::IRMapping &mapping,
                  const LocalVariables &locals, FrameLayout &layout);
  void enqueueSpawns(mlir::LLVM::LLVMFuncOp kernel, llvm::SetVector<mlir::Attribute> &targets);
  mlir::SymbolRefAttr node(llvm::StringRef name);
  mlir::Location locationOf(unsigned segment);
  std::string name(llvm::StringRef suffix, unsigned index) const {
    return (task.stack + suffix + llvm::Twine(index)).str();
  }

  const TaskInfo &task;
  mlir::LLVM::LLVMFuncOp func; ///< the function of the task
  const TaskMap &tasks;
  channel::GraphOp graph;
  mlir::SymbolTable &symbols;
  /// Continuation blocks in source order, with the numbers of their segments. A continuation that does nothing has
  /// number 0 and no kernel.
  llvm::MapVector<mlir::Block *, unsigned> cuts;
  llvm::DenseMap<mlir::Block *, mlir::Location> syncLocations; ///< of the syncs before these blocks
  llvm::SmallVector<mlir::Operation *> argumentCopies;
  llvm::DenseSet<mlir::Operation *> unchanged; ///< locals that the kernel which is being made restores and only reads
  bool hasFrame = false;
  unsigned numKernels = 0;
  uint64_t frameSize = 0;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_CONVERSION_CILKTOCHANNEL_TASKSPLITTER_H
