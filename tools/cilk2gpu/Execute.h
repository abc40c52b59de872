// Replaces the driver's process by another program, so that signals, exit status and standard streams are that
// program's. Or runs the program, and waits for it.
#ifndef CILK2GPU_TOOLS_CILK2GPU_EXECUTE_H
#define CILK2GPU_TOOLS_CILK2GPU_EXECUTE_H

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace cilk2gpu::driver {

/// Runs `program` with `arguments` (without the program's name) in place of this process. Returns only on failure. If
/// the command line is too long for the system, passes it in a response file in memory.
llvm::Error execute(const std::string &program, const std::vector<std::string> &arguments);

/// Runs `program` in a process of its own, and returns its exit status. A signal that ends the program ends the driver,
/// too. An error in the new process is returned there, and the caller has to end it.
llvm::Expected<int> executeAndWait(const std::string &program, const std::vector<std::string> &arguments);

} // namespace cilk2gpu::driver

#endif // CILK2GPU_TOOLS_CILK2GPU_EXECUTE_H
