// Names of lane operations (lib/Vectorise/Emit/LaneOps.h says what they mean), shared by those who make and who read
// them.
#ifndef CILK2GPU_VECTORISE_LANEOPS_H
#define CILK2GPU_VECTORISE_LANEOPS_H

#include "llvm/ADT/StringExtras.h"

#include <optional>

namespace cilk2gpu::lane {

inline constexpr llvm::StringLiteral kPrefix = "cilk2gpu.lane.";
inline constexpr llvm::StringLiteral kDeq = "deq";
inline constexpr llvm::StringLiteral kAddress = "address";
inline constexpr llvm::StringLiteral kSpawn = "spawn";
inline constexpr llvm::StringLiteral kFrame = "frame";
inline constexpr llvm::StringLiteral kPlace = "place";
inline constexpr llvm::StringLiteral kFree = "free";
inline constexpr llvm::StringLiteral kPublish = "publish";
inline constexpr llvm::StringLiteral kYield = "yield";
inline constexpr llvm::StringLiteral kResult = "result";
inline constexpr llvm::StringLiteral kDestination = "destination";

inline constexpr llvm::StringLiteral kAccumulate = "accumulate";

/// What the symbol of a lane operation says: cilk2gpu.lane.KIND..KERNEL, or KIND.NUMBER, with more behind it for some.
struct OpName {
  llvm::StringRef kind;
  std::optional<unsigned> number;
};

/// None if the symbol is no lane operation's.
inline std::optional<OpName> parseOpName(llvm::StringRef symbol) {
  if (!symbol.consume_front(kPrefix))
    return std::nullopt;
  auto [kind, rest] = symbol.split("..").first.split('.');
  unsigned number;
  bool isNumbered = !rest.split('.').first.getAsInteger(10, number);
  return OpName{kind, isNumbered ? std::optional(number) : std::nullopt};
}

/// A mathematical function that has a form for N lanes, the function NAME of a vector library, is called as
/// cilk2gpu.math.N.NAME with one lane's operands.
inline constexpr llvm::StringLiteral kMathPrefix = "cilk2gpu.math.";

/// Function attribute of a kernel in terms of lane operations, from ChannelToLLVM to the vectoriser. A value says why
/// the kernel has no such form: the function is there to say that.
inline constexpr llvm::StringLiteral kKernelAttr = "cilk2gpu-lane-kernel";

/// Function attribute with a value, of a pre-sync kernel that spawns its own task: the number of that target.
inline constexpr llvm::StringLiteral kOwnTargetAttr = "cilk2gpu-own-target";

/// Function attribute with a value, of a kernel whose frames are in columns: the size of the field in each, as
/// channel.frame's `columns`, with commas between them.
inline constexpr llvm::StringLiteral kFrameColumnsAttr = "cilk2gpu-frame-columns";

/// Function attribute of a lane form: calls from outside the graph run it, kernels of this unit do not spawn it.
inline constexpr llvm::StringLiteral kFewTasksAttr = "cilk2gpu-few-tasks";

/// Function attribute of a task that runs a part of a cilk_for's iterations, or halves it; with this value, the part is
/// one iteration, which spawns or waits.
inline constexpr llvm::StringLiteral kLoopTaskAttr = "cilk2gpu-loop-task", kOneIteration = "one";

/// Function attribute of a function that is made of a cilk_for's body and called by the loop's task alone.
inline constexpr llvm::StringLiteral kLoopBodyAttr = "cilk2gpu-loop-body";

/// Function attribute of a kernel: the structs that its element has by value are many columns, one for each scalar,
/// which is for vectors alone (channel-split-fields).
inline constexpr llvm::StringLiteral kManyColumnsAttr = "cilk2gpu-many-columns";

/// Function attribute of a task's function: its structs stay whole.
inline constexpr llvm::StringLiteral kWholeFieldsAttr = "cilk2gpu-whole-fields";

/// Function attribute with a value, of a function that kernels call: the name of the instruction set that clones for
/// all lanes are made for. The copy that they are made from is NAME kCloneInfix ISA.
inline constexpr llvm::StringLiteral kCloneAttr = "cilk2gpu-lane-clone";
inline constexpr llvm::StringLiteral kCloneInfix = ".clone.";

/// Function attribute with a value, of a lane form: the lanes of its vectors.
inline constexpr llvm::StringLiteral kLengthAttr = "cilk2gpu-vector-length";

/// The same for the name of the instruction set that it is vectorised for (VectorIsa.h).
inline constexpr llvm::StringLiteral kIsaAttr = "cilk2gpu-vector-isa";

} // namespace cilk2gpu::lane

#endif // CILK2GPU_VECTORISE_LANEOPS_H
