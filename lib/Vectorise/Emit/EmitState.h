// The state that the parts of the emitter share: the function that is being emitted, the emitted value for each value
// of the lane function, and the mask of the active lanes.
#ifndef CILK2GPU_LIB_VECTORISE_EMIT_EMITSTATE_H
#define CILK2GPU_LIB_VECTORISE_EMIT_EMITSTATE_H

#include "Vectorise/Analysis/Divergence.h"

#include "cilk2gpu/Support/VectorIsa.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace cilk2gpu {

/// Pointers that are valid for the whole wavefront and loaded once.
struct WaveState {
  mlir::Value window; ///< start of the window of frames, if it is used
  mlir::Value wave, first, frames;
  llvm::MapVector<unsigned, mlir::Value> fields, targets, syncs;
  mlir::Value restarts;
};

/// Parameters of the function of a row of threads (lane::kBlockBodyAttr). All are null in other functions.
struct RowState {
  mlir::Value place;
  mlir::Value y, z;        ///< coordinates of the row, i32
  mlir::Value firstThread; ///< coordinate along x of the vector's first lane, i32
  mlir::Value isAlone;     ///< true if the vector has all threads of the block
};

struct EmitState {
  EmitState(mlir::LLVM::LLVMFuncOp lane, const Divergence &divergence, unsigned length, const VectorIsaInfo &isa)
      : lane(lane), divergence(&divergence), length(length), vectorIsa(isa),
        module(lane->getParentOfType<mlir::ModuleOp>()), dataLayout(module), builder(lane.getContext()) {}

  mlir::LLVM::LLVMFuncOp lane;
  const Divergence *divergence; ///< divergence in the body that is being emitted
  const unsigned length;        ///< lanes of a vector
  const VectorIsaInfo &vectorIsa;
  mlir::ModuleOp module;
  mlir::DataLayout dataLayout;
  mlir::OpBuilder builder;
  mlir::LLVM::LLVMFuncOp func;                     ///< function that is being emitted
  llvm::DenseMap<mlir::Value, mlir::Value> values; ///< value of the lane function -> emitted value
  WaveState wave;
  RowState row;
  mlir::Operation *prologueEnd = nullptr; ///< the entry block's terminator; loop-invariant code goes before it
  mlir::Value base;                       ///< number of the block's first lane, i64
  mlir::Value remaining;                  ///< lanes from the block's first lane on, i64
  mlir::Value mask;                       ///< active lanes
  mlir::Value blockMask;                  ///< lanes of the block that exist
};

/// Returns the alignment of an access in bytes: the stated one, or that of the type.
inline unsigned alignmentOf(std::optional<uint64_t> stated, const mlir::DataLayout &dataLayout, mlir::Type type) {
  return stated ? unsigned(*stated) : unsigned(dataLayout.getTypeABIAlignment(type));
}

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_EMIT_EMITSTATE_H
