// Serves signals of the process, and makes reports on a running program, in a thread of its own:
//
//   signal -> handler: notes the signal and wakes the thread -> the thread calls a function of SignalWork
//
// A handler may call few functions. The thread may call all, because no other thread stands still meanwhile.
//
// The thread exists only in the process that called serveSignals(). A child process that is forked from it ends by
// SIGINT, SIGTERM and SIGHUP in silence, and ignores the signal of reports.
//
// Thread-safety: one thread calls serveSignals(), once. Afterwards any thread may call isServingSignals().
#ifndef CILK2GPU_RUNTIME_PROCESS_INTERRUPT_H
#define CILK2GPU_RUNTIME_PROCESS_INTERRUPT_H

#include <stdint.h>

namespace cilk2gpu::rt {

/// Functions that the thread calls. A function may be null.
struct SignalWork {
  /// SIGINT, SIGTERM or SIGHUP has arrived. When the function has returned true, the signal ends the process. A second
  /// signal ends the process at once, and removes an unfinished output file.
  bool (*end)(int signal) = nullptr;
  /// `reportSignal` has arrived.
  void (*report)() = nullptr;
  int reportSignal = 0;
  /// `period` seconds have passed since the last call.
  void (*tick)() = nullptr;
  uint64_t period = 0;
};

/// Starts the thread, and installs handlers of the signals for which there is work. A signal that the program handles
/// or ignores stays as it is.
void serveSignals(const SignalWork &work);

/// Returns whether the thread exists.
bool isServingSignals();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_INTERRUPT_H
