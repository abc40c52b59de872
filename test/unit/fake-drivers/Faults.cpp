// See Faults.h.
#include "Faults.h"

#include <signal.h>
#include <stdio.h>

namespace cilk2gpu::test {
namespace {

struct Running {
  FaultsOfCode::Fail fail = nullptr;
  const void *context = nullptr;
};
thread_local Running running;
struct sigaction before;

/// Others' faults have others' handlers.
void onFault(int number, siginfo_t *info, void *context) {
  if (running.fail) {
    char text[96];
    snprintf(text, sizeof text, "there is no memory at %p, or it cannot be written", info->si_addr);
    running.fail(running.context, text);
  }
  if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(number, info, context);
  else
    sigaction(SIGSEGV, &before, nullptr); // the fault then comes again
}

void handleFaults() {
  static const bool isDone = [] {
    struct sigaction action = {};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    return !sigaction(SIGSEGV, &action, &before);
  }();
  (void)isDone;
}

} // namespace

FaultsOfCode::FaultsOfCode(Fail fail, const void *context) {
  handleFaults();
  running = {fail, context};
}

FaultsOfCode::~FaultsOfCode() { running = {}; }

} // namespace cilk2gpu::test
