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

/// The lookup for a known activation, and the calls around ordinary code that may look up a view.
inline constexpr const char kViewsLookup[] = "__cilk2gpu_views_lookup";
inline constexpr const char kViewsEnter[] = "__cilk2gpu_views_enter";
inline constexpr const char kViewsLeave[] = "__cilk2gpu_views_leave";

/// The views that the runtime keeps for each thread.
inline constexpr const char kKeptLookupsName[] = "__cilk2gpu_kept_lookups";

/// LLVM function attribute of a function that may look up a view of a reducer.
inline constexpr const char kLooksUpAttr[] = "cilk2gpu-looks-up";

/// LLVM function attribute of the Cilk functions of a unit with reducers.
inline constexpr const char kTracksAttr[] = "cilk2gpu-tracks";

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_REDUCERMARKS_H
