// Lines about a run that is under way: the progress line (CILK2GPU_PROGRESS_LINE) and the report that a signal requests
// (CILK2GPU_REPORT_ON).
//
// Thread-safety: noteRun() is called by the host thread whose turn it is. One other thread calls the functions that
// write lines. It reads counters while they change, so a line may be older than a line of the program.
#ifndef CILK2GPU_RUNTIME_API_RUNSTATE_H
#define CILK2GPU_RUNTIME_API_RUNSTATE_H

#include "api/Engine.h"

namespace cilk2gpu::rt {

/// Notes that a run begins or ends, if the settings ask for lines.
void noteRun(const Settings &settings, bool isRunning);

/// Writes a line with the run's time, tasks, lanes and memory; nothing between runs.
void writeProgressLine(const TaskTable &tasks, const Engine &engine);

/// Writes the state of the run: the progress line, who waits for what, and which thread blocks run.
void writeRunState(const TaskTable &tasks, Engine &engine);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_RUNSTATE_H
