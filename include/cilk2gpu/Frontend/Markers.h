// The contract between the frontend and the compiler's middle: names of the marker functions that stand for spawn and
// sync in the LLVM IR that Clang generates. They never reach an object file.
//
//   spawn:  call void @__cilk2gpu_spawn_begin(i32 id, ptr dst)    dst: where the result goes, null if unused
//           ...                                                   by-value aggregate arguments are copied here
//           %r = call T @f(args)                                  the spawned call: last real call before the end
//           store T %r, ptr dst                                   (conversion and) assignment: the child's
//           call void @__cilk2gpu_spawn_end(i32 id)
//   sync:   call void @__cilk2gpu_sync()
//
// Scalar arguments and the destination are evaluated before spawn_begin. Ids are unique in a function and say which
// end belongs to which begin. What stands before the spawned call is the parent's, the call and what follows the child's.
#ifndef CILK2GPU_FRONTEND_MARKERS_H
#define CILK2GPU_FRONTEND_MARKERS_H

namespace cilk2gpu {

inline constexpr const char kSpawnBeginMarker[] = "__cilk2gpu_spawn_begin";
inline constexpr const char kSpawnEndMarker[] = "__cilk2gpu_spawn_end";
inline constexpr const char kSyncMarker[] = "__cilk2gpu_sync";

/// LLVM function attribute: the function is a task though it may have no markers (made by the import, not the frontend).
inline constexpr const char kTaskFunctionAttr[] = "cilk2gpu-task";

} // namespace cilk2gpu

#endif // CILK2GPU_FRONTEND_MARKERS_H
