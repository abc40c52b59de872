// A run makes progress when a task starts or resumes, or an element is spawned. A restart of lanes that yield again
// does not count.
#include "api/Watchdog.h"
#include "process/Message.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

namespace cilk2gpu::rt {

namespace {
struct Watch {
  Executor *executor;
  uint64_t seconds;
  uint32_t runs;     ///< odd while a run is in progress; atomic
  pid_t process = 0; ///< the process that has a watchdog
};
Watch watch;
} // namespace

static void reportLine(void *, const char *text) { note("%s", text); }

static void *watchdogMain(void *) {
  uint64_t last = 0, unchanged = 0;
  uint32_t lastRun = 0;
  for (;;) {
    sleep(1);
    // Relaxed: an old value only delays the alarm.
    uint32_t run = __atomic_load_n(&watch.runs, __ATOMIC_RELAXED);
    uint64_t progress = watch.executor->progress();
    if (run % 2 == 0 || run != lastRun || progress != last) {
      lastRun = run;
      last = progress;
      unchanged = 0;
      continue;
    }
    if (++unchanged < watch.seconds)
      continue;
    note("error: no task has made progress for %llu s (CILK2GPU_WATCHDOG); who waits for what:",
         static_cast<unsigned long long>(watch.seconds));
    watch.executor->report(reportLine, nullptr);
    _exit(1);
  }
  return nullptr;
}

void watchRun(bool isRunning) {
  uint32_t runs = __atomic_load_n(&watch.runs, __ATOMIC_RELAXED);
  if (runs % 2 != isRunning)
    __atomic_store_n(&watch.runs, runs + 1, __ATOMIC_RELAXED);
}

void startWatchdog(const Settings &settings, Executor &executor) {
  if (!settings.watchdog || watch.process == getpid())
    return;
  watch.executor = &executor;
  watch.seconds = settings.watchdog;
  watch.process = getpid();
  sigset_t all, before;
  sigfillset(&all);
  pthread_t thread;
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = pthread_create(&thread, nullptr, watchdogMain, nullptr);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error)
    fatal("the watchdog's thread could not be created (CILK2GPU_WATCHDOG): %s", strerror(error));
  pthread_detach(thread);
}

} // namespace cilk2gpu::rt
