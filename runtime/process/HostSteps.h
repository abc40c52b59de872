// The choices of CILK2GPU_STEPS, for the process.
//
// Thread-safety: startHostSteps() is called once, before other threads use the runtime. The choices are those of the
// thread that runs the graph.
#ifndef CILK2GPU_RUNTIME_PROCESS_HOSTSTEPS_H
#define CILK2GPU_RUNTIME_PROCESS_HOSTSTEPS_H

#include "core/Steps.h"
#include "process/Settings.h"

namespace cilk2gpu::rt {

extern Steps *currentHostSteps;

/// Returns the process's choices; null without CILK2GPU_STEPS.
inline Steps *hostSteps() { return currentHostSteps; }

/// Starts them, as the settings say.
void startHostSteps(const Settings &settings);

/// Gives them another record, which the caller keeps. Called before startHostSteps().
void recordHostSteps(StepRecord &record);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_HOSTSTEPS_H
