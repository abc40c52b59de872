/* <cilk/cilk_undocumented.h>: functions of Cilk Plus's runtime that its manual did not describe, as far as they have a
   meaning here. Any thread may call them. */
#ifndef CILK2GPU_CILK_CILK_UNDOCUMENTED_H
#define CILK2GPU_CILK_CILK_UNDOCUMENTED_H

#include <stddef.h>

/* Does nothing: the statistics of a run are written where CILK2GPU_STATS says. */
static inline void __cilkrts_dump_stats(void) {}

/* Returns 0: tasks have no stacks of their own. */
static inline size_t __cilkrts_get_stack_size(void) { return 0; }

#endif
