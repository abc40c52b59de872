// Executes a program. If the command line is too long, perhaps because response files were expanded, uses a response
// file.
#include "Execute.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Program.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace cilk2gpu::driver {

/// Returns `words` in the form in which Clang reads response files: quoted, with backslashes.
static std::string responseText(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words) {
    text += '"';
    for (char c : word) {
      if (c == '"' || c == '\\')
        text += '\\';
      text += c;
    }
    text += "\"\n";
  }
  return text;
}

/// Makes an anonymous file that the program inherits. Returns its name, which is valid while the descriptor is open.
static std::string inheritedFile(StringRef text) {
  int descriptor = memfd_create("cilk2gpu-arguments", 0);
  if (descriptor < 0)
    return "";
  while (!text.empty()) {
    ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0)
      return "";
    text = text.drop_front(written);
  }
  return "/proc/self/fd/" + std::to_string(descriptor);
}

/// Enlarges the stack limit. Clang's parser recurses for each nested parenthesis or brace, and crashes without a
/// message if the stack is full. The usual 8 MB suffice for about a thousand levels, but generated code may have more.
static void enlargeStack() {
  constexpr rlim_t kStackBytes = rlim_t(256) << 20;
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= kStackBytes)
    return;
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > kStackBytes ? kStackBytes : limit.rlim_max;
  setrlimit(RLIMIT_STACK, &limit);
}

Error execute(const std::string &program, const std::vector<std::string> &arguments) {
  std::vector<std::string> words = arguments;
  llvm::SmallVector<StringRef, 64> views(arguments.begin(), arguments.end());
  if (!llvm::sys::commandLineFitsWithinSystemLimits(program, views))
    if (std::string file = inheritedFile(responseText(arguments)); !file.empty())
      words = {"@" + file};
  std::vector<char *> argv = {const_cast<char *>(program.c_str())};
  for (std::string &word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  enlargeStack();
  execv(program.c_str(), argv.data());
  return llvm::createStringError("cannot run '" + program + "': " + std::strerror(errno));
}

Expected<int> executeAndWait(const std::string &program, const std::vector<std::string> &arguments) {
  signal(SIGCHLD, SIG_DFL); // if a parent process had it ignored, the exit status would be lost
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM); // a build system may end the driver alone
    return execute(program, arguments);
  }
  int status = 0;
  pid_t ended = child;
  while (child > 0 && (ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
    continue;
  if (ended < 0)
    return llvm::createStringError("cannot run '" + program + "': " + std::strerror(errno));
  if (WIFSIGNALED(status))
    raise(WTERMSIG(status));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

} // namespace cilk2gpu::driver
