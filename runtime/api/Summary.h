// Writes the summary of the statistics, in plain words: time, how full the lanes were, memory, elisions, and which
// settings to try.
#ifndef CILK2GPU_RUNTIME_API_SUMMARY_H
#define CILK2GPU_RUNTIME_API_SUMMARY_H

#include "api/Engine.h"

#include <stdio.h>

namespace cilk2gpu::rt {

/// Writes the lines. `counters` are the engine's. `isComplete` is false if a signal ends the program.
void writeSummary(FILE *out, const TaskTable &tasks, const Engine &engine, const Counters &counters, bool isComplete);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_SUMMARY_H
