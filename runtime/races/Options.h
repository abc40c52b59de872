// Options of the race detector: the environment variable CILKSAN_OPTIONS, and the file of suppressions.
#ifndef CILK2GPU_RUNTIME_RACES_OPTIONS_H
#define CILK2GPU_RUNTIME_RACES_OPTIONS_H

#include <stddef.h>

namespace cilk2gpu::races {

struct Options {
  int exitStatus = 66;       ///< of a program with reports; 0: its own
  bool ignoresLocks = false; ///< locks and atomics do not order anything: determinacy races are reported
  bool haltsOnError = false;
  const char *logPath = nullptr; ///< null: reports are written to standard error
  char *suppressions = nullptr;  ///< the patterns, each with a null character at its end; null: none
  size_t suppressionBytes = 0;

  /// Reads the variable. A word that is no option ends the program.
  void read();
  /// Returns true if a line of the file of suppressions matches one of the names.
  bool suppresses(const char *const *names, size_t count) const;
};

/// Returns true if `pattern` occurs in `text`. `*` stands for any characters, `^` at the start and `$` at the end for
/// the ends of the text.
bool matches(const char *pattern, const char *text);

} // namespace cilk2gpu::races

#endif // CILK2GPU_RUNTIME_RACES_OPTIONS_H
