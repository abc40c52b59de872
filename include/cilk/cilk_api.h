/* <cilk/cilk_api.h>: functions by which a program asks cilk2gpu's runtime about workers, and changes settings. Names
   and results are those of Cilk Plus and OpenCilk. There are no scheduler statistics (see CILK2GPU_STATS).
   Pedigrees need -fcilk-pedigrees. Functions of reducers are in <cilk/hyperobject.h>. In a serial
   elision, which has no Cilk keywords, all answers are those of one worker.

   Any thread may call these functions, also inside a task. */
#ifndef CILK2GPU_CILK_CILK_API_H
#define CILK2GPU_CILK_CILK_API_H

#include <stdint.h>

/* Results of __cilkrts_set_param. */
enum {
  __CILKRTS_SET_PARAM_SUCCESS = 0,
  __CILKRTS_SET_PARAM_UNIMP = 1,   /* a parameter of other implementations, without effect here */
  __CILKRTS_SET_PARAM_XRANGE = 2,  /* a number out of range */
  __CILKRTS_SET_PARAM_INVALID = 3, /* no such parameter, or not a number */
  __CILKRTS_SET_PARAM_LATE = 4     /* worker threads have been started already */
};

/* A place in the tree of spawns: a rank, and the place above it. See docs/language.md for the ranks. */
typedef struct __cilkrts_pedigree {
  uint64_t rank;
  const struct __cilkrts_pedigree *parent;
} __cilkrts_pedigree;

#define CILK2GPU_REFUSED(text) __attribute__((__unavailable__(text)))
#ifdef __cilk2gpu_pedigrees__
#include <cilk/pedigrees.h>
#else
#define CILK2GPU_NO_PEDIGREES                                                                                          \
  CILK2GPU_REFUSED("strands know no pedigrees here; compile all files of the program with -fcilk-pedigrees")
#ifdef __cplusplus
extern "C" {
#endif
CILK2GPU_NO_PEDIGREES __cilkrts_pedigree __cilkrts_get_pedigree(void);
CILK2GPU_NO_PEDIGREES int __cilkrts_bump_worker_rank(void);
CILK2GPU_NO_PEDIGREES void __cilkrts_dprand_set_seed(uint64_t seed);
CILK2GPU_NO_PEDIGREES uint64_t __cilkrts_get_dprand(void);
CILK2GPU_NO_PEDIGREES void __cilkrts_init_dprng(void);
#ifdef __cplusplus
}
#endif
#undef CILK2GPU_NO_PEDIGREES
#endif

#ifdef __cplusplus
extern "C" {
#endif
CILK2GPU_REFUSED("it is not supported; use __cilkrts_get_pedigree")
void *__cilkrts_get_pedigree_info(void *data, uint64_t *rank);
CILK2GPU_REFUSED("it is not supported; use __cilkrts_bump_worker_rank") int __cilkrts_bump_loop_rank(void);
#ifdef __cplusplus
}
#endif

#undef CILK2GPU_REFUSED

#ifdef __cilk

#ifdef __cplusplus
extern "C" {
#endif

#define CILK2GPU_API __attribute__((__nothrow__))

/* Returns the number of workers that may run tasks: "nworkers" if it was set, else CILK2GPU_WORKERS, else the number of
   CPUs. */
CILK2GPU_API unsigned __cilkrts_get_nworkers(void);
CILK2GPU_API unsigned __cilkrts_get_total_workers(void);

/* Returns the number of the worker that runs the calling task, less than __cilkrts_get_nworkers(). The thread that
   started the graph is worker 0, and so is a thread that runs no task. Tasks of one worker run one at a time. So a
   program may accumulate values by this number, if their combination does not depend on which worker did what. Tasks on
   a GPU cannot ask: lanes run together and are no workers. There, a call is an error when the program is linked. */
CILK2GPU_API unsigned __cilkrts_get_worker_number(void);

/* Returns whether the caller is a task. */
CILK2GPU_API int __cilkrts_running_on_workers(void);

/* Sets "nworkers" to a number (decimal, or with 0x or 0), at most as CILK2GPU_WORKERS allows; 0 allows all again. The
   names "stack size" and "force reduce" are accepted, but have no effect here. */
CILK2GPU_API int __cilkrts_set_param(const char *name, const char *value);

/* Do nothing: the runtime is always ready. Threads start when a graph runs long enough, and stay. */
CILK2GPU_API int __cilkrts_is_initialized(void);
CILK2GPU_API void __cilkrts_init(void);
CILK2GPU_API void __cilkrts_end_cilk(void);

#undef CILK2GPU_API

#ifdef __cplusplus
}
#endif

#else

static inline unsigned __cilkrts_get_nworkers(void) { return 1; }
static inline unsigned __cilkrts_get_total_workers(void) { return 1; }
static inline unsigned __cilkrts_get_worker_number(void) { return 0; }
static inline int __cilkrts_running_on_workers(void) { return 0; }
static inline int __cilkrts_set_param(const char *name, const char *value) {
  (void)name;
  (void)value;
  return __CILKRTS_SET_PARAM_UNIMP;
}
static inline int __cilkrts_is_initialized(void) { return 1; }
static inline void __cilkrts_init(void) {}
static inline void __cilkrts_end_cilk(void) {}

#endif

#endif
