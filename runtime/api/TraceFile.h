// Writes the file of CILK2GPU_TRACE.
#ifndef CILK2GPU_RUNTIME_API_TRACEFILE_H
#define CILK2GPU_RUNTIME_API_TRACEFILE_H

#include "executors/Executor.h"

namespace cilk2gpu::rt {

/// Writes the file settings.trace in Chrome's JSON format. The file appears complete or not at all. If it cannot be
/// written, writes a message and returns false. Only the modelled machine, hand-written graphs and thread
/// blocks have events; otherwise a message says so.
/// `isComplete` is false if a signal ends the program; the graph must have been halted then.
bool writeTrace(const Settings &settings, const Executor &executor, bool isComplete);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_TRACEFILE_H
