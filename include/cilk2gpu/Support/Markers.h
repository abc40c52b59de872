// The contract between the frontend and the lowering: names of the marker functions. Markers stand for spawn and sync
// in the LLVM IR that Clang generates, and never reach an object file.
//
//   spawn:  call void @__cilk2gpu_spawn_begin(i32 id, ptr dst)    dst: destination of the result, null if unused
//           ...                                                   by-value aggregate arguments are copied here
//           %r = call T @f(args)                                  the spawned call: last real call before the end
//           store T %r, ptr dst                                   the child (converts and) assigns the result
//           call void @__cilk2gpu_spawn_callee(ptr f)             only where other calls surround the spawned one: f is
//                                                                 its callee, or null for the last call of a pointer
//           call void @__cilk2gpu_spawn_end(i32 id)
//   sync:   call void @__cilk2gpu_sync()
//   return: call void @__cilk2gpu_return_sync(ptr unused)         a sync between a returned value and destructors
//   cilk_for: %k = call i64 @__cilk2gpu_for_begin(i32 id, i64 first, i64 last, i64 step, i32 comparison, i64 grain)
//           ...                                                   the body, for the variable's value %k, in 64 bits
//           call void @__cilk2gpu_for_end(i32 id)
//
//   block:  call void @__cilk2gpu_spawned_block_begin(i32 id)
//           ...                                                   the spawned block or expression
//           call void @__cilk2gpu_spawned_block_end(i32 id)
//
//
// Markers for exceptions that leave tasks, in C++ with exceptions (cilk-defer-exceptions):
//   call void @__cilk2gpu_check(i32 id)                           behind a sync (id -1), and behind the end marker of a
//           cilk_for (its id). It may throw, so Clang adds the code for unwinding.
//   call void @__cilk2gpu_return_check(ptr unused)                behind a return sync
//   call void @__cilk2gpu_caught(i32 id, i64 number)              in a handler for all exceptions that leave the body
//           of a cilk_for or a spawned block; a number that grows from iteration to iteration in serial order
//   %n = call i64 @__cilk2gpu_doacross_thrown(i32 id)             in front of each wave of a doacross nest: the number
//           of the first iteration in serial order that has thrown in an earlier wave, or the largest number. A check
//           marker with this id follows behind the nest.
//
// The code between the markers of a spawned block, too, is entered only at the begin marker and left only at the end
// marker. It is a task of its own, for which nothing waits at the end marker.
//
// The code between a cilk_for's markers stands once, without a loop around it. Control enters it only at the begin
// marker and leaves it only at the end marker. The arguments of the begin marker:
// - `first`, `last`: the loop's bounds as 64-bit integers, extended according to the sign of their type. For pointers,
//   0 and the signed distance.
// - `step`: the signed step. The values are `first`, `first + step`, `first + 2 * step` and so on.
// - `comparison`: a LoopComparison.
// - `grain`: the number of iterations per task, or 0 for the default.
//
// Scalar arguments and the destination are evaluated before spawn_begin. An id is unique in its function and connects a
// begin with its end. The parent runs the code between begin and the spawned call. The child runs the call and the code
// after it.
#ifndef CILK2GPU_SUPPORT_MARKERS_H
#define CILK2GPU_SUPPORT_MARKERS_H

