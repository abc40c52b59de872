/* <cilk/hyperobject.h>: the functions behind reducers, with OpenCilk's names. `cilk_reducer` and the class templates of
   <cilk/reducer.h> call them. A program calls them itself for one purpose: to register a reducer in memory that it
   allocates without `new`, where children of the caller may be running.

   A reducer is known by its key, the address of its leftmost view. `identity` makes a view in raw memory. `reduce` adds
   the right view to the left one, and destroys the right one. In a serial elision, the key is the only view. */
#ifndef CILK2GPU_CILK_HYPEROBJECT_H
#define CILK2GPU_CILK_HYPEROBJECT_H

#include <stddef.h>

typedef void (*__cilk_identity_fn)(void *view);
typedef void (*__cilk_reduce_fn)(void *left, void *right);

#ifdef __cilk

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the view of the strand that calls. `size` is the size of a view in bytes. The view is valid up to the next
   spawn, sync or end of a function. */
__attribute__((__nothrow__)) void *__hyper_lookup(void *key, size_t size, __cilk_identity_fn identity,
                                                  __cilk_reduce_fn reduce);

/* Begins the lifetime of a reducer: the leftmost view becomes the view of the strand that calls. Only reducers that are
   made while children of the caller may run need it. */
__attribute__((__nothrow__)) void __cilkrts_reducer_register(void *key, size_t size, __cilk_identity_fn identity,
                                                             __cilk_reduce_fn reduce);

/* Ends the lifetime of a reducer. All children that use it must have ended. The leftmost view has the final value. */
__attribute__((__nothrow__)) void __cilkrts_reducer_unregister(void *key);

#ifdef __cplusplus
}
#endif

#else

static inline void *__hyper_lookup(void *key, size_t size, __cilk_identity_fn identity, __cilk_reduce_fn reduce) {
  (void)size, (void)identity, (void)reduce;
  return key;
}
static inline void __cilkrts_reducer_register(void *key, size_t size, __cilk_identity_fn identity,
                                              __cilk_reduce_fn reduce) {
  (void)key, (void)size, (void)identity, (void)reduce;
}
static inline void __cilkrts_reducer_unregister(void *key) { (void)key; }

#endif

#endif
