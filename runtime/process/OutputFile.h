// Writes the files of a run: statistics and traces. A file appears complete or not at all.
#ifndef CILK2GPU_RUNTIME_PROCESS_OUTPUTFILE_H
#define CILK2GPU_RUNTIME_PROCESS_OUTPUTFILE_H

#include <stdio.h>

namespace cilk2gpu::rt {

/// Calls write(out, context). Returns true if the whole output is at `path` ("-": stderr); otherwise errno gives the
/// reason. A regular file is written under another name and then renamed. So no reader sees an incomplete file, and a
/// failure leaves the old file. Devices and pipes are written in place.
bool writeOutput(const char *path, void (*write)(FILE *out, const void *context), const void *context);

/// Removes the unfinished file of a writeOutput() that has not returned. Called by signal handlers and by functions
/// that end the process.
void removeUnfinishedOutput();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_OUTPUTFILE_H
