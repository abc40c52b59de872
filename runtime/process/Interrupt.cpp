// An interrupted run writes no statistics, because they would look like the statistics of a whole run.
#include "process/Interrupt.h"
#include "process/OutputFile.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

namespace cilk2gpu::rt {

static pid_t process; ///< the process that writes files; a process that is forked from it writes none

static void say(int number) {
  const char *text = number == SIGINT ? "cilk2gpu: error: interrupted; no statistics or trace are written\n"
                                      : "cilk2gpu: error: terminated; no statistics or trace are written\n";
  ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
  (void)ignored;
}

/// Calls only functions that a signal handler may call.
static void interrupted(int number) {
  if (getpid() == process) {
    removeUnfinishedOutput();
    say(number);
  }
  signal(number, SIG_DFL);
  raise(number);
}

static void handle(int number) {
  struct sigaction action;
  if (sigaction(number, nullptr, &action) != 0 || action.sa_handler != SIG_DFL)
    return;
  memset(&action, 0, sizeof action);
  action.sa_handler = interrupted;
  action.sa_flags = int(SA_RESETHAND);
  sigaction(number, &action, nullptr);
}

void handleInterrupts() {
  process = getpid();
  handle(SIGINT);
  handle(SIGTERM);
}

} // namespace cilk2gpu::rt
