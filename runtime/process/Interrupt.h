// An interrupted run ends as the signal means, after a message, and leaves no unfinished file.
#ifndef CILK2GPU_RUNTIME_PROCESS_INTERRUPT_H
#define CILK2GPU_RUNTIME_PROCESS_INTERRUPT_H

namespace cilk2gpu::rt {

/// Handles SIGINT and SIGTERM, unless the program has a handler of its own. For runs that write files at their end.
void handleInterrupts();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_INTERRUPT_H
