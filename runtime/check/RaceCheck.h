// CILK2GPU_CHECK=races: runs the program under many schedules, and compares each run with the serial order.
//
// The process becomes the parent of the runs (CheckedRuns.h). A run whose result differs is repeated with fewer steps,
// until the first step is known after which the result differs.
#ifndef CILK2GPU_RUNTIME_CHECK_RACECHECK_H
#define CILK2GPU_RUNTIME_CHECK_RACECHECK_H

namespace cilk2gpu::rt {

/// Begins the check if the user has asked for it. Returns in a process that runs the program: in this one if no check
/// was asked for, else in its children. Called before the settings are read. A second call does nothing.
void checkRacesIfAsked();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CHECK_RACECHECK_H
