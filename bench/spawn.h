// Spells a spawn for each system that scripts/bench compares, so that all run the same source.
//   SPAWN(variable, dst, call);   dst = call, maybe in parallel with what follows; dst is `variable` or a part of it
//   SYNC;                         waits for the spawns of this function call
//   RUN(dst, call);               dst = call, from main
#ifndef CILK2GPU_BENCH_SPAWN_H
#define CILK2GPU_BENCH_SPAWN_H

#if defined(BENCH_OPENMP)
#define BENCH_PRAGMA(text) _Pragma(#text)
#define SPAWN(variable, dst, call) BENCH_PRAGMA(omp task shared(variable)) dst = call
#define SYNC BENCH_PRAGMA(omp taskwait)
#define RUN(dst, call) BENCH_PRAGMA(omp parallel) BENCH_PRAGMA(omp single) dst = call
#else
#include <cilk/cilk.h>
#define SPAWN(variable, dst, call) dst = cilk_spawn call
#define SYNC cilk_sync
#define RUN(dst, call) dst = call
#endif

#endif
