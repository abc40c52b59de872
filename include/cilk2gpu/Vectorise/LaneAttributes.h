// LLVM function attributes of lane forms and of functions that lanes call. Passes on LLVM IR and on MLIR read and write
// them.
#ifndef CILK2GPU_VECTORISE_LANEATTRIBUTES_H
#define CILK2GPU_VECTORISE_LANEATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace cilk2gpu::lane {

/// On a lane form, which is a kernel with operations of the `lane` dialect, from convert-channel-to-llvm to
/// vectorise-lanes. If the attribute has a value, the kernel cannot have a lane form: the function is empty, and the
/// value is the reason.
inline constexpr llvm::StringLiteral kKernelAttr = "cilk2gpu-lane-kernel";

/// On a pre-sync kernel that spawns its own task. The value is the number of the target.
inline constexpr llvm::StringLiteral kOwnTargetAttr = "cilk2gpu-own-target";

/// On a kernel whose frames are in columns. The value lists the size of each column's field, with commas between them
/// (channel.frame's `columns`).
inline constexpr llvm::StringLiteral kFrameColumnsAttr = "cilk2gpu-frame-columns";

/// On a lane form of a block graph's body. The value is the place of the body in the source, as LINE:COLUMN:FILE, for
/// remarks. The parameters are the same in all lanes:
/// - the place, the number of lanes, and the rows of a block;
/// - the coordinates y and z of the thread, the coordinate x of the block, and the coordinate x of the thread;
/// - the fields.
inline constexpr llvm::StringLiteral kBlockBodyAttr = "cilk2gpu-block-body";

/// On such a form if its lanes are blocks, not threads of one block. With the value kOfOneRow, they are neighbours
/// along x.
inline constexpr llvm::StringLiteral kLanesAreBlocksAttr = "cilk2gpu-lanes-are-blocks", kOfOneRow = "row";

/// The numbers of lanes for which the lane form of a body with barriers is vectorised: a small one, and one so large
/// that most blocks have one vector, which needs no fibers.
inline constexpr unsigned kBarrierLengths[] = {16, 64};

/// On a lane form that only runs for calls from outside the graph, because no kernel of this unit spawns the task.
inline constexpr llvm::StringLiteral kFewTasksAttr = "cilk2gpu-few-tasks";

/// On a task that runs a range of a cilk_for's iterations, or halves the range. With the value kOneIteration, the range
/// is one iteration, which spawns or waits.
inline constexpr llvm::StringLiteral kLoopTaskAttr = "cilk2gpu-loop-task", kOneIteration = "one";

/// On a function that contains a cilk_for's body. Only the loop's task calls it.
inline constexpr llvm::StringLiteral kLoopBodyAttr = "cilk2gpu-loop-body";

/// On a kernel whose element holds structs by value as many columns, one for each scalar (channel-split-fields). Only
/// vector code gains from these columns.
inline constexpr llvm::StringLiteral kManyColumnsAttr = "cilk2gpu-many-columns";

/// On a lane form that stands for equal lane forms of other functions. The value lists their names (as kOriginAttr),
/// with commas between them.
inline constexpr llvm::StringLiteral kSharedOriginsAttr = "cilk2gpu-shared-origins";

/// On a task's function: the structs of its elements stay whole.
inline constexpr llvm::StringLiteral kWholeFieldsAttr = "cilk2gpu-whole-fields";

/// On a function that kernels call and that is cloned for all lanes of a vector. The value names the instruction set.
/// The clones are made from a copy named NAME kCloneInfix ISA.
inline constexpr llvm::StringLiteral kCloneAttr = "cilk2gpu-lane-clone";
inline constexpr llvm::StringLiteral kCloneInfix = ".clone.";

/// On a lane form: the number of lanes of its vectors.
inline constexpr llvm::StringLiteral kLengthAttr = "cilk2gpu-vector-length";

/// On a lane form: the name of the instruction set that it is vectorised for (VectorIsa.h).
inline constexpr llvm::StringLiteral kIsaAttr = "cilk2gpu-vector-isa";

/// Prefix of the names of mathematical functions that a vector library has for N lanes. A function NAME of the library
/// is called as cilk2gpu.math.N.NAME, with one lane's operands.
inline constexpr llvm::StringLiteral kMathPrefix = "cilk2gpu.math.";

} // namespace cilk2gpu::lane

#endif // CILK2GPU_VECTORISE_LANEATTRIBUTES_H
