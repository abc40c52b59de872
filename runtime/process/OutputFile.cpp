// The name of the unfinished file is in a static variable, so that a signal handler finds it.
#include "process/OutputFile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cilk2gpu::rt {

static char *volatile unfinished = nullptr;

static bool writeTo(FILE *out, void (*write)(FILE *, const void *), const void *context) {
  write(out, context);
  return fflush(out) == 0 && !ferror(out);
}

static bool writePath(const char *path, void (*write)(FILE *, const void *), const void *context) {
  FILE *out = fopen(path, "we");
  bool written = out && writeTo(out, write, context);
  int error = errno;
  if (out && fclose(out) != 0 && written) {
    written = false;
    error = errno;
  }
  errno = error;
  return written;
}

static bool writeAndRename(const char *path, void (*write)(FILE *, const void *), const void *context) {
  size_t length = strlen(path) + 32;
  char *temporary = static_cast<char *>(malloc(length));
  if (!temporary)
    return false;
  snprintf(temporary, length, "%s.%ld.tmp", path, long(getpid()));
  unfinished = temporary;
  bool written = writePath(temporary, write, context);
  int error = errno;
  if (written && rename(temporary, path) != 0) {
    written = false;
    error = errno;
  }
  if (!written)
    unlink(temporary);
  unfinished = nullptr;
  free(temporary);
  errno = error;
  return written;
}

bool writeOutput(const char *path, void (*write)(FILE *, const void *), const void *context) {
  if (!strcmp(path, "-"))
    return writeTo(stderr, write, context);
  struct stat status;
  bool isSpecial = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
  return isSpecial ? writePath(path, write, context) : writeAndRename(path, write, context);
}

void removeUnfinishedOutput() {
  if (char *path = unfinished)
    unlink(path);
}

} // namespace cilk2gpu::rt
