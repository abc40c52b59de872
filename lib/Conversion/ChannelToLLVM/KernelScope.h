// The context of the patterns of convert-channel-to-llvm: the graph around an operation, the body that it stands in,
// and a builder for code that accesses the records of cilk2gpu/abi/Records.h.
#ifndef CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_KERNELSCOPE_H
#define CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_KERNELSCOPE_H

#include "LaneVariables.h"
#include "Lowering.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace cilk2gpu {

/// The runtime's functions in a module. Each is declared once.
class RuntimeFunctions {
public:
  explicit RuntimeFunctions(mlir::ModuleOp module) : module(module) {}
  mlir::LLVM::LLVMFuncOp get(llvm::StringRef name, mlir::Type result, llvm::ArrayRef<mlir::Type> params);
  mlir::MLIRContext *getContext() { return module.getContext(); }

private:
  mlir::ModuleOp module;
  llvm::StringMap<mlir::LLVM::LLVMFuncOp> declared;
};

/// The graph around an operation.
struct KernelScope {
  mlir::ModuleOp module;
  const mlir::SymbolTable &nodes; ///< nodes of the graph
  const mlir::DataLayout &dataLayout;
  RuntimeFunctions &runtime;
  const TaskParts *task = nullptr; ///< task of the kernel that is being lowered; null in ordinary functions

  /// Returns the node that an operation names if the node holds elements, else null.
  channel::ChannelNodeOpInterface stackOf(mlir::SymbolRefAttr ref) const;

  /// Returns the number of a spawned channel among the task's targets.
  unsigned targetOf(mlir::SymbolRefAttr channel) const;

  /// Returns the post-sync segment that a stack feeds, or 0 if the stack is not one of the task's post-sync stacks.
  unsigned segmentOf(channel::ChannelNodeOpInterface stack) const;
};

/// The function that is being lowered: a kernel's body, which has become a function of (wave, lane, site), or an
/// ordinary function.
struct LoweredBody {
  explicit LoweredBody(const KernelScope &scope) : scope(scope) {}

  KernelScope scope;
  bool onDevice = false;
  bool fetchesAhead = false;                                     ///< lanes prefetch data for later lanes
  mlir::Value wave, lane, site;                                  ///< arguments; null in ordinary functions
  llvm::DenseMap<mlir::Value, CountAddress> records;             ///< where the code found its records; inRecord is 0
  llvm::DenseMap<mlir::Operation *, CountAddress> countAccesses; ///< loads and stores of counts
  llvm::SmallVector<CountExtension> extensions;                  ///< calls that read and change counts
};

/// Builds the code that replaces one operation of a body.
class KernelBuilder {
public:
  KernelBuilder(mlir::OpBuilder &builder, mlir::Location loc, LoweredBody &body)
      : builder(builder), loc(loc), body(body) {}

  mlir::Type pointer() { return mlir::LLVM::LLVMPointerType::get(builder.getContext()); }
  mlir::Type none() { return mlir::LLVM::LLVMVoidType::get(builder.getContext()); }
  mlir::Type i32() { return builder.getI32Type(); }
  mlir::Type i64() { return builder.getI64Type(); }

  mlir::Value constant(mlir::Type type, int64_t value);
  mlir::Value addressAt(mlir::Value base, uint64_t offset);
  mlir::Value loadAt(mlir::Type type, mlir::Value base, uint64_t offset);
  mlir::Operation *storeAt(mlir::Value value, mlir::Value base, uint64_t offset);

  /// Calls a function of the runtime. Returns its result, or null if it has none.
  mlir::Value call(llvm::StringRef name, mlir::Type result, mlir::ValueRange args);

  /// Calls a function of the device runtime, which throws no exceptions.
  mlir::Value callDevice(llvm::StringRef name, mlir::Type result, mlir::ValueRange args);

  /// Returns `pointer`. In a device form, it is marked as leading to memory that all lanes share.
  mlir::Value shared(mlir::Value pointer);

  /// Loads entry `index` of a table of pointers.
  mlir::Value pointerAt(mlir::Value table, unsigned index);

  /// Returns the record at which the pointer at offset `inWave` of the wave points.
  mlir::Value recordAt(uint64_t inWave);

  /// Returns the record at which entry `entry` of a table points. The pointer to the table is at offset `inWave` of the
  /// wave.
  mlir::Value recordAt(uint64_t inWave, unsigned entry);

  /// Loads or stores a count in a record.
  mlir::Value loadCount(mlir::Value record, uint64_t offset);
  void storeCount(mlir::Value count, mlir::Value record, uint64_t offset);

  /// Returns the address of field number `field` of element `index`: column base + index * size.
  mlir::Value fieldAddress(mlir::Value columns, mlir::Value index, unsigned field, mlir::Type type);

  /// Stores a field, or copies it if it is a struct or an array.
  void copyField(mlir::Value address, mlir::Value value, mlir::Type type);

  /// Fills element `next` of a cursor and increments `next`.
  void fillElement(mlir::Value cursor, channel::ChannelNodeOpInterface stack, mlir::ValueRange values);

private:
  void noteAccess(mlir::Operation *access, mlir::Value record, uint64_t offset);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  LoweredBody &body;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_KERNELSCOPE_H
