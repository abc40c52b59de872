// The host's part of an Environment: memory and clock. Thread-safety: any thread may call these.
#ifndef CILK2GPU_RUNTIME_PROCESS_HOSTENVIRONMENT_H
#define CILK2GPU_RUNTIME_PROCESS_HOSTENVIRONMENT_H

#include "core/Environment.h"

namespace cilk2gpu::rt {

/// Memory from the C library, CLOCK_MONOTONIC, failOnHost; kernels are called directly; no sharing.
Environment hostEnvironment();

/// How many bytes all host environments together may have at a time: three quarters of what the machine has
/// (machineMemory) as long as this is not called. More than that counts as not to be had.
void limitHostMemory(uint64_t bytes);

/// Nanoseconds of CLOCK_MONOTONIC.
uint64_t hostClock();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_HOSTENVIRONMENT_H
