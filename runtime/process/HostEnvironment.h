// The host's part of an Environment: memory and clock.
//
// Thread-safety: any thread may call these functions.
#ifndef CILK2GPU_RUNTIME_PROCESS_HOSTENVIRONMENT_H
#define CILK2GPU_RUNTIME_PROCESS_HOSTENVIRONMENT_H

#include "core/Environment.h"

namespace cilk2gpu::rt {

/// Returns an environment with the C library's memory, CLOCK_MONOTONIC and failOnHost. A scheduler with this
/// environment calls kernels itself, and shares no work.
Environment hostEnvironment();

/// Limits the bytes that all host environments together may have at a time. An allocation above the limit fails. If
/// this function is not called, the limit is three quarters of machineMemory().
void limitHostMemory(uint64_t bytes);

/// Returns the instruction sets of the machine, as Environment::isas.
uint32_t hostIsas();

/// Returns nanoseconds of CLOCK_MONOTONIC.
uint64_t hostClock();

/// Sleeps for some nanoseconds (Environment::nap).
void hostNap(void *context, uint64_t nanoseconds);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_HOSTENVIRONMENT_H
