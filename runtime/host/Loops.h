// The message about a cilk_for that does not end. Thread-safe.
#ifndef CILK2GPU_RUNTIME_HOST_LOOPS_H
#define CILK2GPU_RUNTIME_HOST_LOOPS_H

#include <stdint.h>

namespace cilk2gpu::rt {

[[noreturn]] void failEndless(int64_t first, int64_t last, int64_t step);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_HOST_LOOPS_H
