// Ends an instrumented program by Ctrl-C or kill(1) at its next hook, so that it still writes a report:
//
//   signal -> handler: notes the number -> next hook: writes the report -> the signal ends the process
//
// Between hooks the recorder may be in the middle of a change, so the handler itself writes nothing. If no hook comes
// within a second, or if a second signal comes, the signal ends the process without a report. Two signals in short
// succession are one, because timeout(1) sends its signal twice. A signal ends a forked process at once.
//
// Thread-safety: the handler runs on any thread; all else on the recorded thread.
#ifndef CILK2GPU_RUNTIME_SCALE_INTERRUPTION_H
#define CILK2GPU_RUNTIME_SCALE_INTERRUPTION_H

#include "process/OutputFile.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

namespace cilk2gpu::rt::scale {

class Interruption {
public:
  /// Installs the handlers. A signal that the program handles or ignores stays as it is.
  static void watch() {
    process = getpid();
    for (int number : kEnding) {
      struct sigaction action;
      if (sigaction(number, nullptr, &action) != 0 || action.sa_handler != SIG_DFL)
        continue;
      sigevent again = {};
      again.sigev_notify = SIGEV_SIGNAL;
      again.sigev_signo = number;
      if (timer_create(CLOCK_MONOTONIC, &again, &timers[number]) != 0)
        continue;
      memset(&action, 0, sizeof action);
      action.sa_handler = note;
      action.sa_flags = SA_RESTART;
      sigaction(number, &action, nullptr);
    }
  }

  /// Returns whether a signal has arrived.
  static bool hasArrived() { return signalNumber != 0; }

  /// A hook has come in time: from now on, only another signal ends the process before its report is written.
  static void stopTimer() { setTimer(0); }

  /// Ends the process by the signal that has arrived.
  static void endProcess() {
    signal(signalNumber, SIG_DFL);
    raise(signalNumber);
  }

private:
  static constexpr int kEnding[] = {SIGINT, SIGTERM};
  static constexpr int64_t kOneSignal = 250; ///< milliseconds in which several signals count as one

  static int64_t milliseconds() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return int64_t(time.tv_sec) * 1000 + time.tv_nsec / 1000000;
  }

  /// Repeats the signal after some seconds. 0: never.
  static void setTimer(time_t seconds) {
    itimerspec after = {};
    after.it_value.tv_sec = seconds;
    timer_settime(timers[signalNumber], 0, &after, nullptr);
  }

  static void note(int number) {
    int before = errno;
    bool isFirst = !signalNumber, isForked = getpid() != process;
    if (isFirst) {
      arrivedAt = milliseconds();
      signalNumber = number;
    }
    if (isForked) {
      endProcess(); // takes effect when the handler returns
    } else if (isFirst) {
      setTimer(1);
    } else if (milliseconds() > arrivedAt + kOneSignal) {
      removeUnfinishedOutput();
      endProcess();
    }
    errno = before;
  }

  inline static pid_t process;
  inline static timer_t timers[SIGTERM + 1]; ///< by signal
  inline static volatile sig_atomic_t signalNumber = 0;
  inline static volatile int64_t arrivedAt = 0;
};

} // namespace cilk2gpu::rt::scale

#endif // CILK2GPU_RUNTIME_SCALE_INTERRUPTION_H
