// Names of the functions of reducers (cilk2gpu/abi/StrandViews.h), and the function attributes of units with reducers.
#ifndef CILK2GPU_SUPPORT_REDUCERMARKS_H
#define CILK2GPU_SUPPORT_REDUCERMARKS_H

namespace cilk2gpu {

/// Functions of the runtime that programs call.
inline constexpr const char kHyperLookup[] = "__hyper_lookup";
inline constexpr const char kReducerRegister[] = "__cilkrts_reducer_register";
inline constexpr const char kReducerUnregister[] = "__cilkrts_reducer_unregister";

/// The lookup of Cilk Plus's reducers for C. <cilk/reducer.h> defines it: it calls `__hyper_lookup`.
inline constexpr const char kReducerLookupInC[] = "__cilk_c_lookup";

/// The functions above for a known activation, its beginning and end, its spawns and syncs, and the calls around
/// ordinary code that may look up a view.
inline constexpr const char kViewsLookup[] = "__cilk2gpu_views_lookup";
inline constexpr const char kViewsRegister[] = "__cilk2gpu_views_register";
inline constexpr const char kViewsUnregister[] = "__cilk2gpu_views_unregister";
inline constexpr const char kViewsBegin[] = "__cilk2gpu_views_begin";
inline constexpr const char kViewsEnd[] = "__cilk2gpu_views_end";
inline constexpr const char kViewsSpawn[] = "__cilk2gpu_views_spawn";
inline constexpr const char kViewsSync[] = "__cilk2gpu_views_sync";
inline constexpr const char kViewsEnter[] = "__cilk2gpu_views_enter";
inline constexpr const char kViewsLeave[] = "__cilk2gpu_views_leave";

/// Returns the slot for a task that ordinary code calls, or null if the program has no reducers.
inline constexpr const char kViewsRootIfUsed[] = "__cilk2gpu_views_root_if_used";

/// The views that the runtime keeps for each thread.
inline constexpr const char kKeptLookupsName[] = "__cilk2gpu_kept_lookups";

/// LLVM function attribute of a function that may look up a view of a reducer.
inline constexpr const char kLooksUpAttr[] = "cilk2gpu-looks-up";

/// LLVM function attribute of the Cilk functions of a unit with reducers.
inline constexpr const char kTracksAttr[] = "cilk2gpu-tracks";

/// LLVM function attribute of the Cilk functions of a unit without reducers. Code of other units may use reducers, so
/// views are tracked if the program has reducers at all.
inline constexpr const char kTracksIfUsedAttr[] = "cilk2gpu-tracks-if-used";

/// Variable of the runtime that is not 0 if the program has a unit with reducers. Constructors of these units set
/// it.
inline constexpr const char kReducersUsedName[] = "__cilk2gpu_reducers_used";

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_REDUCERMARKS_H
