// The contract between the frontend and the compiler's middle: names of the marker functions that stand for spawn and
// sync in the LLVM IR that Clang generates. They never reach an object file.
//
//   spawn:  call void @__cilk2gpu_spawn_begin(i32 id, ptr dst)    dst: where the result goes, null if unused
//           ...                                                   by-value aggregate arguments are copied here
//           %r = call T @f(args)                                  the spawned call: last real call before the end
//           store T %r, ptr dst                                   (conversion and) assignment: the child's
//           call void @__cilk2gpu_spawn_callee(ptr f)           only where calls stand around the spawned one: its
//                                                                 target, or null for the last one through a pointer
//           call void @__cilk2gpu_spawn_end(i32 id)
//   sync:   call void @__cilk2gpu_sync()
//   return: call void @__cilk2gpu_return_sync(ptr unused)         a sync between a returned value and destructors
//   cilk_for: %k = call i64 @__cilk2gpu_for_begin(i32 id, i64 first, i64 last, i64 step, i32 comparison, i64 grain)
//           ...                                                   the body, for iteration number %k (0, 1, 2, ...)
//           call void @__cilk2gpu_for_end(i32 id)
//
// The code between a cilk_for's markers stands once, without a loop around it; control enters it at the begin and
// leaves it at the end only. `first` and `last` are the loop's bounds and `step` its signed step, as 64-bit integers
// (bounds of a signed type sign-extended, of an unsigned one zero-extended; for pointers 0 and the distance, signed),
// `comparison` is a LoopComparison, `grain` the iterations per task or 0 for the default.
//
// Scalar arguments and the destination are evaluated before spawn_begin. Ids are unique in a function and say which
// end belongs to which begin. What stands before the spawned call is the parent's, the call and what follows the
// child's.
#ifndef CILK2GPU_FRONTEND_MARKERS_H
#define CILK2GPU_FRONTEND_MARKERS_H

namespace cilk2gpu {

inline constexpr const char kSpawnBeginMarker[] = "__cilk2gpu_spawn_begin";
inline constexpr const char kSpawnEndMarker[] = "__cilk2gpu_spawn_end";
inline constexpr const char kSpawnCalleeMarker[] = "__cilk2gpu_spawn_callee";
inline constexpr const char kSyncMarker[] = "__cilk2gpu_sync";
inline constexpr const char kReturnSyncMarker[] = "__cilk2gpu_return_sync";
inline constexpr const char kForBeginMarker[] = "__cilk2gpu_for_begin";
inline constexpr const char kForEndMarker[] = "__cilk2gpu_for_end";

/// LLVM function attribute: the function is a task though it may have no markers (made by the import, not the
/// frontend).
inline constexpr const char kTaskFunctionAttr[] = "cilk2gpu-task";

/// Annotation of a function (llvm.global.annotations) by the attribute `lanes`: this, then "simd" or "scalar".
inline constexpr const char kLanesAnnotation[] = "cilk2gpu_lanes=";

/// LLVM function attribute with a value, on user functions: "simd" or "scalar", as their attribute `lanes` says.
inline constexpr const char kLanesAttr[] = "cilk2gpu-lanes";

/// LLVM function attribute on what is made from a user function: that function's name.
inline constexpr const char kOriginAttr[] = "cilk2gpu-origin";

/// Attribute of a function that pointers may lead to. Its value, if it has one, is the name of another one, defined
/// elsewhere, that the pointers are of and that this one calls.
inline constexpr char kPointedAtAttr[] = "cilk2gpu-pointed-at";

/// LLVM function attribute with a value: the name of the function's serial elision, if the import made that.
inline constexpr const char kElisionFunctionAttr[] = "cilk2gpu-elision";

/// Function attribute of a declaration: this unit defines a function of that name which no other unit can see.
inline constexpr const char kLocalFunctionAttr[] = "cilk2gpu-local";

/// Function attribute of a declaration: this unit does not define the function, either.
inline constexpr const char kForeignFunctionAttr[] = "cilk2gpu-foreign";

} // namespace cilk2gpu

#endif // CILK2GPU_FRONTEND_MARKERS_H
