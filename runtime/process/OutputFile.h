// Writes the files of a run: statistics and traces. A file appears complete or not at all.
#ifndef CILK2GPU_RUNTIME_PROCESS_OUTPUTFILE_H
#define CILK2GPU_RUNTIME_PROCESS_OUTPUTFILE_H

#include <stdio.h>

namespace cilk2gpu::rt {

/// Calls write(out, context). Returns true if the whole output is at `path` ("-": stderr); otherwise errno gives the
/// reason.
///
/// A regular file is written under another name, which no other process can foretell, and then renamed. So no reader
/// sees an incomplete file, and a failure leaves the old file. The new file has the mode and the owner of the old one.
/// If `path` is a symbolic link, its target is replaced and the link stays.
///
/// These files are written in place, and a failure may leave a part of them:
/// - devices and pipes;
/// - targets of links that do not exist yet;
/// - files with several names, and files whose folder or owner does not let this process replace them.
bool writeOutput(const char *path, void (*write)(FILE *out, const void *context), const void *context);

/// Returns false if writeOutput() to `path` would fail as things stand: the folder is missing or may not be written, or
/// `path` is a folder. errno then gives the reason.
bool mayWriteOutput(const char *path);

/// Removes the unfinished file of a writeOutput() that has not returned. Called by signal handlers and by functions
/// that end the process.
void removeUnfinishedOutput();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_OUTPUTFILE_H
