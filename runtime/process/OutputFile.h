// Files that a run leaves: statistics and traces. A file appears whole or not at all.
#ifndef CILK2GPU_RUNTIME_PROCESS_OUTPUTFILE_H
#define CILK2GPU_RUNTIME_PROCESS_OUTPUTFILE_H

#include <stdio.h>

namespace cilk2gpu::rt {

/// Calls write(out, context). Returns whether everything arrived at `path` ("-": stderr); else errno says why. A
/// regular file is written under another name and then renamed. So no reader sees half of it, and a failure leaves the
/// old file. Devices and pipes are written in place.
bool writeOutput(const char *path, void (*write)(FILE *out, const void *context), const void *context);

/// Removes the unfinished file of a writeOutput() that has not returned. For signal handlers and failures.
void removeUnfinishedOutput();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_OUTPUTFILE_H
