// A run makes progress when a task starts or resumes, or an element is spawned. A restart of lanes that yield again
// does not count. A launch makes progress when a block begins or ends.
#include "api/Watchdog.h"
#include "blocks/BlockObserver.h"
#include "process/Message.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

namespace cilk2gpu::rt {

namespace {
struct Watch {
  Executor *executor; ///< null: no run so far; atomic
  uint64_t seconds;
  uint32_t runs;     ///< odd while a run is in progress; atomic
  pid_t process = 0; ///< the process that has a watchdog
};
Watch watch;
} // namespace

static void reportLine(void *, const char *text) { note("%s", text); }

/// Two looks at an equal state mean that nothing has happened between them.
struct State {
  uint32_t run, launches;
  uint64_t tasks, blocks;

  bool operator==(const State &) const = default;
  bool isIdle() const { return run % 2 == 0 && launches == 0; }
};

/// Relaxed: an old value only delays the alarm.
static State look() {
  Executor *executor = __atomic_load_n(&watch.executor, __ATOMIC_ACQUIRE); // pairs with startWatchdog()
  return {.run = __atomic_load_n(&watch.runs, __ATOMIC_RELAXED),
          .launches = observedLaunches(),
          .tasks = executor ? executor->progress() : 0,
          .blocks = blockProgress()};
}

[[noreturn]] static void raiseAlarm(const State &state) {
  bool areTasks = state.run % 2;
  note("error: no %s for %llu s (CILK2GPU_WATCHDOG); %s:",
       areTasks ? "task has made progress" : "block has begun or ended", static_cast<unsigned long long>(watch.seconds),
       areTasks ? "who waits for what" : "blocks that run");
  if (areTasks)
    watch.executor->report(reportLine, nullptr);
  if (state.launches)
    reportRunningBlocks(reportLine, nullptr);
  _exit(1);
}

static void *watchdogMain(void *) {
  State last = look();
  for (uint64_t unchanged = 0;;) {
    sleep(1);
    State now = look();
    bool isStuck = !now.isIdle() && now == last;
    unchanged = isStuck ? unchanged + 1 : 0;
    last = now;
    if (unchanged >= watch.seconds)
      raiseAlarm(now);
  }
  return nullptr;
}

void watchRun(bool isRunning) {
  uint32_t runs = __atomic_load_n(&watch.runs, __ATOMIC_RELAXED);
  if (runs % 2 != isRunning)
    __atomic_store_n(&watch.runs, runs + 1, __ATOMIC_RELAXED);
}

void startWatchdog(const Settings &settings, Executor *executor) {
  if (!settings.watchdog)
    return;
  if (executor)
    __atomic_store_n(&watch.executor, executor, __ATOMIC_RELEASE);
  if (watch.process == getpid())
    return;
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
