// Runs of the program under CILK2GPU_CHECK. A run is a child process, forked before the program has done anything. So
// variables have the same addresses in all runs. The parent never becomes a run.
//
// A run under a seed and a number of steps is the same each time (core/Steps.h).
//
//   RunResult result;
//   runs.run({.kind = RunKind::Other, .seed = 3, .steps = 100}, result);   // returns in the parent only
//
// Thread-safety: one thread. Between open() and the last run, the parent allocates no memory with malloc.
#ifndef CILK2GPU_RUNTIME_CHECK_CHECKEDRUNS_H
#define CILK2GPU_RUNTIME_CHECK_CHECKEDRUNS_H

#include "check/RunFiles.h"
#include "check/VariableCopy.h"
#include "core/Steps.h"

namespace cilk2gpu::rt {

enum class RunKind : uint8_t {
  FirstSerial,  ///< its results are the right ones
  SecondSerial, ///< shows what differs without another schedule
  Other,
  OtherAgain, ///< the run before, with another pattern in memory that is not written
};

struct RunRequest {
  RunKind kind;
  uint64_t seed;
  uint64_t steps;
  uint64_t limit = 0; ///< nanoseconds without a step after which the run is ended; 0: none
};

struct RunResult {
  int status;        ///< of the process, as waitpid() says
  bool isStuck;      ///< it was ended because of the limit
  bool hasVariables; ///< it ended by exit() or by a return from main(), so that variables could be looked at
  uint64_t nanoseconds;
  StepRecord steps;
  VariableDifference variables; ///< with RunKind::Other
};

class CheckedRuns {
public:
  void open();

  /// Runs the program. In the child, it returns true: the program goes on.
  bool run(const RunRequest &request, RunResult &result);

  const RunFiles &files() const { return runFiles; }
  const ProgramVariables &variables() const { return programVariables; }

private:
  /// What the parent and a child share.
  struct Shared {
    StepRecord steps;
    bool hasVariables;
    VariableDifference variables;
  };

  void enterChild(const RunRequest &request);
  bool await(int process, int &status, uint64_t limit) const;
  static void lookAtVariables();

  RunFiles runFiles;
  ProgramVariables programVariables;
  VariableCopy copy;
  Shared *shared = nullptr;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CHECK_CHECKEDRUNS_H
