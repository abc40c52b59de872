// Makes functions that run a wavefront: the loop over its lanes, and the vector entries. Descriptors point at them.
#ifndef CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_LANELOOPS_H
#define CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_LANELOOPS_H

#include "KernelScope.h"

namespace cilk2gpu {

class LaneLoops {
public:
  /// If `counts`, each lane reports its start, for the counting of instructions.
  LaneLoops(const KernelScope &scope, bool counts)
      : scope(scope), counts(counts), builder(scope.runtime.getContext()) {}

  /// A loop to create around a lane function.
  struct Loop {
    mlir::LLVM::LLVMFuncOp laneFunc;
    const LaneCounts &counted;
    const LaneAccumulators &accumulators;
    std::string name;
    bool resumes = false; ///< lanes start at the sites in their elements
  };

  /// Creates after the lane function:
  ///   for (lane = 0; lane != wave->lanes; ++lane) laneFunc(wave, lane, site, variables..)
  void createLoop(const Loop &loop);

  /// Creates the function that the descriptor points at. It calls the function that vectorisation makes of a lane form
  /// for an instruction set.
  void createVectorEntry(mlir::LLVM::LLVMFuncOp laneForm, llvm::StringRef kernel, llvm::StringRef isa,
                         mlir::ArrayAttr attributes);

  /// Creates the function `name` for one lane. A host that emulates a device calls it.
  void createDeviceEntry(mlir::LLVM::LLVMFuncOp deviceForm, llvm::StringRef name, mlir::ArrayAttr attributes);

private:
  using Value = mlir::Value;
  using Location = mlir::Location;

  void callLane(Location loc, mlir::LLVM::LLVMFuncOp caller, mlir::LLVM::LLVMFuncOp laneFunc, mlir::ValueRange args);
  void declarePersonality();
  Value startSite(KernelBuilder &code, Location loc, bool resumes, Value columns, Value first, Value index);

  KernelScope scope;
  bool counts;
  mlir::OpBuilder builder;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_LANELOOPS_H
