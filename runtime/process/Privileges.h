// Programs with more rights than their user: setuid and setgid programs, and programs with file capabilities. The user
// of such a program must not choose the code that it runs, or the files that it reads and writes.
//
//   if (names a file && isPrivileged())
//     warning("%s " CILK2GPU_NAMES_FILE, variable);
//
// The header needs no other part of the runtime, because the race detector, a library of its own, includes it, too.
#ifndef CILK2GPU_RUNTIME_PROCESS_PRIVILEGES_H
#define CILK2GPU_RUNTIME_PROCESS_PRIVILEGES_H

#include <sys/auxv.h>

namespace cilk2gpu::rt {

inline bool isPrivileged() { return getauxval(AT_SECURE) != 0; }

} // namespace cilk2gpu::rt

/// The end of a warning that begins with the name of a variable.
#define CILK2GPU_NAMES_FILE                                                                                            \
  "is ignored: it names a file or a library, and this program has more rights than its user (setuid, setgid or "       \
  "capabilities); unset it, or run a program without such rights"

#endif // CILK2GPU_RUNTIME_PROCESS_PRIVILEGES_H
