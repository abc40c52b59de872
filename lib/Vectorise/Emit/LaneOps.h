// Lane operations: what a kernel does with channels, as calls, so that LLVM's
// passes can simplify a kernel before it is vectorised. ChannelToLLVM makes
// them (for one lane), the vectoriser gives them meaning for a wavefront's
// lanes.
//
//   T    cilk2gpu.lane.deq.F()            field F of the lane's element
//   ptr  cilk2gpu.lane.address.F.SIZE()   address of field F, of SIZE bytes, of
//   a struct or array type i1   cilk2gpu.lane.spawn.T(fields)    fills an
//   element of target T; false: there is no space ptr  cilk2gpu.lane.frame()
//   takes a frame
//   ptr  cilk2gpu.lane.place.W(frame)     place of the frame in a column of fields of W words (placeInColumn)
//   void cilk2gpu.lane.free(frame)        gives it back void
//   cilk2gpu.lane.publish.K(frame)   the frame waits for segment K void
//   cilk2gpu.lane.yield(frame, site) the frame waits for space void
//   cilk2gpu.lane.result(v, p)       stores v through p unless p is null; no
//   alignment is known
//   void cilk2gpu.lane.result.N(v, w, p)  the same for two values of eight bytes, w behind v
//   ptr  cilk2gpu.lane.destination(o)     the address that an offset of 32 bits names (abi::kFrameUnit)
//   void cilk2gpu.lane.accumulate.KIND.N(v, p)  *p = *p o v, atomically, at some time before the kernel ends; KIND is
//                                         the number of an LLVM::AtomicBinOp, N tells places apart
//
// A name ends in ".." and the kernel's name: calls of different kernels have
// different types. Fields of struct or array type are given to a spawn as
// pointers with llvm.byval.
#ifndef CILK2GPU_LIB_VECTORISE_EMIT_LANEOPS_H
#define CILK2GPU_LIB_VECTORISE_EMIT_LANEOPS_H

#include "cilk2gpu/Vectorise/LaneOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2gpu {

enum class LaneOp {
  None,
  Deq,
  Address,
  Spawn,
  Frame,
  Place,
  Free,
  Publish,
  Yield,
  Result,
  Destination,
  Accumulate,
};

/// What `call` is, and in `number` the F, T or K of its name.
LaneOp classify(mlir::LLVM::CallOp call, unsigned &number);

inline LaneOp classify(mlir::LLVM::CallOp call) {
  unsigned number;
  return classify(call, number);
}

/// The type of operand `index` of a spawn if it is given by its address, else
/// null.
mlir::Type byAddressType(mlir::LLVM::CallOp spawn, unsigned index);

/// Whether one call stands for all lanes if its operands are uniform: it has no
/// effects and reads no memory.
bool isUniformCall(mlir::LLVM::CallOp call);

/// An operation on values alone, whose vector form is the same operation on
/// vectors.
bool isElementwise(mlir::Operation *op);
bool isElementwiseIntrinsic(mlir::Operation *op);
bool isDivision(mlir::Operation *op);

/// Nothing goes wrong, and little is lost, if this region runs although no lane
/// wants it.
bool isSpeculatable(mlir::Region &region);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_EMIT_LANEOPS_H
