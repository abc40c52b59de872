// See MemoryMap.h.
#include "executors/gpu/MemoryMap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

namespace cilk2gpu::device {

bool readMappings(char *text, uint64_t capacity, Reason &why) {
  int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  uint64_t length = 0;
  ssize_t got = -1;
  while (file >= 0 && length < capacity - 1 && (got = read(file, text + length, capacity - 1 - length)) > 0)
    length += uint64_t(got);
  int error = errno;
  if (file >= 0)
    close(file);
  text[length] = 0;
  if (got == 0)
    return true;
  why.set("/proc/self/maps could not be read (%s)", got > 0 ? "it is too long" : strerror(error));
  return false;
}

// A line has the form "start-end perms offset device inode path".
bool parseMapping(const char *&at, Mapping &mapping) {
  if (!*at)
    return false;
  const char *end = strchr(at, '\n');
  char *next;
  mapping.start = strtoull(at, &next, 16);
  mapping.end = strtoull(next + 1, &next, 16);
  mapping.readable = next[1] == 'r';
  mapping.writable = next[2] == 'w';
  mapping.executable = next[3] == 'x';
  const char *field = next + 1;
  for (int skipped = 0; skipped < 4; ++skipped)
    field += strcspn(field, " \n") + (skipped < 3);
  field += strspn(field, " ");
  mapping.path = field;
  mapping.pathLength = end && end > field ? uint64_t(end - field) : 0;
  at = end ? end + 1 : "";
  return true;
}

bool isOfDriver(const char *path, uint64_t length) {
  static constexpr const char *kLibraries[] = {"/libcuda.so", "/libnvidia-", "/libamdhip64.so", "/libhsa-runtime64.so"};
  for (const char *library : kLibraries)
    if (memmem(path, length, library, strlen(library)))
      return true;
  return false;
}

} // namespace cilk2gpu::device
