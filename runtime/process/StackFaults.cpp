// The handler cannot run on a full stack. So each thread gets a stack for signals, because sigaltstack is per thread.
#include "process/StackFaults.h"
#include "core/Tunables.h"
#include "process/Message.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

namespace cilk2gpu::rt {

using tunables::kSignalStack;

namespace {

/// The stack that a thread was created with. The system may put a thread's guard inside its lowest part.
struct ThreadStack : GuardedStack {
  ThreadStack();
  uintptr_t lowest = 0; ///< lowest address; 0: not known
  uintptr_t guard = 0;  ///< bytes of the guard above it
};

} // namespace

static thread_local const GuardedStack *current = nullptr; ///< null: no stack is watched
static thread_local const GuardedStack *second = nullptr;  ///< see watchSecondStack
static thread_local bool isWatched = false;

static bool handles = false; ///< the handler is installed: neither the program nor a sanitizer has one
static pthread_key_t signalStack;

static void onFault(int, siginfo_t *info, void *) {
  const GuardedStack *stacks[] = {current, second};
  for (const GuardedStack *stack : stacks)
    if (stack && stack->isBelow(*stack, info->si_addr))
      stack->fail(*stack);
  signal(SIGSEGV, SIG_DFL); // the fault is the program's own: it happens again, and ends the process
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

StackScope::StackScope(const GuardedStack &stack) : outer(current) {
  if (!isWatched)
    watch();
  current = &stack;
}

StackScope::~StackScope() { current = outer; }

/// A fault near the lowest address of a thread's stack means that the stack is full. kBelow: bytes that Linux keeps
/// free below the first thread's stack. kAbove: bytes above the guard, because addresses of the guard are rounded.
static constexpr uintptr_t kBelow = uintptr_t(1) << 20, kAbove = 64 * 1024;

static bool isBelowThread(const GuardedStack &stack, const void *address) {
  const ThreadStack &self = static_cast<const ThreadStack &>(stack);
  uintptr_t low = self.lowest - kBelow, high = self.lowest + self.guard + kAbove;
  return self.lowest && uintptr_t(address) >= low && uintptr_t(address) < high;
}

static void failInThread(const GuardedStack &) {
  fatal("out of memory: the stack of a thread is full in a Cilk function that runs as its serial elision; does its "
        "recursion end? 'ulimit -s' gives the first thread a larger stack; devices other than CILK2GPU_DEVICE=serial "
        "keep tasks in the memory of channels");
}

ThreadStack::ThreadStack() : GuardedStack{isBelowThread, failInThread} {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return;
  void *address = nullptr;
  size_t bytes = 0, guardBytes = 0;
  if (pthread_attr_getstack(&attributes, &address, &bytes) == 0 &&
      pthread_attr_getguardsize(&attributes, &guardBytes) == 0) {
    lowest = uintptr_t(address);
    guard = guardBytes;
  }
  pthread_attr_destroy(&attributes);
}

void watchSecondStack(const GuardedStack &stack) {
  if (!isWatched)
    watch();
  second = &stack;
}

void watchThreadStack() {
  if (current)
    return;
  static thread_local ThreadStack stack;
  if (!isWatched)
    watch();
  current = &stack;
}

} // namespace cilk2gpu::rt
