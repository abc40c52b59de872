// The file that CILK2GPU_TRACE asks for.
#ifndef CILK2GPU_RUNTIME_API_TRACEFILE_H
#define CILK2GPU_RUNTIME_API_TRACEFILE_H

#include "executors/Executor.h"

namespace cilk2gpu::rt {

/// Writes settings.trace in Chrome's JSON format. The file appears whole or not at all. Returns false after a message
/// if it cannot be written. Devices other than the modelled one have no events: a message says so.
bool writeTrace(const Settings &settings, const Executor &executor);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_TRACEFILE_H
