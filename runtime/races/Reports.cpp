// See Reports.h.
#include "Reports.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

namespace cilk2gpu::races {

static constexpr size_t kMostAccesses = 1 << 28, kMostPairs = 1 << 20, kSeenSize = 1 << 20;

/// Writes a text to standard error without allocating memory.
static void write(const char *format, va_list arguments) {
  char text[4096];
  int size = vsnprintf(text, sizeof text, format, arguments);
  if (size >= int(sizeof text))
    size = sizeof text - 1;
  for (int done = 0; done < size;) {
    ssize_t part = ::write(STDERR_FILENO, text + done, size_t(size - done));
    if (part <= 0)
      return;
    done += int(part);
  }
}

__attribute__((format(printf, 1, 2))) static void write(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write(format, arguments);
  va_end(arguments);
}

void stop(const char *message, ...) {
  va_list arguments;
  va_start(arguments, message);
  write("cilk2gpu: error: ");
  write(message, arguments);
  write("\n");
  va_end(arguments);
  _exit(1);
}

void warn(const char *message) { write("cilk2gpu: warning: %s\n", message); }

void *reserve(size_t bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    stop("the race detector needs %zu bytes of address space; raise the limit of virtual memory (ulimit -v)", bytes);
  return memory;
}

void Reports::open() {
  accesses.open(kMostAccesses);
  pairs.open(kMostPairs);
  unchecked.open(kMostPairs);
  seen = static_cast<uint64_t *>(reserve(kSeenSize * sizeof(uint64_t)));
  accesses.add(nullptr); // number 0: none
}

uint32_t Reports::addAccess(Cilk2gpuAccess *access) { return access->number = accesses.add(access); }

static bool isSameLine(const Cilk2gpuAccess &one, const Cilk2gpuAccess &other) {
  return one.line == other.line && !strcmp(one.file, other.file);
}

/// Returns true if there was no report of these two lines.
bool Reports::isNew(uint32_t one, uint32_t other) {
  uint64_t key = uint64_t(one) << 32 | other;
  size_t at = (key * 0x9E3779B97F4A7C15) >> 44;
  for (; seen[at]; at = (at + 1) % kSeenSize)
    if (seen[at] == key)
      return false;
  if (numSeen < kSeenSize / 2) {
    seen[at] = key;
    ++numSeen;
  }
  const Cilk2gpuAccess &first = *accesses[one], &second = *accesses[other];
  for (const Pair &pair : pairs)
    if ((isSameLine(*pair.first, first) && isSameLine(*pair.second, second)) ||
        (isSameLine(*pair.first, second) && isSameLine(*pair.second, first)))
      return false;
  pairs.add({&first, &second});
  return true;
}

bool Reports::isSuppressed(const Cilk2gpuAccess &one, const Cilk2gpuAccess &other) const {
  const char *names[] = {one.function, one.file, one.variable, other.function, other.file, other.variable};
  return options.suppresses(names, sizeof names / sizeof *names);
}

/// Writes the tasks that contain an access, the innermost first.
void Reports::writeStack(TaskId task) {
  constexpr unsigned kMostLines = 64;
  for (unsigned lines = 0; strands.task(task).parent; task = strands.task(task).parent) {
    const Task &inner = strands.task(task);
    const Cilk2gpuSite &site = strands.site(inner.site);
    if (++lines > kMostLines) {
      write("      ...\n");
      return;
    }
    if (site.kind == kCilk2gpuLoopSite)
      write("      in iteration %u of the cilk_for in %s at %s:%u:%u\n", inner.position, site.function, site.file,
            site.line, site.column);
    else
      write("      in the child %s, spawned in %s at %s:%u:%u\n", site.callee, site.function, site.file, site.line,
            site.column);
  }
}

void Reports::writeAccess(const char *when, const Entry &entry) {
  const Cilk2gpuAccess &access = *accesses[entry.access];
  const char *atomic = entry.locks & kAtomic ? "atomic " : "", *what = entry.locks & kRead ? "read" : "write";
  if (access.kind == kCilk2gpuFreeAccess)
    write("  %s free of the memory in %s at %s:%u:%u\n", when, access.function, access.file, access.line,
          access.column);
  else
    write("  %s %s%s%s%s%s%s in %s at %s:%u:%u\n", when, atomic, what, *access.variable ? " of " : "",
          access.kind == kCilk2gpuLibraryAccess ? "memory by " : "", access.variable,
          entry.locks >> 2 ? " with a lock held" : "", access.function, access.file, access.line, access.column);
  writeStack(entry.task);
}

void Reports::report(uintptr_t at, const Entry &earlier, const Entry &now) {
  if (!isNew(earlier.access, now.access))
    return;
  if (isSuppressed(*accesses[earlier.access], *accesses[now.access])) {
    ++numSuppressed;
    return;
  }
  ++numReports;
  write("cilk2gpu: %s race at address %#lx:\n", options.ignoresLocks ? "determinacy" : "data", (unsigned long)at);
  writeAccess("a", now);
  writeAccess("may run in parallel with a", earlier);
}

void Reports::noteUnchecked(const Cilk2gpuAccess *access) {
  for (const Cilk2gpuAccess *known : unchecked)
    if (isSameLine(*known, *access))
      return;
  unchecked.add(access);
}

int Reports::finish() {
  for (const Cilk2gpuAccess *access : unchecked)
    write("cilk2gpu: not checked for races: %s at %s:%u, whose order the detector does not know\n", access->variable,
          access->file, access->line);
  if (numReports)
    write("cilk2gpu: %zu %s race%s\n", numReports, options.ignoresLocks ? "determinacy" : "data",
          numReports == 1 ? "" : "s");
  if (numSuppressed)
    write("cilk2gpu: %zu race%s suppressed\n", numSuppressed, numSuppressed == 1 ? "" : "s");
  return numReports ? options.exitStatus : -1;
}

} // namespace cilk2gpu::races
