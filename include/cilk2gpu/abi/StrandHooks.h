// Hooks of the instrumented elision: calls that `-fcilk-strand-hooks` leaves in a serial elision, in serial order. A
// tool such as the race detector defines them. The program runs on one thread, and each hook is called on that thread.
//
//   uint32_t f = enter(&site)     a function with keywords begins
//   spawn(&site)                  the arguments are evaluated; the child runs from here
//   child_return()                the child has ended, and has stored its result
//   sync(&site)                   the function waits for its children
//   loop(&site, trips)            a cilk_for begins; the bounds are evaluated
//   iteration(0)                  an iteration begins, and the iteration before it has ended
//   iteration(1) ...
//   loop_end()                    the last iteration has ended
//   leave(f)                      the function ends; its children have ended
//
// A spawned block is a child with the parts of a function: spawn, enter, leave, child_return.
//
// An iteration is a child: it waits for its own children at its end. A function waits for its children at its end.
// Neither wait has a call of `sync`.
//
// Exceptions pass through the elision at once. A function that an exception leaves calls `leave`, too. Code that
// catches an exception, or destroys objects, calls `unwind(f, loops)` first. All parts that began after `enter`
// returned `f` have ended, except for the first `loops` loops with their iterations. Then the function, or the
// iteration of the last of these loops, waits for its children: a handler runs after them.
//
//   enter -> f = 0, spawn, enter -> 1, loop, iteration, [exception], leave(1), unwind(0, 0)
//
// The hooks are functions with C linkage that neither throw nor return twice.
#ifndef CILK2GPU_ABI_STRANDHOOKS_H
#define CILK2GPU_ABI_STRANDHOOKS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Kind of a place in the program.
enum {
  kCilk2gpuFunctionSite = 0, ///< a function with keywords; the line is the function's first line
  kCilk2gpuSpawnSite = 1,
  kCilk2gpuSyncSite = 2,
  kCilk2gpuLoopSite = 3
};

/// A place in the program. The compiler makes one constant record for each hook. Texts are never null.
typedef struct {
  const char *function; ///< the function's name in the source
  const char *file;     ///< the file's name as the compiler got it
  uint32_t line, column;
  uint32_t kind;
  const char *
      callee; ///< name of the spawned function; "(pointer)" for a pointer; "(block)" for a block; empty for other kinds
} Cilk2gpuSite;

/// Begins a function. Returns the number by which `leave` and `unwind` name it. The library chooses the number.
uint32_t __cilk2gpu_strand_enter(const Cilk2gpuSite *site);
/// Ends the function, and all parts inside it that an exception has left open.
void __cilk2gpu_strand_leave(uint32_t function);
/// Ends all parts inside the function, except for its first `loops` open loops. Then waits for children.
void __cilk2gpu_strand_unwind(uint32_t function, uint32_t loops);

void __cilk2gpu_strand_spawn(const Cilk2gpuSite *site);
void __cilk2gpu_strand_return(void);
void __cilk2gpu_strand_sync(const Cilk2gpuSite *site);

/// Begins a loop. `trips` is its number of iterations.
void __cilk2gpu_strand_loop(const Cilk2gpuSite *site, uint64_t trips);
/// Begins iteration number `index` of the innermost open loop.
void __cilk2gpu_strand_iteration(uint64_t index);
void __cilk2gpu_strand_loop_end(void);

#ifdef __cplusplus
}
#endif

#endif // CILK2GPU_ABI_STRANDHOOKS_H