namespace cilk2gpu {

inline constexpr const char kSpawnBeginMarker[] = "__cilk2gpu_spawn_begin";
inline constexpr const char kSpawnEndMarker[] = "__cilk2gpu_spawn_end";
inline constexpr const char kSpawnCalleeMarker[] = "__cilk2gpu_spawn_callee";
inline constexpr const char kSyncMarker[] = "__cilk2gpu_sync";
inline constexpr const char kReturnSyncMarker[] = "__cilk2gpu_return_sync";
inline constexpr const char kForBeginMarker[] = "__cilk2gpu_for_begin";
inline constexpr const char kForEndMarker[] = "__cilk2gpu_for_end";
inline constexpr const char kSpawnedBlockBeginMarker[] = "__cilk2gpu_spawned_block_begin";
inline constexpr const char kSpawnedBlockEndMarker[] = "__cilk2gpu_spawned_block_end";
inline constexpr const char kCheckMarker[] = "__cilk2gpu_check";
inline constexpr const char kReturnCheckMarker[] = "__cilk2gpu_return_check";
inline constexpr const char kCaughtMarker[] = "__cilk2gpu_caught";
inline constexpr const char kThrownMarker[] = "__cilk2gpu_doacross_thrown";

/// Functions of the runtime around a spawned call that may throw. The child begins with the first one.
inline constexpr const char kOpenSlot[] = "__cilk2gpu_open_slot";
inline constexpr const char kDeferException[] = "__cilk2gpu_defer_exception";

/// Marker of a variable of the user for debuggers: its address and its number. It is an ordinary call for all passes on
/// the way through MLIR, so the variable stays in memory (lib/Import/Variables.cpp).
inline constexpr const char kVariableMarker[] = "__cilk2gpu_variable";

/// Function of the runtime that ends the creation of an ordered task (`#pragma cilk depend`), and the function that
/// serial elisions call in its place.
inline constexpr const char kDependAdd[] = "__cilk2gpu_depend_add";
inline constexpr const char kDependAddInElision[] = "__cilk2gpu_depend_add_in_elision";

/// Functions of the runtime around an ordered task, and the function that gives a new ordered task its place in the
/// serial order. Only units with reducers call them.
inline constexpr const char kDependEnter[] = "__cilk2gpu_depend_enter";
inline constexpr const char kDependLeave[] = "__cilk2gpu_depend_leave";
inline constexpr const char kDependReserve[] = "__cilk2gpu_depend_reserve";

/// How the names of the functions begin that run the ordered tasks of a function.
inline constexpr const char kDependRun[] = "cilk_depend.run";

/// Metadata of a loop's begin marker: the name of the inlined function that has the loop in the source.
inline constexpr const char kLoopOriginMetadata[] = "cilk2gpu.origin";

/// LLVM function attribute of a function with loops: a call of it was inlined into main.
inline constexpr const char kInlinedCallAttr[] = "cilk2gpu-inlined-call";

/// LLVM function attribute of a task that the import made, not the frontend. It need not contain markers.
inline constexpr const char kTaskFunctionAttr[] = "cilk2gpu-task";

/// Annotation (llvm.global.annotations) of a function with the attribute `lanes`: this text, then "simd" or "scalar".
inline constexpr const char kLanesAnnotation[] = "cilk2gpu_lanes=";

/// Annotation of a function by which a hand-written graph calls a kernel (cilk2gpu/Graph.h), and the function attribute
/// that it becomes.
inline constexpr const char kGraphKernelAnnotation[] = "cilk2gpu_graph_kernel";
inline constexpr const char kGraphKernelAttr[] = "cilk2gpu-graph-kernel";

/// Annotation of a kernel of thread blocks (`__WF__` in cilk2gpu/Wireframe.h), and the function attribute that it
/// becomes. The attribute has the value kBlockKernelDone when the kernel's body has been made, or cannot be made.
inline constexpr const char kBlockKernelAnnotation[] = "cilk2gpu_block_kernel";
inline constexpr const char kBlockKernelAttr[] = "cilk2gpu-block-kernel";
inline constexpr const char kBlockKernelDone[] = "done";

/// Annotation of the function by which the threads of a block wait for one another, and the function attribute that it
/// becomes.
inline constexpr const char kBlockSyncAnnotation[] = "cilk2gpu_block_sync";
inline constexpr const char kBlockSyncAttr[] = "cilk2gpu-block-sync";

/// Function attribute of the body of a kernel of thread blocks, a copy of the kernel in which markers stand for
/// coordinates and waits. The value is the kernel's name.
inline constexpr const char kBlockBodyAttr[] = "cilk2gpu-block-body";

/// Markers in bodies of kernels of thread blocks. The first four take a dimension (0, 1, 2), and return the number that
/// the variables blockIdx, threadIdx, gridDim and blockDim have there. At the last one, the threads of a block wait for
/// one another.
inline constexpr const char kBlockIdMarker[] = "__cilk2gpu_block_id";
inline constexpr const char kThreadIdMarker[] = "__cilk2gpu_thread_id";
inline constexpr const char kGridDimMarker[] = "__cilk2gpu_grid_dim";
inline constexpr const char kBlockDimMarker[] = "__cilk2gpu_block_dim";
inline constexpr const char kBlockSyncMarker[] = "__cilk2gpu_block_sync";

/// Annotations of functions of <cilk2gpu/Wireframe.h> that mapping functions call, or that call one, and the markers
/// that stand for the first two where the compiler reads a mapping function:
/// - names a parent; the marker takes three coordinates of 64 bits;
/// - sets the policy; the marker takes its kind and its bound;
/// - calls a mapping function that is an object, such as a lambda, for one block.
inline constexpr const char kBlockLinkAnnotation[] = "cilk2gpu_block_link";
inline constexpr const char kBlockPolicyAnnotation[] = "cilk2gpu_block_policy";
inline constexpr const char kBlockMappingAnnotation[] = "cilk2gpu_block_mapping";
inline constexpr const char kBlockLinkMarker[] = "__cilk2gpu_block_parent";
inline constexpr const char kBlockPolicyMarker[] = "__cilk2gpu_block_order";

/// Constructor that registers the mapping functions of a unit whose parents have constant distances.
inline constexpr const char kRegisterLinks[] = "__cilk2gpu_register_links_of_unit";

/// Annotation of a function by which a launch of thread blocks calls its kernel (cilk2gpu/Wireframe.h), and the
/// function attribute that it becomes.
inline constexpr const char kBlockCallAnnotation[] = "cilk2gpu_block_call";
inline constexpr const char kBlockCallAttr[] = "cilk2gpu-block-call";

/// Annotation of a function of <cilk2gpu/Wireframe.h> that only the host calls, through a pointer.
inline constexpr const char kBlockHostAnnotation[] = "cilk2gpu_block_host";

/// Annotations of blockIdx and the like, and of variables that the threads of a block share, and the attributes of
/// variables that they become.
inline constexpr const char kBlockIndexAnnotation[] = "cilk2gpu_block_index";
inline constexpr const char kBlockIndexAttr[] = "cilk2gpu-block-index";
inline constexpr const char kBlockSharedAnnotation[] = "cilk2gpu_block_shared";
inline constexpr const char kBlockSharedAttr[] = "cilk2gpu-block-shared";

/// LLVM function attribute of a declaration of a function that the unit defines. The value is the place of its code,
/// "file:line".
inline constexpr const char kPlaceAttr[] = "cilk2gpu-place";

/// LLVM function attribute of a function that is made from a user function. The value is the user function's name.
inline constexpr const char kOriginAttr[] = "cilk2gpu-origin";

/// LLVM function attribute whose value names the function's serial elision. Only elisions that the import made are
/// named. Ordinary functions that start the graph or call their elision keep it in the whole unit.
inline constexpr const char kElisionFunctionAttr[] = "cilk2gpu-elision";

/// Function attribute of such an elision: direct calls lead from it to a recursion of Cilk functions, so it may need a
/// deep stack.
inline constexpr const char kRecursiveElisionAttr[] = "cilk2gpu-recursive";

/// Function attribute of a Cilk function that returns updates of reducers: the name of an ordinary function that is its
/// elision. The attribute has no meaning once the two functions have different types.
inline constexpr const char kUpdatingElisionAttr[] = "cilk2gpu-updating-elision";

/// Function attribute of a declaration: this unit defines a function of that name, and no other unit can see it.
inline constexpr const char kLocalFunctionAttr[] = "cilk2gpu-local";

/// Function attribute of the body of a Cilk function that the linker may replace. The value is the function's name.
inline constexpr const char kReplaceableAttr[] = "cilk2gpu-replaceable";

/// Function attribute of a declaration: the unit does not define the function, or the linker may replace it.
inline constexpr const char kForeignFunctionAttr[] = "cilk2gpu-foreign";

/// LLVM function attribute of user functions with the attribute `lanes`. The value is "simd" or "scalar".
inline constexpr const char kLanesAttr[] = "cilk2gpu-lanes";

/// LLVM function attribute of user functions that run as few tasks at a time.
inline constexpr const char kRareTaskAttr[] = "cilk2gpu-rare";

/// LLVM function attribute of a function that pointers may lead to. If it has a value, the function is a stand-in: the
/// value names a function that another unit defines, the pointers lead to that function, and the stand-in calls it.
inline constexpr const char kPointedAtAttr[] = "cilk2gpu-pointed-at";

/// Function attribute of a function that tasks call. The value lists the numbers of the pointer parameters that the
/// function does not use after it returns.
inline constexpr const char kBorrowsAttr[] = "cilk2gpu-borrows";

/// Function attribute of a local function that has one call in Clang's code, and no other use.
inline constexpr const char kSingleCallAttr[] = "cilk2gpu-single-call";

/// Name of the only function in the C file that Clang compiles in place of a program in MLIR (MlirInput.h). It has the
/// attributes that Clang gives to every function.
inline constexpr const char kProgramTemplate[] = "__cilk2gpu_program_template";

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_MARKERS_H
