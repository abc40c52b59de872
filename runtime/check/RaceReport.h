// The messages of CILK2GPU_CHECK=races.
//
// Thread-safety: one thread.
#ifndef CILK2GPU_RUNTIME_CHECK_RACEREPORT_H
#define CILK2GPU_RUNTIME_CHECK_RACEREPORT_H

#include "check/CheckedRuns.h"

namespace cilk2gpu::rt {

/// The differences between a run and the first serial run.
struct RunDifference {
  bool isStuck;
  bool hasOtherStatus;
  OutputDifference output, errorOutput;
  VariableDifference variables;

  bool isAny() const { return isOutside() || variables.numVariables; }
  bool isOnlyInVariables() const { return !isOutside() && variables.numVariables; }

private:
  bool isOutside() const { return isStuck || hasOtherStatus || output.isDifferent || errorOutput.isDifferent; }
};

class RaceReport {
public:
  RaceReport(const ProgramVariables &variables, const RunResult &serial) : variables(variables), serial(serial) {}

  /// Says that two serial runs differ, so that other runs cannot be judged.
  void reportUnstable(const RunDifference &difference, const RunResult &second) const;
  /// Says that the run under the seed differs after so many steps.
  void reportRace(const RunDifference &difference, const RunResult &run, uint64_t seed, uint64_t steps) const;
  /// Says why variables were not compared, if they were not.
  void noteVariables() const;

private:
  void listDifferences(const RunDifference &difference, const RunResult &run, const char *firstName,
                       const char *otherName) const;
  void listVariable(const VariableDifference &difference, const char *firstName, const char *otherName) const;
  static void listStep(const StepRecord &step);
  static void listCommand(uint64_t seed, uint64_t steps);

  const ProgramVariables &variables;
  const RunResult &serial;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CHECK_RACEREPORT_H
