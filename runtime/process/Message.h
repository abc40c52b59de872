// Messages to the person who runs a program, on stderr, one line each, and the ways in which a run ends early.
//
// Thread-safety: all functions may be called by any thread. The fatal ones end the process with status 1 without
// running exit handlers: those could run the graph, whose state is not usable any more.
#ifndef CILK2GPU_RUNTIME_PROCESS_MESSAGE_H
#define CILK2GPU_RUNTIME_PROCESS_MESSAGE_H

#include "core/Environment.h"

namespace cilk2gpu::rt {

/// "cilk2gpu: warning: ...", then goes on.
void warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// "cilk2gpu: ...": a line of a report.
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// "cilk2gpu: error: ...", then ends the process.
[[noreturn]] void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// "cilk2gpu: internal error: ...", for what no program can cause; ends the process.
[[noreturn]] void internalError(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Environment::fail of every scheduler and table on the host.
void failOnHost(void *context, const Failure &failure);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_MESSAGE_H
