// /proc/self/cgroup has a line "number:controllers:/path" for each hierarchy; the line of version 2 has no controllers.
// In a container, the path may be a path of the host, of which only the root is visible.
#include "process/MachineMemory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace cilk2gpu::rt {

/// Returns the number at the beginning of a file; all ones if there is no number ("max").
static uint64_t readLimit(const char *path) {
  char text[32] = "";
  if (FILE *file = fopen(path, "re")) {
    if (!fgets(text, sizeof text, file))
      text[0] = 0;
    fclose(file);
  }
  return text[0] >= '0' && text[0] <= '9' ? strtoull(text, nullptr, 10) : ~uint64_t(0);
}

/// Returns the least limit of a group and the groups above it. Shortens `group` down to the root on the way.
static uint64_t groupLimit(const char *root, const char *mount, char *group, const char *file) {
  uint64_t least = ~uint64_t(0);
  for (;;) {
    char path[4096];
    bool isWhole = snprintf(path, sizeof path, "%s%s%s/%s", root, mount, group, file) < int(sizeof path);
    uint64_t limit = isWhole ? readLimit(path) : least;
    least = limit < least ? limit : least;
    char *last = strrchr(group, '/');
    if (!last)
      return least;
    *last = 0;
  }
}

uint64_t machineMemory(const char *root) {
  long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  uint64_t least = pages > 0 && bytes > 0 ? uint64_t(pages) * uint64_t(bytes) : ~uint64_t(0);
  char line[4096];
  snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
  FILE *groups = fopen(line, "re");
  while (groups && fgets(line, sizeof line, groups)) {
    line[strcspn(line, "\n")] = 0;
    char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : nullptr;
    if (!group)
      continue;
    *group++ = 0;
    uint64_t limit = ~uint64_t(0);
    if (!controllers[1])
      limit = groupLimit(root, "/sys/fs/cgroup", group, "memory.max");
    else if (!strcmp(controllers, ":memory"))
      limit = groupLimit(root, "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
    least = limit < least ? limit : least;
  }
  if (groups)
    fclose(groups);
  return least;
}

} // namespace cilk2gpu::rt
