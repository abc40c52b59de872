// See Reports.h.
#include "Reports.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace cilk2gpu::races {

static constexpr size_t kMostAccesses = 1 << 28, kMostUnchecked = 1 << 20;
/// Reports of one pair of lines, for different variables and blocks. A list of a million nodes has enough reports.
static constexpr uint64_t kMostReportsOfLines = 100;

/// Writes a text to a file without allocating memory.
static void writeTo(int file, const char *format, va_list arguments) {
  char text[4096];
  int size = vsnprintf(text, sizeof text, format, arguments);
  if (size >= int(sizeof text))
    size = sizeof text - 1;
  for (int done = 0; done < size;) {
    ssize_t part = ::write(file, text + done, size_t(size - done));
    if (part <= 0)
      return;
    done += int(part);
  }
}

void writeError(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  writeTo(STDERR_FILENO, format, arguments);
  va_end(arguments);
}

void endProcess(int status) {
  for (;;)
    syscall(SYS_exit_group, status); // _exit() is replaced
}

void stop(const char *message, ...) {
  va_list arguments;
  va_start(arguments, message);
  writeError("cilk2gpu: error: ");
  writeTo(STDERR_FILENO, message, arguments);
  writeError("\n");
  va_end(arguments);
  endProcess(1);
}

void warn(const char *message) { writeError("cilk2gpu: warning: %s\n", message); }

void *reserve(size_t bytes) {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  long memory = syscall(SYS_mmap, nullptr, bytes, PROT_READ | PROT_WRITE, kFlags, -1, 0L); // mmap() is replaced
  if (memory == -1)
    stop("the race detector needs %zu bytes of address space; raise the limit of virtual memory (ulimit -v)", bytes);
  return reinterpret_cast<void *>(memory);
}

/// Opens the file for reports. Each process has a file of its own.
void Reports::openLog() {
  log = STDERR_FILENO;
  if (!options.logPath || !strcmp(options.logPath, "stderr"))
    return;
  if (!strcmp(options.logPath, "stdout")) {
    log = STDOUT_FILENO;
    return;
  }
  char name[4096];
  snprintf(name, sizeof name, "%s.%d", options.logPath, process);
  log = ::open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (log < 0)
    stop("CILKSAN_OPTIONS: the file '%s' for reports cannot be written: %s", name, strerror(errno));
}

void Reports::write(const char *format, ...) {
  if (log < 0)
    openLog();
  va_list arguments;
  va_start(arguments, format);
  writeTo(log, format, arguments);
  va_end(arguments);
}

/// Forgets the reports of the process that this one is a copy of.
void Reports::followFork() {
  if (isOfThisProcess())
    return;
  process = getpid();
  numReports = numSuppressed = 0;
  unchecked.shrink(0);
  log = -1;
}

void Reports::open() {
  process = getpid();
  accesses.open(kMostAccesses);
  lines.open(kMostAccesses);
  unchecked.open(kMostUnchecked);
  lineNumbers.open();
  known.open();
  accesses.add(nullptr); // number 0: none
  lines.add(0);
}

uint32_t Reports::addAccess(Cilk2gpuAccess *access) {
  uint64_t hash = 1;
  for (const char *character = access->file; *character; ++character)
    hash = (hash ^ uint8_t(*character)) * 0x100000001B3;
  uint64_t *line = lineNumbers.find(hash | 1, access->line);
  if (line && !*line)
    *line = lineNumbers.size();
  lines.add(line ? uint32_t(*line) : 0);
  return access->number = accesses.add(access);
}

static bool isSameLine(const Cilk2gpuAccess &one, const Cilk2gpuAccess &other) {
  return one.line == other.line && !strcmp(one.file, other.file);
}

static uint64_t pairOf(uint32_t one, uint32_t other) {
  return one < other ? uint64_t(one) << 32 | other : uint64_t(other) << 32 | one;
}

