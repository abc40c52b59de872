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

/// Reads the file of suppressions. Blank lines and lines that begin with # stay, and match nothing.
static void readSuppressions(Options &options, const char *name) {
  int file = open(name, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status))
    stop("CILKSAN_OPTIONS: the file of suppressions '%s' cannot be read: %s", name, strerror(errno));
  size_t size = size_t(status.st_size);
  options.suppressions = static_cast<char *>(reserve(size + 1));
  for (size_t done = 0; done < size;) {
    ssize_t got = read(file, options.suppressions + done, size - done);
    if (got <= 0)
      break;
    done += size_t(got);
  }
  close(file);
  options.suppressionBytes = size + 1;
  for (size_t i = 0; i < size; ++i)
    if (options.suppressions[i] == '\n' || options.suppressions[i] == '\r')
      options.suppressions[i] = 0;
  for (const char *line = options.suppressions; line < options.suppressions + size; line += strlen(line) + 1)
    if (*line && *line != '#' && strncmp(line, "race:", 5) != 0)
      stop("the file of suppressions '%s' has the line '%s'; a line is race:PATTERN, with a pattern for a function, "
           "file "
           "or variable, or begins with #",
           name, line);
}

static void readWord(Options &options, char *word) {
  char *value = strchr(word, '=');
  if (value)
    *value++ = 0;
  char *end = nullptr;
  if (value && !strcmp(word, "exitcode")) {
    long status = strtol(value, &end, 10);
    if (!*value || *end || status < 0 || status > 255)
      stop("CILKSAN_OPTIONS: exitcode=%s is no exit status; allowed are 0 to 255", value);
    options.exitStatus = int(status);
  } else if (value && !strcmp(word, "suppressions")) {
    if (rt::isPrivileged())
      warn("CILKSAN_OPTIONS: suppressions " CILK2GPU_NAMES_FILE);
    else
      readSuppressions(options, value);
  } else if (value && !strcmp(word, "locks") && (!strcmp(value, "respect") || !strcmp(value, "ignore"))) {
    options.ignoresLocks = !strcmp(value, "ignore");
  } else {
    stop("CILKSAN_OPTIONS: '%s%s%s' is no option; allowed are exitcode=NUMBER, suppressions=FILE, locks=respect and "
         "locks=ignore, with ':' between them",
         word, value ? "=" : "", value ? value : "");
  }
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
    if (!strncmp(line, "race:", 5) && line[5])
      for (size_t i = 0; i < count; ++i)
        if (matches(line + 5, names[i]))
          return true;
  return false;
}

} // namespace cilk2gpu::races
