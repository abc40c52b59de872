// The thread re-raises the signal that ends the process, with its default disposition, so that the parent process sees
// the signal in the exit status.
#include "process/Interrupt.h"
#include "process/Message.h"
#include "process/OutputFile.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

namespace cilk2gpu::rt {

/// Nanoseconds in which several signals count as one. The command timeout(1) sends its signal twice: to the process,
/// and to the group of the process.
static constexpr uint64_t kOneSignal = 250'000'000;

/// Signals that end a program: Ctrl-C, kill(1), and the end of the terminal.
static constexpr int kEnding[] = {SIGINT, SIGTERM, SIGHUP};

static pid_t process; ///< the process that has the thread
static SignalWork work;
static sem_t wakeUp;
static int ending;       ///< the signal of kEnding that has arrived; 0: none; atomic
static uint64_t endsAt;  ///< nanoseconds of the steady clock at which it arrived; 0: none has arrived; atomic
static bool wantsReport; ///< atomic

/// Ends the process by the signal, from its handler.
static void endNow(int number) {
  signal(number, SIG_DFL);
  raise(number); // takes effect when the handler returns
}

// The handlers call only functions that a signal handler may call, and keep errno.

static void interrupted(int number) {
  if (getpid() != process)
    return endNow(number);
  int before = errno;
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  uint64_t now = uint64_t(time.tv_sec) * 1'000'000'000 + uint64_t(time.tv_nsec), first = 0;
  // Relaxed: the semaphore orders the signal before the thread's look at it.
  if (__atomic_compare_exchange_n(&endsAt, &first, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    __atomic_store_n(&ending, number, __ATOMIC_RELAXED);
    sem_post(&wakeUp);
  } else if (now > first + kOneSignal) {
    removeUnfinishedOutput();
    return endNow(number);
  }
  errno = before;
}

static void reportRequested(int) {
  if (getpid() != process)
    return;
  int before = errno;
  __atomic_store_n(&wantsReport, true, __ATOMIC_RELAXED); // as above
  sem_post(&wakeUp);
  errno = before;
}

/// Waits for a signal, at most until the time for the next tick. Returns false if that time has come.
static bool waitForSignal(const timespec &nextTick) {
  for (;;) {
    int failed = work.tick ? sem_clockwait(&wakeUp, CLOCK_MONOTONIC, &nextTick) : sem_wait(&wakeUp);
    if (!failed)
      return true;
    if (errno == ETIMEDOUT)
      return false;
  }
}

/// Ends the process by a signal, from the thread.
static void endBySignal(int number) {
  signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  raise(number);
}

static void *serve(void *) {
  timespec nextTick;
  clock_gettime(CLOCK_MONOTONIC, &nextTick);
  nextTick.tv_sec += time_t(work.period);
  for (;;) {
    if (!waitForSignal(nextTick)) {
      work.tick();
      nextTick.tv_sec += time_t(work.period);
      continue;
    }
    int number = __atomic_load_n(&ending, __ATOMIC_RELAXED);
    if (number && work.end(number))
      endBySignal(number);
    if (__atomic_exchange_n(&wantsReport, false, __ATOMIC_RELAXED))
      work.report();
  }
  return nullptr;
}

/// Installs a handler, unless the program has its own. Returns whether it is installed.
static bool handle(int number, void (*handler)(int)) {
  struct sigaction action;
  if (sigaction(number, nullptr, &action) != 0 || action.sa_handler != SIG_DFL)
    return false;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  return sigaction(number, &action, nullptr) == 0;
}

/// Starts the thread. It blocks all signals, so that handlers run in the program's threads.
static void startThread() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_t thread;
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = pthread_create(&thread, nullptr, serve, nullptr);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error)
    fatal("the thread that serves signals (CILK2GPU_STATS, CILK2GPU_TRACE, CILK2GPU_REPORT_ON, CILK2GPU_PROGRESS_LINE) "
          "could not be created: %s",
          strerror(error));
  pthread_detach(thread);
}

void serveSignals(const SignalWork &given) {
  work = given;
  process = getpid();
  sem_init(&wakeUp, 0, 0);
  startThread();
  if (work.end)
    for (int number : kEnding)
      handle(number, interrupted);
  if (work.report && !handle(work.reportSignal, reportRequested))
    warning("CILK2GPU_REPORT_ON has no effect: the program handles or ignores this signal itself");
}

bool isServingSignals() { return process && process == getpid(); }

} // namespace cilk2gpu::rt
