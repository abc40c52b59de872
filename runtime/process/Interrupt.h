// What happens when somebody interrupts a run: a message, no unfinished file, and the end that the signal means.
#ifndef CILK2GPU_RUNTIME_PROCESS_INTERRUPT_H
#define CILK2GPU_RUNTIME_PROCESS_INTERRUPT_H

namespace cilk2gpu::rt {

/// Handles SIGINT and SIGTERM, each if the program has left it alone so far. For runs that were asked to leave files.
void handleInterrupts();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_INTERRUPT_H
