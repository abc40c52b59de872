// Writes the first part of the statistics: the program, its arguments, the compiler and the settings of the run.
#ifndef CILK2GPU_RUNTIME_API_RUNHEADER_H
#define CILK2GPU_RUNTIME_API_RUNHEADER_H

#include "process/StatisticsFile.h"

namespace cilk2gpu::rt {

/// Number of the JSON file's form. It grows when a member is renamed, removed or gets another meaning; members may be
/// added to a form.
constexpr unsigned kStatisticsSchema = 1;

/// Writes the facts. `isComplete` is false if a signal ends the program.
void writeRunHeader(StatisticsFile &file, bool isComplete);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_RUNHEADER_H
