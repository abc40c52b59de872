// Pieces of convert-channel-to-llvm: kernels and host entries, and descriptors.
#ifndef CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_LOWERING_H
#define CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_LOWERING_H

#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "cilk2gpu/Support/LoweredNames.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace cilk2gpu {

/// The parts of a graph by task, in the order in which descriptors number them.
struct TaskParts {
  channel::StackOp stack;
  channel::FrameOp frame;                       ///< null if the task has none
  llvm::SmallVector<channel::KernelOp> kernels; ///< by segment
  llvm::SmallVector<bool> spawnOne;             ///< by segment: a lane spawns one task at most
  llvm::SetVector<mlir::Attribute> targets;     ///< stacks that its kernels spawn, numbered in this order
  llvm::SmallVector<channel::StackOp> postSync; ///< by segment; [0] is null
  mlir::LLVM::LLVMFuncOp elided;                ///< runs a task with all that it spawns; null if there is none
};

/// Tasks of a graph by name, in order of declaration.
using GraphParts = llvm::MapVector<mlir::StringAttr, TaskParts>;
mlir::FailureOr<GraphParts> collectParts(channel::GraphOp graph);

/// Declares a function of the runtime once.
mlir::LLVM::LLVMFuncOp declareRuntime(mlir::ModuleOp module, llvm::StringRef name, mlir::Type result,
                                      llvm::ArrayRef<mlir::Type> params);

/// The accumulators of a scalar kernel (cilk::kAccumulateAttr): variables of the loop over the lanes.
class LaneAccumulators {
public:
  /// Gives `lane` two parameters for each accumulation in it, the addresses of the variables, and rewrites it;
  /// very many share theirs.
  explicit LaneAccumulators(mlir::LLVM::LLVMFuncOp lane);

  /// Creates the variables, to be handed to the lane function; nothing is in them yet.
  llvm::SmallVector<mlir::Value> createVariables(mlir::OpBuilder &builder, mlir::Location loc) const;

  /// Folds what is in the variables into memory. Leaves the builder behind it.
  void flush(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange variables) const;

private:
  struct Entry {
    mlir::LLVM::AtomicBinOp kind;
    mlir::Type type;
  };
  static void lower(mlir::LLVM::AtomicRMWOp update, mlir::Value current, mlir::Value sum);
  static void flush(mlir::OpBuilder &builder, mlir::Location loc, const Entry &entry, mlir::Value current,
                    mlir::Value sum);

  llvm::SmallVector<Entry> entries;
};

/// Where a kernel finds a count of elements or frames: in a record that its wave points at, or a table in it does.
struct CountPlace {
  uint64_t inWave;   ///< offset of the pointer
  uint64_t entry;    ///< of the table, if it is one
  uint64_t inRecord; ///< offset of the count
  bool isInTable;
  auto operator<=>(const CountPlace &other) const = default;
};

/// A load or store of a count in a lane function.
struct CountAccess {
  mlir::Operation *access;
  CountPlace place;
};

/// A call that makes room where `place` counts.
struct CountExtension {
  mlir::LLVM::CallOp call;
  CountPlace place;
};

/// The counts of a scalar kernel: variables of the loop over the lanes.
class LaneCounts {
public:
  /// Gives `lane` two parameters for each of the counts that it accesses most, the addresses of the variable and of the
  /// count itself. A count is up to date when one of `extensions` looks at it, and read again after it.
  LaneCounts(mlir::LLVM::LLVMFuncOp lane, llvm::ArrayRef<CountAccess> accesses,
             llvm::ArrayRef<CountExtension> extensions);

  /// Creates the variables, to be handed to the lane function, with what the records have.
  llvm::SmallVector<mlir::Value> createVariables(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value wave) const;

  /// Puts what is in the variables into the records.
  void flush(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange variables) const;

private:
  llvm::SmallVector<CountPlace> places;
};

/// Makes `kernel` what a fresh lane does, and returns another function for lanes that restart, whose local variables
/// are where a lane that is refused would save them. Null if nothing in the kernel restarts, or not in the form that
/// channel-make-resumable gives it: then `kernel` stays what both do.
mlir::LLVM::LLVMFuncOp splitRestarts(mlir::LLVM::LLVMFuncOp kernel, mlir::OpBuilder &builder);

/// Lowers the channel operations of kernel bodies and host functions. Kernel bodies become functions of (wave, lane,
/// site), wrapped in the loops over lanes that descriptors point at.
class KernelLowering {
public:
  /// `laneForms`: make a lane form of each kernel that has one, and vector entries in its descriptor for these
  /// instruction sets, with + between them; empty: none.
  /// `deviceSymbols`: if not empty, make each kernel's device form, and an entry for it in its descriptor; symbols in
  /// device images begin with it. `counts`: prepare kernels for the counting of instructions.
  KernelLowering(mlir::ModuleOp module, channel::GraphOp graph, GraphParts &parts, llvm::StringRef laneForms,
                 llvm::StringRef deviceSymbols, bool counts)
      : module(module), graph(graph), nodes(graph), functions(module), parts(parts), laneForms(laneForms),
        deviceSymbols(deviceSymbols), counts(counts), dataLayout(module), builder(module.getContext()) {}

