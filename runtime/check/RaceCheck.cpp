// See RaceCheck.h.
#include "check/RaceCheck.h"
#include "check/Bisection.h"
#include "check/RaceReport.h"
#include "process/CheckSetting.h"
#include "process/HostEnvironment.h"
#include "process/Message.h"
#include "process/Privileges.h"

#include <new>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cilk2gpu::rt {
namespace {

/// Exit status of a program whose result depends on the schedule; also that of the race detector.
constexpr int kRaceStatus = 66;

/// Most steps of a run. Later tasks run in serial order, so that long programs do not take much longer.
constexpr uint64_t kMostSteps = 100'000;

constexpr uint64_t kSecond = 1'000'000'000;
/// A run is stuck if it makes no step for this time, and kLimitFactor times the time of a serial run in addition.
constexpr uint64_t kLimitFactor = 10, kDefaultLimit = 5 * kSecond;
/// Time between two lines about the progress.
constexpr uint64_t kProgressEvery = 3 * kSecond;

class RaceCheck {
public:
  RaceCheck(uint64_t schedules, uint64_t limit) : schedules(schedules), limit(limit) {}

  /// Returns in children only.
  void run();

private:
  bool runSerially();
  bool runSchedule(uint64_t seed, uint64_t steps);
  bool runAgain(uint64_t seed, uint64_t steps);
  bool search(uint64_t seed);
  void compare();
  void noteProgress();
  [[noreturn]] void end();

