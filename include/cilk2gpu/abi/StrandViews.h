// Functions of the runtime for reducers. A reducer is an object that strands update through views: a strand is a part
// of a task without spawn and sync, and gets a view of its own from the identity function. The compiler gives each task
// that may look up a view one Activation and one hidden argument, its slot (cilk-track-strands).
//
//   task f(args, slot):  begin(&a, slot)
//                        v = lookup(&a, key, ...)                   the view of the strand that runs
//                        s = spawn(&a); cilk.spawn @g(args, s)      the slot of the child's views
//                        cilk.sync; sync(&a)
//                        enter(&a); call ordinary code; leave(&a)
//                        end(&a)                                    after the last sync
#ifndef CILK2GPU_ABI_STRANDVIEWS_H
#define CILK2GPU_ABI_STRANDVIEWS_H

#include <stddef.h>
#include <stdint.h>

namespace cilk2gpu::abi {

/// Storage of an Activation (runtime/reducers/Activation.h) in a task, in bytes.
inline constexpr uint64_t kActivationBytes = 64, kActivationAlign = 8;

/// Views that code of a thread has looked up in its running strand. Compiled code writes and reads an entry for a key
/// without the runtime, and chooses the number of the entry. The runtime empties all entries where the strand ends,
/// where the thread gets or loses an activation, and where a reducer is registered or unregistered. Zeros at first.
inline constexpr uint32_t kKeptLookups = 16;
struct KeptLookups {
  void *keys[kKeptLookups]; ///< null: an empty entry
  void *views[kKeptLookups];
  uint32_t isUsed; ///< not 0: an entry may have a key
  uint32_t reserved;
};

static_assert(sizeof(KeptLookups) == 2 * kKeptLookups * sizeof(void *) + 8);

} // namespace cilk2gpu::abi

#pragma GCC visibility push(default)
extern "C" {

extern constinit thread_local cilk2gpu::abi::KeptLookups __cilk2gpu_kept_lookups;

/// Not 0 if an object file of the program uses reducers. A constructor of each such file sets it, before the program's
/// own constructors. Tasks of other files have their views tracked only if it is set.
extern uint32_t __cilk2gpu_reducers_used;

typedef void (*__cilk2gpu_identity)(void *view);
typedef void (*__cilk2gpu_reduce)(void *left, void *right);

/// Returns the view of the running strand of the reducer at `key`, which has `size` bytes. Outside of tasks, and in the
/// strand that is first in serial order, the view is the reducer itself. The first call in a strand makes the view by
/// `identity`. `reduce` adds the view at `right` to the view at `left`, and destroys the right one.
void *__hyper_lookup(void *key, size_t size, __cilk2gpu_identity identity, __cilk2gpu_reduce reduce);

/// Makes the object at `key` a reducer whose first view is the object itself. Reducers that live shorter than the
/// outermost run are registered by the strand that creates them.
void __cilkrts_reducer_register(void *key, size_t size, __cilk2gpu_identity identity, __cilk2gpu_reduce reduce);

/// Ends the life of a reducer: all views are reduced to the object at `key`.
void __cilkrts_reducer_unregister(void *key);

/// Starts the activation of a task, whose views go into `slot`.
void __cilk2gpu_views_begin(void *activation, void *slot);
/// Ends the activation of a task after its last sync.
void __cilk2gpu_views_end(void *activation);
/// Starts and ends the activation of `main`. In between, ordinary code of the thread belongs to its strands.
void __cilk2gpu_views_begin_host(void *activation);
void __cilk2gpu_views_end_host(void *activation);
/// Returns the slot for a task that ordinary code calls.
void *__cilk2gpu_views_root(void);
/// Ends the running strand, and returns the slot of a child that is spawned now.
void *__cilk2gpu_views_spawn(void *activation);
/// The two functions above for units without reducers. They return null if the program has no reducers.
void *__cilk2gpu_views_root_if_used(void);
void *__cilk2gpu_views_spawn_if_used(void *activation);
/// Reduces the views of the task and its children to one view for each reducer. All children are done.
void __cilk2gpu_views_sync(void *activation);
/// Between these calls, ordinary code of the thread belongs to the running strand of the activation. A second call of
/// `leave` has no effect.
void __cilk2gpu_views_enter(void *activation);
void __cilk2gpu_views_leave(void *activation);

/// The functions above that programs call, for the running strand of an activation.
void *__cilk2gpu_views_lookup(void *activation, void *key, size_t size, __cilk2gpu_identity identity,
                              __cilk2gpu_reduce reduce);
void __cilk2gpu_views_register(void *activation, void *key, size_t size, __cilk2gpu_identity identity,
                               __cilk2gpu_reduce reduce);
void __cilk2gpu_views_unregister(void *activation, void *key);
}
#pragma GCC visibility pop

#endif // CILK2GPU_ABI_STRANDVIEWS_H
