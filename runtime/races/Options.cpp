// See Options.h.
#include "Options.h"

#include "ReservedArray.h"
#include "process/Privileges.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cilk2gpu::races {

/// Matches from the start of `text`.
static bool matchesHere(const char *pattern, const char *text) {
  for (;; ++pattern, ++text) {
    if (!*pattern)
      return true;
    if (pattern[0] == '$' && !pattern[1])
      return !*text;
    if (*pattern == '*') {
      do
        if (matchesHere(pattern + 1, text))
          return true;
      while (*text++);
      return false;
    }
    if (*pattern != *text)
      return false;
  }
}

bool matches(const char *pattern, const char *text) {
  if (*pattern == '^')
    return matchesHere(pattern + 1, text);
  do
    if (matchesHere(pattern, text))
      return true;
  while (*text++);
  return false;
}

/// Reads a regular file into memory, and sets `size`. Other files have no end, or none yet.
static char *readFile(const char *name, size_t &size) {
  int file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;
  bool isKnown = file >= 0 && !fstat(file, &status);
  if (isKnown && !S_ISREG(status.st_mode))
    stop("CILKSAN_OPTIONS: the file of suppressions '%s' is not a regular file", name);
  size = isKnown ? size_t(status.st_size) : 0;
  auto *text = static_cast<char *>(reserve(size + 1));
  ssize_t got = isKnown ? 1 : -1;
  for (size_t done = 0; done < size && got > 0; done += size_t(got > 0 ? got : 0))
    got = ::read(file, text + done, size - done);
  if (got < 0)
    stop("CILKSAN_OPTIONS: the file of suppressions '%s' cannot be read: %s", name, strerror(errno));
  close(file);
  return text;
}

static bool isBlank(char character) { return character == ' ' || character == '\t' || character == '\r'; }

/// Returns the text without blanks at its ends. Changes the text.
static char *trim(char *text) {
  while (isBlank(*text))
    ++text;
  for (size_t size = strlen(text); size && isBlank(text[size - 1]);)
    text[--size] = 0;
  return text;
}

/// Keeps the patterns of the file of suppressions.
static bool readSuppressions(Options &options, const char *name) {
  static constexpr char kRace[] = "race:";
  if (rt::isPrivileged()) {
    warn("CILKSAN_OPTIONS: suppressions " CILK2GPU_NAMES_FILE);
    return true;
  }
  size_t size = 0;
  char *text = readFile(name, size);
  options.suppressions = static_cast<char *>(reserve(size + 1));
  for (char *state = nullptr, *line = strtok_r(text, "\n", &state); line; line = strtok_r(nullptr, "\n", &state)) {
    line = trim(line);
    if (!*line || *line == '#')
      continue;
    const char *pattern = strncmp(line, kRace, strlen(kRace)) != 0 ? "" : trim(line + strlen(kRace));
    if (!*pattern)
      stop("the file of suppressions '%s' has the line '%s'; a line is race:PATTERN, with a pattern for a function, "
           "file or variable, or begins with #",
           name, line);
    strcpy(options.suppressions + options.suppressionBytes, pattern);
    options.suppressionBytes += strlen(pattern) + 1;
  }
  return true;
}

static bool readStatus(Options &options, const char *value) {
  char *end = nullptr;
  long status = strtol(value, &end, 10);
  options.exitStatus = int(status);
  return *value && !*end && status >= 0 && status <= 255;
}

static bool readLocks(Options &options, const char *value) {
  options.ignoresLocks = !strcmp(value, "ignore");
  return options.ignoresLocks || !strcmp(value, "respect");
}

static bool readHalt(Options &options, const char *value) {
  options.haltsOnError = !strcmp(value, "1");
  return options.haltsOnError || !strcmp(value, "0");
}

static bool readLogPath(Options &options, const char *value) {
  if (rt::isPrivileged())
    warn("CILKSAN_OPTIONS: log_path " CILK2GPU_NAMES_FILE);
  else
    options.logPath = value;
  return *value;
}

static bool readHelp(Options &options, const char *value);

namespace {
struct OptionKind {
  const char *name, *values, *meaning;
  bool (*read)(Options &options, const char *value); ///< returns false if the value is not allowed
};
} // namespace

static constexpr OptionKind kOptions[] = {
    {"exitcode", "0 to 255", "exit status of a program with reports (66); 0: the program's own", readStatus},
    {"locks", "respect or ignore", "whether locks and atomic accesses prevent reports (respect)", readLocks},
    {"suppressions", "a file", "races that are not reported: lines with race:PATTERN", readSuppressions},
    {"halt_on_error", "0 or 1", "with 1, the first report ends the program (0)", readHalt},
    {"log_path", "a file", "reports are written to this file with .PID behind its name, or to stdout", readLogPath},
    {"help", "0 or 1", "with 1, this list is written (0)", readHelp},
};

static bool readHelp(Options &, const char *value) {
  bool isAsked = !strcmp(value, "1");
  if (isAsked)
    writeError("Options in CILKSAN_OPTIONS, with ':' between them:\n");
  for (const OptionKind &option : kOptions)
    if (isAsked)
      writeError("  %s=VALUE: %s; %s\n", option.name, option.values, option.meaning);
  return isAsked || !strcmp(value, "0");
}

static void readWord(Options &options, char *word) {
  char *value = strchr(word, '=');
  if (value)
    *value++ = 0;
  for (const OptionKind &option : kOptions) {
    if (!value || strcmp(option.name, word) != 0)
      continue;
    if (!option.read(options, value))
      stop("CILKSAN_OPTIONS: %s=%s is not valid; allowed: %s", word, value, option.values);
    return;
  }
  stop("CILKSAN_OPTIONS: '%s%s%s' is no option; help=1 lists the options", word, value ? "=" : "", value ? value : "");
}

void Options::read() {
  const char *text = getenv("CILKSAN_OPTIONS");
  if (!text)
    return;
  size_t size = strlen(text) + 1;
  char *copy = static_cast<char *>(reserve(size));
  memcpy(copy, text, size);
  for (char *state = nullptr, *word = strtok_r(copy, ": ", &state); word; word = strtok_r(nullptr, ": ", &state))
    readWord(*this, word);
}

bool Options::suppresses(const char *const *names, size_t count) const {
  for (const char *line = suppressions; line < suppressions + suppressionBytes; line += strlen(line) + 1)
    for (size_t i = 0; i < count; ++i)
      if (matches(line, names[i]))
        return true;
  return false;
}

} // namespace cilk2gpu::races