  mlir::LogicalResult lowerKernel(channel::KernelOp node);
  mlir::LogicalResult lowerElided(TaskParts &of);
  mlir::LogicalResult lowerHost(mlir::LLVM::LLVMFuncOp func);

private:
  using Value = mlir::Value;
  using Location = mlir::Location;

  mlir::LogicalResult lower(mlir::Operation *op);
  void fetchAhead(Location loc, Value columns, Value first, llvm::ArrayRef<int64_t> followed);
  void lower(channel::DeqOp op);
  mlir::LogicalResult lower(channel::TallocOp op);
  void lower(channel::TryTallocOp op);
  void lower(channel::EnqOp op);
  void lower(channel::TfreeOp op);
  void lower(channel::YieldOp op);
  void lower(channel::ResultOp op);
  void lower(channel::RootOp op);

  channel::StackOp stackOf(mlir::SymbolRefAttr ref);
  mlir::LLVM::LLVMFuncOp runtime(llvm::StringRef name, mlir::Type result, llvm::ArrayRef<mlir::Type> params);
  Value loadAt(Location loc, mlir::Type type, Value base, uint64_t offset);
  mlir::Operation *storeAt(Location loc, Value value, Value base, uint64_t offset);
  Value fieldAddress(Location loc, Value columns, Value index, unsigned field, mlir::Type type);
  Value pointerAt(Location loc, Value table, unsigned index);
  Value constant(Location loc, mlir::Type type, int64_t value);
  Value recordAt(Location loc, uint64_t inWave);
  Value recordAt(Location loc, uint64_t inWave, unsigned entry);
  Value loadCount(Location loc, Value record, uint64_t offset);
  void storeCount(Location loc, Value count, Value record, uint64_t offset);
  void fillElement(Location loc, Value cursor, channel::StackOp stack, mlir::ValueRange values);
  void copyField(Location loc, Value address, Value value, mlir::Type type);
  mlir::LogicalResult lowerBody(mlir::LLVM::LLVMFuncOp kernel, llvm::StringRef name);
  mlir::LogicalResult lowerRestarts(mlir::LLVM::LLVMFuncOp restarts, const std::string &name);
  bool lowerOnDevice(mlir::Operation *op);
  Value callDevice(Location loc, llvm::StringRef name, mlir::Type result, mlir::ValueRange args);
  Value shared(Location loc, Value pointer);
  void tallocOnDevice(channel::TryTallocOp op);
  void enqOnDevice(channel::EnqOp op);
  void foldOnDevice(mlir::LLVM::AtomicRMWOp update);
  mlir::LogicalResult lowerDeviceForm(mlir::LLVM::LLVMFuncOp copy, llvm::StringRef name, bool resumes, bool elides);
  unsigned targetIndex(mlir::SymbolRefAttr channel);
  unsigned segmentOf(channel::StackOp stack);
  void markChannelOp(mlir::Operation *op);
  void callLane(Location loc, mlir::LLVM::LLVMFuncOp caller, mlir::LLVM::LLVMFuncOp laneFunc, mlir::ValueRange args);
  void createVectorEntry(mlir::LLVM::LLVMFuncOp laneForm, llvm::StringRef kernel, llvm::StringRef isa,
                         mlir::ArrayAttr attributes);
  bool isRootOnly();
  mlir::LLVM::LLVMFuncOp createLaneForm(mlir::LLVM::LLVMFuncOp kernel);
  void createLaneLoop(mlir::LLVM::LLVMFuncOp laneFunc, const LaneCounts &counted, const LaneAccumulators &accumulators,
                      llvm::StringRef name, bool resumes);

  mlir::ModuleOp module;
  channel::GraphOp graph;
  mlir::SymbolTable nodes;                          ///< of the graph
  mlir::SymbolTable functions;                      ///< by the names that they had before they were lowered
  llvm::StringMap<mlir::LLVM::LLVMFuncOp> declared; ///< of the runtime
  GraphParts &parts;
  std::string laneForms;
  llvm::StringRef deviceSymbols;
  bool counts;
  unsigned numDeviceForms = 0;
  bool onDevice = false; ///< the body being lowered is a device form
  mlir::DataLayout dataLayout;
  mlir::OpBuilder builder;
  TaskParts *task = nullptr;                    ///< of the kernel being lowered
  Value wave, lane, site;                       ///< its arguments
  llvm::DenseMap<Value, CountPlace> records;    ///< where it has its records from; the offset in them is 0
  llvm::SmallVector<CountAccess> countAccesses; ///< of the body that was lowered last
  llvm::SmallVector<CountExtension> extends;    ///< calls in it that look at counts
};

/// Emits the graph as constant records (cilk2gpu/abi/Records.h) and the constructor that registers them.
void emitDescriptors(mlir::ModuleOp module, channel::GraphOp graph, GraphParts &parts);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_LOWERING_H
