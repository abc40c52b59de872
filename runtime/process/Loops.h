// The message about a cilk_for that does not end, and into how many tasks one is cut. Thread-safe.
#ifndef CILK2GPU_RUNTIME_PROCESS_LOOPS_H
#define CILK2GPU_RUNTIME_PROCESS_LOOPS_H

#include <stdint.h>

namespace cilk2gpu::rt {

[[noreturn]] void failEndless(int64_t first, int64_t last, int64_t step);

/// Into how many tasks to cut a cilk_for without a grain size that the calling thread starts.
uint64_t loopTasks();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_LOOPS_H