/// Second parts of keys of `known`, beside the starts of variables and blocks.
enum Knowledge : uint64_t { kIsSuppressed = 1, kNumReports = 2, kNumSuppressed = 3 };

/// Returns true if a suppression names one of the two accesses. Counts the pairs of lines.
bool Reports::isSuppressed(uint32_t one, uint32_t other) {
  enum : uint64_t { Unknown, No, Yes };
  uint64_t unknown = Unknown, *answer = known.find(pairOf(one, other), kIsSuppressed);
  if (!answer)
    answer = &unknown;
  if (*answer == Unknown) {
    const Cilk2gpuAccess &left = *accesses[one], &right = *accesses[other];
    const char *names[] = {left.function, left.file, left.variable, right.function, right.file, right.variable};
    *answer = options.suppresses(names, sizeof names / sizeof *names) ? Yes : No;
    if (uint64_t *count = known.find(pairOf(lines[one], lines[other]), kNumSuppressed); *answer == Yes && count)
      numSuppressed += !(*count)++;
  }
  return *answer == Yes;
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
  const char *atomic = entry.locks & kAtomic ? "an atomic " : "a ", *what = entry.locks & kRead ? "read" : "write";
  if (access.kind == kCilk2gpuFreeAccess)
    write("  %sa free of the memory in %s at %s:%u:%u\n", when, access.function, access.file, access.line,
          access.column);
  else if (access.kind == kCilk2gpuViewAccess)
    write("  %s%s the reducer%s%s in %s at %s:%u:%u\n", when,
          entry.locks & kRead     ? "a read of"
          : entry.locks & kAtomic ? "an update of"
                                  : "a new value of",
          *access.variable ? " " : "", access.variable, access.function, access.file, access.line, access.column);
  else
    write("  %s%s%s%s%s%s%s in %s at %s:%u:%u\n", when, atomic, what, *access.variable ? " of " : "",
          access.kind == kCilk2gpuLibraryAccess ? "memory by " : "", access.variable,
          entry.locks >> 2 ? " with a lock held" : "", access.function, access.file, access.line, access.column);
  writeStack(entry.task);
}

void Reports::report(uintptr_t at, const Entry &earlier, const Entry &now) {
  if (isSuppressed(earlier.access, now.access))
    return;
  uint64_t pair = pairOf(lines[earlier.access], lines[now.access]), *reports = known.find(pair, kNumReports);
  if (!reports || *reports == kMostReportsOfLines)
    return;
  if (uint64_t *seen = known.find(pair, objects.startOf(at)); !seen || (*seen)++)
    return;
  followFork();
  ++numReports;
  write("cilk2gpu: %s race at address %#lx:\n", options.ignoresLocks ? "determinacy" : "data", (unsigned long)at);
  writeAccess("", now);
  writeAccess("may run in parallel with ", earlier);
  if (++*reports == kMostReportsOfLines)
    write("cilk2gpu: no more races of these two lines are reported\n");
  if (options.haltsOnError) {
    fflush(nullptr);
    endProcess(finish(1));
  }
}

void Reports::noteUnchecked(const Cilk2gpuAccess *access) {
  for (const Cilk2gpuAccess *known : unchecked)
    if (isSameLine(*known, *access))
      return;
  unchecked.add(access);
}

int Reports::finish(int status) {
  for (const Cilk2gpuAccess *access : unchecked)
    write("cilk2gpu: not checked for races: %s at %s:%u, whose order the detector does not know\n", access->variable,
          access->file, access->line);
  if (numReports)
    write("cilk2gpu: %zu %s race%s\n", numReports, options.ignoresLocks ? "determinacy" : "data",
          numReports == 1 ? "" : "s");
  if (numSuppressed)
    write("cilk2gpu: %zu race%s suppressed\n", numSuppressed, numSuppressed == 1 ? "" : "s");
  return numReports && options.exitStatus ? options.exitStatus : status;
}

} // namespace cilk2gpu::races
