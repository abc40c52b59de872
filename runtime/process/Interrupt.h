// Ends an interrupted run by its signal, after a message, without an unfinished file.
#ifndef CILK2GPU_RUNTIME_PROCESS_INTERRUPT_H
#define CILK2GPU_RUNTIME_PROCESS_INTERRUPT_H

namespace cilk2gpu::rt {

/// Installs handlers of SIGINT and SIGTERM, unless the program has its own. Called for runs that write files at their
/// end.
void handleInterrupts();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_INTERRUPT_H
