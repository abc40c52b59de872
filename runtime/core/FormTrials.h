// Chooses the function that runs the lanes of a dispatch: in vectors, or one lane after the other. Times some
// dispatches, from which FormTimes learns.
//
//   abi::KernelFn entry = forms.choose(kernel, lanes);   // perhaps fewer lanes
//   forms.start(); entry(&wave); forms.finish(kernel);
//
// Thread-safety: the owning scheduler's. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_FORMTRIALS_H
#define CILK2GPU_RUNTIME_CORE_FORMTRIALS_H

#include "core/SchedulerState.h"

namespace cilk2gpu::rt {

class FormTrials {
public:
  explicit FormTrials(const SchedulerState &shared) : shared(shared) {}

  /// Returns the function that runs the next lanes. The lanes may be a trial, perhaps fewer than `lanes`.
  [[gnu::always_inline]] abi::KernelFn choose(const KernelInfo &kernel, uint64_t &lanes) {
    bool isLearning = shared.policy.measures && !shared.environment.device;
    isNext = kernel.isVectorised() && lanes > tunables::kFewLanes && isLearning &&
             (++untimed & (kernel.forms.period() - 1)) == 0;
    if (!isNext)
      return kernel.entryFor(lanes);
    trial = kernel.forms.nextTrial(lanes);
    lanes = trial.lanes;
    return trial.isEach ? kernel.each : kernel.run;
  }

  /// Called before and after lanes run. Only the lanes of the last choose() are timed, if they are a trial.
  void start() {
    isRunning = isNext;
    isNext = false;
    started = isRunning ? shared.clock() : 0;
  }
  void finish(const KernelInfo &kernel) {
    if (isRunning)
      kernel.forms.note(trial, shared.clock() - started);
  }

private:
  const SchedulerState &shared;
  FormTimes::Trial trial = {};
  bool isNext = false;    ///< the lanes that run next are `trial`
  bool isRunning = false; ///< the lanes that run are `trial`
  uint32_t untimed = 0;   ///< dispatches of kernels with vectors; wraps around
  uint64_t started = 0;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_FORMTRIALS_H
