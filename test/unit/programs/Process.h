// Runs a program in a process of its own, and collects its output and its exit status.
#ifndef CILK2GPU_TEST_UNIT_PROGRAMS_PROCESS_H
#define CILK2GPU_TEST_UNIT_PROGRAMS_PROCESS_H

#include <stdio.h>
#include <string>
#include <sys/wait.h>

namespace cilk2gpu::test {

struct Outcome {
  int status;         ///< 1000 more than the signal's number if a signal has ended it
  std::string output; ///< stdout and stderr
};

/// Runs a command in the shell.
inline Outcome runShell(const std::string &command) {
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  Outcome outcome;
  char buffer[4096];
  while (size_t length = fread(buffer, 1, sizeof buffer, pipe))
    outcome.output.append(buffer, length);
  int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  return outcome;
}

} // namespace cilk2gpu::test

#endif // CILK2GPU_TEST_UNIT_PROGRAMS_PROCESS_H
