// Messages to the person who runs a program: one line each, on stderr. Some of them end the process.
//
// Thread-safety: any thread may call these functions. Functions that end the process exit with status 1 and run no exit
// handlers, because a handler could run the graph, whose state is broken.
#ifndef CILK2GPU_RUNTIME_PROCESS_MESSAGE_H
#define CILK2GPU_RUNTIME_PROCESS_MESSAGE_H

#include "core/Environment.h"

namespace cilk2gpu::rt {

/// Writes "cilk2gpu: warning: ...".
void warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Writes "cilk2gpu: error: ...". The caller sees to the exit status.
void error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Writes "cilk2gpu: ...": a line of a report.
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Writes "cilk2gpu: error: ..." and ends the process.
[[noreturn]] void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Writes "cilk2gpu: internal error: ..." and ends the process. For errors of cilk2gpu that no program can cause.
[[noreturn]] void internalError(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Ends the process with a message about the failure. This is Environment::fail of all schedulers and task tables on
/// the host.
void failOnHost(void *context, const Failure &failure);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_MESSAGE_H
