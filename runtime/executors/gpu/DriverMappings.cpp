// See DriverMappings.h.
#include "executors/gpu/DriverMappings.h"
#include "process/Interrupt.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace cilk2gpu::device {

/// Malloc takes memory for threads in areas with this alignment. The program's threads may use them, too.
static constexpr uint64_t kMallocArea = uint64_t(64) << 20;

/// Lists the process's threads. Returns their number; if they are too many or not known, a number above kMostThreads.
uint32_t DriverMappings::listThreads(pid_t *threads) {
  DIR *folder = opendir("/proc/self/task");
  if (!folder)
    return kMostThreads + 1;
  uint32_t count = 0;
  while (const dirent *entry = readdir(folder)) {
    pid_t thread = pid_t(strtol(entry->d_name, nullptr, 10));
    if (thread > 0 && ++count <= kMostThreads)
      threads[count - 1] = thread;
  }
  closedir(folder);
  return count;
}

void DriverMappings::beginOpening() {
  numRanges = 0;
  isAlone = listThreads(threads) <= 1u + rt::isServingSignals();
}

void DriverMappings::endOpening(const char *before, const char *after) {
  numThreads = listThreads(threads);
  if (!isAlone || numThreads > kMostThreads)
    return;
  Mapping old = {}, mapping;
  bool isLeft = parseMapping(before, old);
  while (parseMapping(after, mapping)) {
    while (isLeft && old.end <= mapping.start)
      isLeft = parseMapping(before, old);
    bool isNew = !isLeft || mapping.end <= old.start;
    if (isNew && mapping.writable && !mapping.startsWith("[") && mapping.start % kMallocArea && numRanges < kMostRanges)
      ranges[numRanges++] = {mapping.start, mapping.end};
  }
}

void DriverMappings::update() {
  for (uint32_t i = 0; i < numThreads && numRanges; ++i)
    if (syscall(SYS_tgkill, getpid(), threads[i], 0) != 0)
      numRanges = 0;
}

bool DriverMappings::has(const Mapping &mapping) const {
  uint32_t low = 0, high = numRanges;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (ranges[middle].start == mapping.start)
      return ranges[middle].end == mapping.end;
    if (ranges[middle].start < mapping.start)
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}

} // namespace cilk2gpu::device
