// Decides when a kernel makes plain calls in place (cilk2gpu/abi/PlainCalls.h).
//
// A loop of short plain calls costs two dispatches for each call. If a lane goes on alone behind a sync, and between
// two of these times a single elision ran, the loop is one of such calls. After some of them, the kernel makes its next
// calls in place, as long as each takes little time. If one is long, the following calls are tasks of the graph again.
// The more often this happens, the longer the graph is watched first.
//
// Thread-safety: the owning scheduler's. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_CALLSINPLACE_H
#define CILK2GPU_RUNTIME_CORE_CALLSINPLACE_H

#include "core/ElisionTunables.h"
#include "core/SchedulerState.h"

namespace cilk2gpu::rt {

class CallsInPlace {
public:
  /// Runs the wave of a lane that goes on alone behind a sync, and lets the lane make plain calls in place. Returns
  /// false, without running it, if the lane must not.
  bool run(SchedulerState &shared, const TaskLevel &task, abi::KernelFn entry) {
    const Environment &environment = shared.environment;
    abi::Wave &wave = shared.dispatched.wave;
    if (!shared.policy.elides || shared.limits.elide != Elide::Cheaper || !environment.runInPlace ||
        !follows(&task, wave.kernel, read(shared.dispatchedLanes), read(shared.totals.elided)))
      return false;
    InPlaceCalls calls;
    if (!environment.runInPlace(environment.context, entry, &wave, calls))
      return false;
    ran(calls);
    count(shared.totals.elided, calls.made);
    return true;
  }
  /// Called before one lane goes on alone behind a sync, in kernel `kernel` of `task`. `dispatched` and `elided` count
  /// the lanes of all dispatches, and those that ran as elisions. Returns whether the lane makes calls in place.
  bool follows(const void *task, uint32_t kernel, uint64_t dispatched, uint64_t elided) {
    bool isNext =
        task == lastTask && kernel == lastKernel && dispatched == lastDispatched + 2 && elided == lastElided + 1;
    lastTask = task;
    lastKernel = kernel;
    lastDispatched = dispatched;
    lastElided = elided;
    seen = isNext ? seen + 1 : 0;
    return seen >= needed;
  }
  /// Called when the lane has made calls in place.
  void ran(const InPlaceCalls &calls) {
    lastElided += calls.made;
    if (calls.made && !calls.wasLong) {
      needed = tunables::kCallsBeforeInPlace;
      return;
    }
    seen = 0;
    if (calls.made < needed && needed < tunables::kMostCallsBeforeInPlace)
      needed *= 2;
  }

private:
  const void *lastTask = nullptr;
  uint32_t lastKernel = 0;
  uint64_t lastDispatched = 0, lastElided = 0;
  uint64_t seen = 0;                               ///< single elisions in a row
  uint64_t needed = tunables::kCallsBeforeInPlace; ///< before calls are made in place
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_CALLSINPLACE_H
