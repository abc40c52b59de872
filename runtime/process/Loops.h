// Functions for cilk_for loops: the message about a loop that does not end, and the number of tasks that a loop is cut
// into.
//
// Thread-safety: any thread may call these functions.
#ifndef CILK2GPU_RUNTIME_PROCESS_LOOPS_H
#define CILK2GPU_RUNTIME_PROCESS_LOOPS_H

#include <stdint.h>

namespace cilk2gpu::rt {

/// Ends the process with a message about a loop that does not end. `comparison` is an abi::LoopComparison; `wraps`: the
/// variable would wrap around.
[[noreturn]] void failEndless(int64_t first, int64_t last, int64_t step, int32_t comparison, bool wraps);

/// Returns the number of tasks for a cilk_for without a grain size that the calling thread starts.
uint64_t loopTasks();

/// Returns the least grain of such a loop, whose iterations are straight-line code. `least` is for a task of some
/// hundred nanoseconds at most. Vectors may make it much shorter.
int64_t leastGrain(uint64_t count, int64_t least);

/// Returns the number of workers for the tiles of a doacross nest that the calling thread starts. 1 if the nest runs as
/// its serial elision, and 0 if tiles have the sizes that the compiler has chosen.
uint64_t doacrossWorkers();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_LOOPS_H
