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

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_LOOPS_H
