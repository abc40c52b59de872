// The file that CILK2GPU_STATS asks for.
#ifndef CILK2GPU_RUNTIME_API_STATISTICS_H
#define CILK2GPU_RUNTIME_API_STATISTICS_H

#include "api/Engine.h"

namespace cilk2gpu::rt {

/// Writes the file settings.statistics: JSON if its name ends in ".json", else text. The file appears whole or not at
/// all. Returns false after a message if it cannot be written. `tasks` does not change meanwhile.
bool writeStatistics(const Settings &settings, const TaskTable &tasks, const Engine &engine);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_STATISTICS_H
