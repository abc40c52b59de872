// Defines spawn and sync for each system that scripts/bench compares, so that all systems run the same source. The
// command line defines BENCH_ELISION, BENCH_OPENMP or BENCH_TBB; without these, the system is Cilk. Programs use these
// macros:
//   GROUP;                             names the children of a call, before its first spawn, if the system needs that
//   SPAWN(dst, f, arguments);          dst = f(arguments), maybe in parallel with the following statements
//   SPAWN_VOID(f, arguments);          f(arguments), maybe in parallel with the following statements
//   SYNC;                              waits for the spawns of this call
//   PARALLEL_FOR(T, i, from, to, call) call for each i of type T in [from, to), and a wait for all calls
//   RUN(dst, f, arguments);            dst = f(arguments), from main; RUN_VOID does this without a result
//
// Arguments are copied at the spawn in every system. BENCH_COUNT compiles the elision that counts its tasks.
#ifndef CILK2GPU_BENCH_SPAWN_H
#define CILK2GPU_BENCH_SPAWN_H

#include <stdio.h>
#include <stdlib.h>

#if defined(BENCH_COUNT)

static long bench_tasks;
static void bench_print_tasks(void) { fprintf(stderr, "tasks %ld\n", bench_tasks); }
#define GROUP
#define SPAWN(dst, f, ...) (++bench_tasks, dst = f(__VA_ARGS__))
#define SPAWN_VOID(f, ...) (++bench_tasks, f(__VA_ARGS__))
#define SYNC
#define PARALLEL_FOR(T, i, from, to, call)                                                                             \
  for (T i = (from); i < (to); ++i, ++bench_tasks)                                                                     \
  call
#define RUN(dst, f, ...) (atexit(bench_print_tasks), SPAWN(dst, f, __VA_ARGS__))
#define RUN_VOID(f, ...) (atexit(bench_print_tasks), SPAWN_VOID(f, __VA_ARGS__))

#elif defined(BENCH_ELISION)

#define GROUP
#define SPAWN(dst, f, ...) dst = f(__VA_ARGS__)
#define SPAWN_VOID(f, ...) f(__VA_ARGS__)
#define SYNC
#define PARALLEL_FOR(T, i, from, to, call)                                                                             \
  for (T i = (from); i < (to); ++i)                                                                                    \
  call
#define RUN(dst, f, ...) dst = f(__VA_ARGS__)
#define RUN_VOID(f, ...) f(__VA_ARGS__)

#elif defined(BENCH_OPENMP)

// The address of the result is taken before the task, which then copies it with all other locals (firstprivate).
#define GROUP
#define SPAWN(dst, f, ...)                                                                                             \
  do {                                                                                                                 \
    __typeof__(dst) *bench_result = &(dst);                                                                            \
    _Pragma("omp task") *bench_result = f(__VA_ARGS__);                                                                \
  } while (0)
#define SPAWN_VOID(f, ...) _Pragma("omp task") f(__VA_ARGS__)
#define SYNC _Pragma("omp taskwait")
#define PARALLEL_FOR(T, i, from, to, call) _Pragma("omp taskloop") for (T i = (T)(from); i < (to); ++i) call
#define RUN(dst, f, ...) _Pragma("omp parallel") _Pragma("omp single") dst = f(__VA_ARGS__)
#define RUN_VOID(f, ...) _Pragma("omp parallel") _Pragma("omp single") f(__VA_ARGS__)

#elif defined(BENCH_TBB)

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_group.h>

// oneTBB reads no variable for its number of threads, so programs read BENCH_THREADS.
struct BenchThreads {
  BenchThreads() : Control(tbb::global_control::max_allowed_parallelism, wanted()) {}
  static size_t wanted() {
    const char *Text = getenv("BENCH_THREADS");
    return Text ? strtoul(Text, nullptr, 10) : 1;
  }
  tbb::global_control Control;
};
#define GROUP tbb::task_group bench_group
#define SPAWN(dst, f, ...)                                                                                             \
  do {                                                                                                                 \
    auto *bench_result = &(dst);                                                                                       \
    bench_group.run([=] { *bench_result = f(__VA_ARGS__); });                                                          \
  } while (0)
#define SPAWN_VOID(f, ...) bench_group.run([=] { f(__VA_ARGS__); })
#define SYNC bench_group.wait()
#define PARALLEL_FOR(T, i, from, to, call) tbb::parallel_for<T>(from, to, [=](T i) { call; })
#define RUN(dst, f, ...)                                                                                               \
  do {                                                                                                                 \
    BenchThreads bench_threads;                                                                                        \
    dst = f(__VA_ARGS__);                                                                                              \
  } while (0)
#define RUN_VOID(f, ...)                                                                                               \
  do {                                                                                                                 \
    BenchThreads bench_threads;                                                                                        \
    f(__VA_ARGS__);                                                                                                    \
  } while (0)

#else

#include <cilk/cilk.h>
#define GROUP
#define SPAWN(dst, f, ...) dst = cilk_spawn f(__VA_ARGS__)
#define SPAWN_VOID(f, ...) cilk_spawn f(__VA_ARGS__)
#define SYNC cilk_sync
#define PARALLEL_FOR(T, i, from, to, call) cilk_for(T i = (from); i < (to); ++i) call
#define RUN(dst, f, ...) dst = f(__VA_ARGS__)
#define RUN_VOID(f, ...) f(__VA_ARGS__)

#endif

// The program's size: its first argument, or `standard`.
static inline long bench_size(int argc, char **argv, long standard, long low, long high) {
  char *end;
  if (argc < 2)
    return standard;
  long size = strtol(argv[1], &end, 10);
  if (argc == 2 && end != argv[1] && *end == '\0' && size >= low && size <= high)
    return size;
  fprintf(stderr, "usage: %s [size], a whole number from %ld to %ld\n", argv[0], low, high);
  exit(2);
}

// Prints the last line of a program, which is "ok" or begins with "wrong", and returns main's exit status.
static inline int bench_verdict(int right) {
  puts(right ? "ok" : "wrong: the result is not the expected one");
  return !right;
}

#endif
