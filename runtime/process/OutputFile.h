// Files that a run leaves: statistics and traces. One appears whole or not at all.
#ifndef CILK2GPU_RUNTIME_PROCESS_OUTPUTFILE_H
#define CILK2GPU_RUNTIME_PROCESS_OUTPUTFILE_H

#include <stdio.h>

namespace cilk2gpu::rt {

/// Calls write(out, context) and returns whether everything arrived at `path` ("-": stderr); else errno says why. A
/// regular file is written next to its place and renamed, so no reader sees half of it and a failure leaves the old
/// one; devices and pipes are written in place.
bool writeOutput(const char *path, void (*write)(FILE *out, const void *context), const void *context);

/// Removes the file that writeOutput is writing, if it is: for signal handlers and failures.
void removeUnfinishedOutput();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_OUTPUTFILE_H
