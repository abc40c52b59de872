// Writes the file of CILK2GPU_STATS.
#ifndef CILK2GPU_RUNTIME_API_STATISTICS_H
#define CILK2GPU_RUNTIME_API_STATISTICS_H

#include "api/Engine.h"

namespace cilk2gpu::rt {

/// How the run ended whose files are written.
struct RunEnd {
  bool isComplete = true; ///< the program ended by itself, not by a signal
  bool mayRun = false;    ///< the graph may be running
};

/// Writes the file settings.statistics: JSON if its name ends in ".json", else text. The file appears complete or not
/// at all. If it cannot be written, writes a message and returns false. `tasks` must not change during the call.
bool writeStatistics(const Settings &settings, const TaskTable &tasks, const Engine &engine, RunEnd end);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_STATISTICS_H
