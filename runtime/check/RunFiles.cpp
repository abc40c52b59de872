// See RunFiles.h.
#include "check/RunFiles.h"
#include "process/Message.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

namespace cilk2gpu::rt {

/// The first number that files of the check get, so that a run's own files have the numbers that they always have.
static constexpr int kFirstFile = 100;
/// Milliseconds after which a message says what the check waits for.
static constexpr int kSilence = 2000;

static bool isOpen(int file) { return fcntl(file, F_GETFD) >= 0; }

int RunFiles::openHidden(const char *name) {
  int file = memfd_create(name, MFD_CLOEXEC);
  if (file < 0)
    file = ::open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0)
    fatal("CILK2GPU_CHECK keeps the %s of runs in files without names, but none can be made: %s", name,
          strerror(errno));
  int moved = fcntl(file, F_DUPFD_CLOEXEC, kFirstFile);
  if (moved < 0)
    return file; // the process may have few files
  close(file);
  return moved;
}

/// Writes all bytes. Returns false with errno if that fails.
static bool writeAll(int to, const char *bytes, size_t size) {
  while (size) {
    ssize_t written = write(to, bytes, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return false;
    bytes += written;
    size -= size_t(written);
  }
  return true;
}

/// A terminal is not read, because the check would wait for its end. What can be read once only is copied.
void RunFiles::openInput() {
  if (!isOpen(STDIN_FILENO))
    return;
  inputStart = lseek(STDIN_FILENO, 0, SEEK_CUR);
  if (inputStart >= 0)
    return;
  input = openHidden("input");
  inputStart = 0;
  if (isatty(STDIN_FILENO))
    return note(
        "the program gets an empty standard input, because CILK2GPU_CHECK runs it several times; redirect a file "
        "if it needs input");
  static char bytes[1 << 16];
  for (bool isQuiet = true;;) {
    pollfd ready = {STDIN_FILENO, POLLIN, 0};
    if (isQuiet && !poll(&ready, 1, kSilence)) {
      note("CILK2GPU_CHECK waits for the end of the standard input, which each run reads anew; redirect /dev/null if "
           "the "
           "program needs no input");
      isQuiet = false;
    }
    ssize_t length = read(STDIN_FILENO, bytes, sizeof bytes);
    if (length < 0 && errno == EINTR)
      continue;
    if (length < 0)
      fatal("CILK2GPU_CHECK cannot read the standard input: %s", strerror(errno));
    if (!length)
      return;
    if (!writeAll(input, bytes, size_t(length)))
      fatal("CILK2GPU_CHECK cannot keep the standard input: %s", strerror(errno));
  }
}

void RunFiles::open() {
  openInput();
  for (auto &run : outputs) {
    run[0] = isOpen(STDOUT_FILENO) ? openHidden("output") : -1;
    run[1] = isOpen(STDERR_FILENO) ? openHidden("error output") : -1;
  }
}

void RunFiles::prepare(KeptRun run) const {
  if (inputStart >= 0)
    lseek(input < 0 ? STDIN_FILENO : input, inputStart, SEEK_SET);
  for (int file : outputs[unsigned(run)])
    if (file >= 0 && (ftruncate(file, 0) || lseek(file, 0, SEEK_SET)))
      fatal("CILK2GPU_CHECK cannot empty the file of an output: %s", strerror(errno));
}

void RunFiles::enter(KeptRun run) const {
  if (input >= 0)
    dup2(input, STDIN_FILENO);
  for (int output = STDOUT_FILENO; output <= STDERR_FILENO; ++output)
    if (outputs[unsigned(run)][output - 1] >= 0)
      dup2(outputs[unsigned(run)][output - 1], output);
  if (input >= 0)
    close(input);
  for (auto &files : outputs)
    for (int file : files)
      if (file >= 0)
        close(file);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Comparing
//===--------------------------------------------------------------------------------------------------------------===//

/// Reads up to `size` bytes at an offset.
static size_t readAt(int file, uint64_t offset, char *bytes, size_t size) {
  size_t done = 0;
  while (done < size) {
    ssize_t length = pread(file, bytes + done, size - done, off_t(offset + done));
    if (length < 0 && errno == EINTR)
      continue;
    if (length <= 0)
      break;
    done += size_t(length);
  }
  return done;
}

/// Keeps the rest of a line that begins at `offset`. Bytes that are no printable ASCII become dots.
static void keepLine(int file, uint64_t offset, char (&text)[OutputDifference::kMostText], bool &ends) {
  size_t length = readAt(file, offset, text, sizeof text - 1), end = 0;
  ends = !length;
  for (; end < length && text[end] != '\n'; ++end)
    if (text[end] < ' ' || text[end] > '~')
      text[end] = '.';
  text[end] = 0;
}

void RunFiles::compare(int output, OutputDifference &difference) const {
  static char a[1 << 16], b[1 << 16];
  int serial = outputs[0][output - 1], other = outputs[1][output - 1];
  difference = {};
  if (serial < 0 || other < 0)
    return;
  uint64_t line = 1, lineStart = 0;
  for (uint64_t offset = 0;;) {
    size_t sizeA = readAt(serial, offset, a, sizeof a), sizeB = readAt(other, offset, b, sizeof b);
    size_t both = sizeA < sizeB ? sizeA : sizeB, i = 0;
    for (; i < both && a[i] == b[i]; ++i)
      if (a[i] == '\n')
        ++line, lineStart = offset + i + 1;
    offset += i;
    if (i == both && sizeA == sizeB && both < sizeof a)
      return;
    if (i == both && sizeA == sizeB)
      continue;
    difference.isDifferent = true;
    difference.byte = offset + 1;
    difference.line = line;
    uint64_t shown = offset - lineStart < OutputDifference::kMostText / 2 ? lineStart : offset;
    keepLine(serial, shown, difference.serial, difference.endsSerial);
    keepLine(other, shown, difference.other, difference.endsOther);
    return;
  }
}

//===--------------------------------------------------------------------------------------------------------------===//
// Writing
//===--------------------------------------------------------------------------------------------------------------===//

bool RunFiles::copy(int from, int to, const char *what) {
  static char bytes[1 << 16];
  if (from < 0)
    return true;
  uint64_t offset = 0;
  for (size_t length; (length = readAt(from, offset, bytes, sizeof bytes)); offset += length)
    if (!writeAll(to, bytes, length)) {
      error("the program's %s could not be written: %s; free space, or write it to another file", what,
            strerror(errno));
      return false;
    }
  return true;
}

bool RunFiles::writeSerial() const {
  bool isWritten = copy(outputs[0][1], STDERR_FILENO, "standard error");
  return copy(outputs[0][0], STDOUT_FILENO, "standard output") && isWritten;
}

} // namespace cilk2gpu::rt
