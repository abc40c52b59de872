// The file that CILK2GPU_TRACE asks for.
#ifndef CILK2GPU_RUNTIME_API_TRACEFILE_H
#define CILK2GPU_RUNTIME_API_TRACEFILE_H

#include "executors/Executor.h"

namespace cilk2gpu::rt {

/// Writes the file settings.trace in Chrome's JSON format. The file appears whole or not at all. Returns false after a
/// message if it cannot be written. Only the modelled machine has events; for other devices, a message says that.
bool writeTrace(const Settings &settings, const Executor &executor);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_TRACEFILE_H
