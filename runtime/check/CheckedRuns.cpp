// See CheckedRuns.h. The settings of a run are environment variables, which have the same length in all runs, because
// the environment is in the memory of the program.
#include "check/CheckedRuns.h"
#include "check/SharedPages.h"
#include "core/FillStack.h"
#include "process/HostEnvironment.h"
#include "process/HostSteps.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#pragma weak mallopt // of glibc

namespace cilk2gpu::rt {

static char stepsEntry[] = "CILK2GPU_STEPS=0000000000000000000", seedEntry[] = "CILK2GPU_SEED=0000000000000000000";
static char deviceEntry[] = "CILK2GPU_DEVICE=native";

/// Patterns of memory that a run has not written.
static constexpr uint8_t kFirstPattern = 0x5a, kSecondPattern = 0xc3;

static CheckedRuns *inChild; ///< the object of a run's own process; null in the parent
static RunKind kindOfChild;
static pid_t child;
static struct sigaction childSignal; ///< what the caller has set for SIGCHLD

/// Writes a number over the digits at the end of an entry.
template <size_t N> static void setNumber(char (&entry)[N], uint64_t number) {
  for (char *digit = entry + N - 2; *digit != '='; --digit, number /= 10)
    *digit = char('0' + number % 10);
}

/// Takes some memory, so that what the program allocates later has other addresses. Numbers with several bytes change
/// several bytes of the addresses.
static void moveAllocations() {
  constexpr size_t kMapped = 0x1011000, kHeap = 0x1110;
  mmap(nullptr, kMapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  void *volatile kept = malloc(kHeap); // the volatile variable keeps the call
  (void)kept;
}

void CheckedRuns::open() {
  // Files that all runs would write, and reports of runs that would differ.
  static const char *const unset[] = {"CILK2GPU_CHECK",    "CILK2GPU_STATS",         "CILK2GPU_TRACE",
                                      "CILK2GPU_WATCHDOG", "CILK2GPU_PROGRESS_LINE", "CILK2GPU_REPORT_ON"};
  for (const char *name : unset)
    unsetenv(name);
  if (putenv(stepsEntry) || putenv(seedEntry) || putenv(deviceEntry))
    fatal("out of memory: the settings of runs under CILK2GPU_CHECK could not be made");
  struct sigaction usual = {};
  usual.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &usual, &childSignal); // a caller may ignore it, and then waitpid() would not see the end of a run
  runFiles.open();
  programVariables.read();
  copy.make(programVariables);
  shared = static_cast<Shared *>(sharedPages(sizeof(Shared)));
}

/// The last exit handler of a run.
void CheckedRuns::lookAtVariables() {
  if (getpid() != child)
    return;
  CheckedRuns &runs = *inChild;
  switch (kindOfChild) {
  case RunKind::FirstSerial:
    runs.copy.record();
    break;
  case RunKind::SecondSerial:
    runs.copy.disagree();
    break;
  case RunKind::Other:
    runs.copy.compare(runs.shared->variables);
    break;
  case RunKind::OtherAgain:
    runs.copy.disagreeAgain();
    break;
  }
  runs.shared->hasVariables = true;
}

void CheckedRuns::enterChild(const RunRequest &request) {
  inChild = this;
  kindOfChild = request.kind;
  child = getpid();
  prctl(PR_SET_PDEATHSIG, SIGKILL); // no run outlives the parent
  sigaction(SIGCHLD, &childSignal, nullptr);
  runFiles.enter(request.kind == RunKind::FirstSerial ? KeptRun::Serial : KeptRun::Other);
  recordHostSteps(shared->steps);
  if (mallopt)
    mallopt(M_PERTURB, shared->steps.fill);
  if (shared->steps.fill == kSecondPattern)
    moveAllocations();
  fillStack(shared->steps.fill);
  if (programVariables.size() && atexit(lookAtVariables))
    fatal("out of memory: the exit handler of a run under CILK2GPU_CHECK could not be installed");
}

/// Waits for the end of a process. Returns false if it was ended because it made no step for so long.
bool CheckedRuns::await(int process, int &status, uint64_t limit) const {
  constexpr long kShortest = 50'000, kLongest = 10'000'000; // nanoseconds between two looks
  long pause = kShortest;
  uint64_t made = 0, since = hostClock();
  for (;;) {
    pid_t ended = waitpid(process, &status, WNOHANG);
    if (ended == process)
      return true;
    if (ended < 0 && errno != EINTR)
      fatal("CILK2GPU_CHECK cannot wait for a run: %s", strerror(errno));
    uint64_t madeNow = __atomic_load_n(&shared->steps.made, __ATOMIC_RELAXED), now = hostClock();
    if (madeNow != made)
      made = madeNow, since = now;
    if (limit && now - since > limit) {
      kill(process, SIGKILL);
      waitpid(process, &status, 0);
      return false;
    }
    timespec rest = {0, pause};
    nanosleep(&rest, nullptr);
    pause = pause * 2 < kLongest ? pause * 2 : kLongest;
  }
}

bool CheckedRuns::run(const RunRequest &request, RunResult &result) {
  setNumber(stepsEntry, request.steps);
  setNumber(seedEntry, request.seed);
  runFiles.prepare(request.kind == RunKind::FirstSerial ? KeptRun::Serial : KeptRun::Other);
  memset(shared, 0, sizeof *shared);
  bool isFirstPattern = request.kind == RunKind::FirstSerial || request.kind == RunKind::Other;
  shared->steps.fill = isFirstPattern ? kFirstPattern : kSecondPattern;
  uint64_t start = hostClock();
  pid_t parent = getpid(), process = fork();
  if (process < 0)
    fatal("CILK2GPU_CHECK cannot start a run: %s; end other processes, or unset it", strerror(errno));
  if (!process) {
    enterChild(request);
    if (getppid() != parent) // it ended before prctl()
      _exit(1);
    return true;
  }
  result.isStuck = !await(process, result.status, request.limit);
  result.nanoseconds = hostClock() - start;
  result.hasVariables = shared->hasVariables;
  result.steps = shared->steps;
  result.variables = shared->variables;
  return false;
}

} // namespace cilk2gpu::rt
