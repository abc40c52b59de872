// See VariableNames.h. This file needs no settings, so that the libraries of the tools use it, too.
#include "process/VariableNames.h"
#include "process/Message.h"

#include <stddef.h>
#include <string.h>

extern char **environ;

namespace cilk2gpu::rt {

/// Variables of programs, of the tools, and of the compiler and the scripts. The latter are often set for all programs.
static const char *const known[] = {
#define CILK2GPU_VARIABLE(name, value, help, named, parse, allowed) "CILK2GPU_" #name,
#define CILK2GPU_OTHER_VARIABLE(name, value, help) #name,
#include "process/Variables.def"
    "CILK2GPU_CLANG", "CILK2GPU_BUILD_DIR"};

/// Returns the number of single-character insertions, deletions and replacements between two names (Levenshtein's
/// distance), or a large number if a name is long.
static unsigned editDistance(const char *a, size_t aLength, const char *b, size_t bLength) {
  constexpr size_t kMost = 64;
  unsigned row[kMost + 1];
  if (aLength > kMost || bLength > kMost)
    return ~0u;
  for (size_t j = 0; j <= bLength; ++j)
    row[j] = unsigned(j);
  for (size_t i = 1; i <= aLength; ++i) {
    unsigned diagonal = row[0];
    row[0] = unsigned(i);
    for (size_t j = 1; j <= bLength; ++j) {
      unsigned replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      unsigned moved = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
      row[j] = replaced < moved ? replaced : moved;
    }
  }
  return row[bLength];
}

/// Returns the variable whose name is nearest, or null if no name differs in at most two characters.
static const char *similarVariable(const char *name, size_t length) {
  const char *nearest = nullptr;
  unsigned least = 3;
  for (const char *candidate : known) {
    unsigned distance = editDistance(name, length, candidate, strlen(candidate));
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

static bool startsWith(const char *text, const char *prefix) { return !strncmp(text, prefix, strlen(prefix)); }

/// Warns of a variable that is not known. The variable may be another program's if its name does not begin with
/// CILK2GPU_, so the warning depends on a similar name.
static void warnOfUnknown(const char *entry, size_t length) {
  if (const char *meant = similarVariable(entry, length))
    return warning("the environment variable %.*s is not known and has no effect; did you mean %s?", int(length), entry,
                   meant);
  if (startsWith(entry, "CILK2GPU_"))
    warning("the environment variable %.*s is not known and has no effect (docs/environment.md lists all)", int(length),
            entry);
}

static bool isKnown(const char *name, size_t length) {
  for (const char *candidate : known)
    if (strlen(candidate) == length && !strncmp(candidate, name, length))
      return true;
  return false;
}

void warnOfUnknownVariables() {
  for (char **entry = environ; entry && *entry; ++entry) {
    const char *equals = strchr(*entry, '=');
    if (!equals || !startsWith(*entry, "CILK"))
      continue;
    size_t length = size_t(equals - *entry);
    if (!isKnown(*entry, length))
      warnOfUnknown(*entry, length);
  }
}

} // namespace cilk2gpu::rt