  const uint64_t schedules;
  uint64_t limit; ///< nanoseconds
  CheckedRuns runs;
  RunResult serial = {}, latest = {};
  RunDifference difference = {}; ///< between them
  bool isErrorOutputStable = true;
  uint64_t noted = hostClock(); ///< time of the last line about the progress
  uint64_t doneSchedules = 0, numRuns = 0;
};

/// Compares the latest run with the first serial run.
void RaceCheck::compare() {
  difference = {};
  difference.isStuck = latest.isStuck;
  if (latest.isStuck)
    return;
  difference.hasOtherStatus = latest.status != serial.status;
  runs.files().compare(STDOUT_FILENO, difference.output);
  if (isErrorOutputStable)
    runs.files().compare(STDERR_FILENO, difference.errorOutput);
  if (latest.hasVariables && serial.hasVariables)
    difference.variables = latest.variables;
}

/// Runs the program in serial order, and compares. Returns true in the child.
bool RaceCheck::runSerially() {
  if (runs.run({.kind = RunKind::SecondSerial, .seed = 1, .steps = 0}, latest))
    return true;
  compare();
  return false;
}

/// Runs the program under a schedule, and compares. Returns true in the child.
bool RaceCheck::runSchedule(uint64_t seed, uint64_t steps) {
  noteProgress();
  if (runs.run({.kind = RunKind::Other, .seed = seed, .steps = steps, .limit = limit}, latest))
    return true;
  ++numRuns;
  compare();
  return difference.isOnlyInVariables() && runAgain(seed, steps);
}

/// Runs the program under the schedule again, to leave out bytes of variables that depend on memory which the program
/// has not written. Compares again. Returns true in the child.
bool RaceCheck::runAgain(uint64_t seed, uint64_t steps) {
  for (RunKind kind = RunKind::OtherAgain;; kind = RunKind::Other) {
    if (runs.run({.kind = kind, .seed = seed, .steps = steps, .limit = limit}, latest))
      return true;
    ++numRuns;
    if (kind == RunKind::Other)
      break;
  }
  compare();
  return false;
}

void RaceCheck::noteProgress() {
  uint64_t now = hostClock();
  if (now - noted < kProgressEvery || !isatty(STDERR_FILENO))
    return;
  noted = now;
  note("CILK2GPU_CHECK: %llu of %llu schedules, %llu runs so far", static_cast<unsigned long long>(doneSchedules),
       static_cast<unsigned long long>(schedules), static_cast<unsigned long long>(numRuns));
}

/// Finds the first step that makes a difference, and reports it. Returns true in children. A run that differs only now
/// and then proves nothing about its schedule, so the serial order and the schedule are run again first.
bool RaceCheck::search(uint64_t seed) {
  uint64_t made = latest.steps.made;
  if (runSerially())
    return true;
  RaceReport report(runs.variables(), serial);
  if (difference.isAny()) {
    report.reportUnstable(difference, latest);
    _exit(1);
  }
  bool isChild = false;
  auto differs = [&](uint64_t steps) {
    isChild = isChild || runSchedule(seed, steps);
    return !isChild && difference.isAny();
  };
  uint64_t steps = 0;
  if (made && !differs(0) && !isChild)
    steps = firstDifferent(0, made, differs);
  if (isChild)
    return true;
  bool isSame = differs(steps);
  if (isChild)
    return true;
  if (!isSame) {
    error("CILK2GPU_CHECK=races repeats runs, but a run under one schedule had two results: the program starts threads "
          "of "
          "its own, or uses the time or random numbers; make its result depend on the input only");
    _exit(1);
  }
  report.reportRace(difference, latest, seed, steps);
  report.noteVariables();
  _exit(kRaceStatus);
}

/// Writes the outputs of the serial run, and ends as it did.
void RaceCheck::end() {
  bool isWritten = runs.files().writeSerial();
  if (WIFSIGNALED(serial.status)) {
    error("CILK2GPU_CHECK=races compares schedules with the serial order, but the run in serial order was ended by "
          "signal "
          "%d (%s); mend that first",
          WTERMSIG(serial.status), strsignal(WTERMSIG(serial.status)));
    signal(WTERMSIG(serial.status), SIG_DFL);
    raise(WTERMSIG(serial.status));
    _exit(128 + WTERMSIG(serial.status));
  }
  RaceReport(runs.variables(), serial).noteVariables();
  note("%llu schedules had the result of the serial order", static_cast<unsigned long long>(schedules));
  int status = WEXITSTATUS(serial.status);
  _exit(status || isWritten ? status : 1);
}

void RaceCheck::run() {
  runs.open();
  if (runs.run({.kind = RunKind::FirstSerial, .seed = 1, .steps = 0}, serial))
    return;
  if (WIFSIGNALED(serial.status))
    end();
  limit += kLimitFactor * serial.nanoseconds;
  if (runSerially())
    return;
  isErrorOutputStable = !difference.errorOutput.isDifferent;
  compare();
  if (difference.isAny()) {
    RaceReport(runs.variables(), serial).reportUnstable(difference, latest);
    _exit(1);
  }
  for (uint64_t seed = 1; seed <= schedules; ++seed, ++doneSchedules) {
    if (runSchedule(seed, kMostSteps))
      return;
    if (difference.isAny() && search(seed))
      return;
  }
  end();
}

/// Returns the seconds of CILK2GPU_WATCHDOG as nanoseconds; the default if it is not set or not valid.
uint64_t limitWithoutProgress() {
  const char *text = getenv("CILK2GPU_WATCHDOG");
  size_t digits = text ? strspn(text, "0123456789") : 0;
  return digits && digits <= 7 && !text[digits] ? strtoull(text, nullptr, 10) * kSecond : kDefaultLimit;
}

alignas(RaceCheck) unsigned char storage[sizeof(RaceCheck)];
bool isBegun = false;

} // namespace

void checkRacesIfAsked() {
  const char *text = isBegun ? nullptr : getenv("CILK2GPU_CHECK");
  isBegun = true;
  if (!text || isPrivileged()) // the settings warn of a privileged program
    return;
  uint64_t schedules = schedulesOf(text);
  if (!schedules)
    fatal("CILK2GPU_CHECK=%s is not valid; allowed: " CILK2GPU_CHECK_VALUES, text);
  auto *check = new (storage) RaceCheck(schedules, limitWithoutProgress());
  check->run();
}

} // namespace cilk2gpu::rt
