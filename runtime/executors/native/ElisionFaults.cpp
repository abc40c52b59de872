// The handler cannot run on a full stack. So each thread gets a stack for signals, because sigaltstack is per thread.
#include "executors/native/ElisionFaults.h"
#include "process/Message.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

namespace cilk2gpu::rt {

using tunables::kSignalStack;

static thread_local const Fiber *stack = nullptr; ///< null: no elision runs
static thread_local const Scheduler *caller = nullptr;
static thread_local bool isWatched = false;

static bool handles = false; ///< the handler is installed: neither the program nor a sanitizer has one
static pthread_key_t signalStack;

static void onFault(int, siginfo_t *info, void *) {
  if (stack && stack->isBelow(info->si_addr)) {
    const char *task = caller->runningKernel();
    fatal(
        "out of memory: the stack of serial elisions is full in '%s'; does its recursion end? The stack may take three "
        "quarters of the machine's memory, or as much as the process has addresses for; with CILK2GPU_ELIDE=never, "
        "tasks take no stack",
        task ? task : "a task");
  }
  signal(SIGSEGV, SIG_DFL); // the fault is not an elision's: it happens again, and ends the process
}

static void endThread(void *memory) {
  stack_t none = {};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  munmap(memory, kSignalStack);
}

static void handleFaults() {
  struct sigaction old;
  if (sigaction(SIGSEGV, nullptr, &old) != 0 || (old.sa_flags & SA_SIGINFO) || old.sa_handler != SIG_DFL ||
      pthread_key_create(&signalStack, endThread) != 0)
    return;
  struct sigaction ours = {};
  ours.sa_sigaction = onFault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  handles = sigaction(SIGSEGV, &ours, nullptr) == 0;
}

/// Gives the thread a stack for signals, if it has none. Called once for each thread.
static void watch() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, handleFaults);
  isWatched = true;
  stack_t old;
  if (!handles || sigaltstack(nullptr, &old) != 0 || !(old.ss_flags & SS_DISABLE))
    return;
  void *memory = mmap(nullptr, kSignalStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return;
  stack_t ours = {memory, 0, kSignalStack};
  if (pthread_setspecific(signalStack, memory) != 0 || sigaltstack(&ours, nullptr) != 0)
    munmap(memory, kSignalStack);
}

ElisionScope::ElisionScope(const Fiber &of, const Scheduler &scheduler) {
  if (!isWatched)
    watch();
  stack = &of;
  caller = &scheduler;
}

ElisionScope::~ElisionScope() { stack = nullptr; }

} // namespace cilk2gpu::rt
