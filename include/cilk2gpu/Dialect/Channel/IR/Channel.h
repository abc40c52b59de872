// The `channel` dialect: graph nodes, types and operations.
#ifndef CILK2GPU_DIALECT_CHANNEL_IR_CHANNEL_H
#define CILK2GPU_DIALECT_CHANNEL_IR_CHANNEL_H

#include "cilk2gpu/Dialect/Channel/IR/GraphDescription.h"
#include "cilk2gpu/Dialect/Channel/IR/NodeDrawing.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "cilk2gpu/Dialect/Channel/IR/ChannelDialect.h.inc"
#include "cilk2gpu/Dialect/Channel/IR/ChannelEnums.h.inc"
#include "cilk2gpu/Dialect/Channel/IR/ChannelInterfaces.h.inc"
#define GET_TYPEDEF_CLASSES
#include "cilk2gpu/Dialect/Channel/IR/ChannelTypes.h.inc"
#define GET_OP_CLASSES
#include "cilk2gpu/Dialect/Channel/IR/ChannelOps.h.inc"

namespace cilk2gpu::channel {

/// On an llvm.func that is a kernel body: the kernel node (a nested symbol) that it belongs to.
inline constexpr llvm::StringLiteral kKernelAttr = "channel.kernel";

/// Attribute of an llvm.func that runs a task as its serial elision, with all tasks that it spawns. The value is the
/// task's pre-sync stack (a nested symbol), whose elements the function consumes. The function is no node of the graph.
/// An executor may run it in place of the task's first kernel.
inline constexpr llvm::StringLiteral kElidedAttr = "channel.elided";

/// On an llvm.func that is the body or the links of a block graph: the BlocksOp (a nested symbol) that it belongs to.
inline constexpr llvm::StringLiteral kBlocksAttr = "channel.blocks";

/// On a kernel body: offset and size of each frame field in which its lanes are saved, as in FrameOp's `fields`.
inline constexpr llvm::StringLiteral kSaveFieldsAttr = "channel.save_fields";

/// On a load at the start of a kernel: a unit attribute. The load reads a value that the frame keeps for this kernel
/// alone. Nothing changes the field until the kernel itself stores to it.
inline constexpr llvm::StringLiteral kRestoresAttr = "channel.restores";

/// Attributes that channel-make-resumable leaves for passes that specialise a kernel:
/// - kSavedAttr, on a local variable: its offset in the frame while a lane waits for space (i64);
/// - kSavesAttr, on an operation that saves or restores a local: a unit attribute;
/// - kHoldsFrameAttr, on the local variable that holds the frame: a unit attribute;
/// - kSavedWordsAttr, from channel-frame-columns: the number of words of the field in which a local is saved.
inline constexpr llvm::StringLiteral kSavedAttr = "channel.saved", kSavesAttr = "channel.saves",
                                     kHoldsFrameAttr = "channel.holds_frame", kSavedWordsAttr = "channel.saved_words";

/// Returns a branch that depends on the thread and whose paths have not met again before `sync`; null if there is none.
/// `threads` are the extents of a block, if they are known.
mlir::Operation *findDivergence(BlockSyncOp sync, std::optional<llvm::ArrayRef<int64_t>> threads);

/// Returns true if enq and deq pass a field of type `type` by address (structs and arrays).
bool isByAddress(mlir::Type type);

/// Returns the type that enq takes and deq yields for a field of type `type`.
mlir::Type operandType(mlir::Type type);

} // namespace cilk2gpu::channel

#endif // CILK2GPU_DIALECT_CHANNEL_IR_CHANNEL_H
