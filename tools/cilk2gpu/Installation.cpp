// The layout PREFIX/{bin,lib,libexec,include} is the same in the build tree and in an installed one.
#include "Installation.h"

#include "cilk2gpu/Support/TemporaryFile.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Triple.h"

#include <cstdlib>
#include <optional>
#include <unistd.h>

using llvm::Error;
using llvm::Expected;
using llvm::SmallString;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace cilk2gpu::driver {

Installation locateInstallation(StringRef executable) {
  StringRef root = path::parent_path(path::parent_path(executable));
  auto part = [&](StringRef folder, StringRef name) {
    SmallString<256> result(root);
    path::append(result, folder, name);
    return result.str().str();
  };
  // The build tree has lib; a distribution's prefix may have lib64 or lib/<triple>.
  StringRef libraries = fs::exists(part("lib", "Cilk2GPU.so")) ? "lib" : CILK2GPU_LIBDIR;
  return {part(libraries, "Cilk2GPU.so"),
          part(libraries, "libcilk2gpu_rt.a"),
          part("include", "cilk2gpu-rt"),
          part("libexec", "cilk2gpu-emit"),
          part(libraries, "cilk2gpu"),
          part("libexec", "cilk2gpu-ld"),
          part(libraries, "libcilk2gpu_races.a"),
          part(libraries, "libcilk2gpu_scale.a"),
          part(libraries, "libcilk2gpu_managed.a")};
}

Error checkInstallation(const Installation &installation, const Command &command) {
  for (const std::string *part :
       {&installation.plugin, &installation.runtime, &installation.includes, &installation.linker, &installation.races,
        &installation.scale, &installation.managed}) {
    bool used = llvm::any_of(command.arguments, [&](StringRef word) { return word.ends_with(*part); });
    if (used && !fs::exists(*part))
      return llvm::createStringError("'" + *part + "', a part of cilk2gpu, is missing; install cilk2gpu again");
  }
  return Error::success();
}

/// Returns a triple in the form in which folders of libraries are named: without the vendor.
static std::string folderOf(StringRef target) {
  llvm::Triple triple(llvm::Triple::normalize(target));
  return (triple.getArchName() + "-" + triple.getOSName() + "-" + triple.getEnvironmentName()).str();
}

static std::string foreignRuntime(const Installation &installation, StringRef folder) {
  SmallString<256> result(path::parent_path(installation.runtime));
  path::append(result, folder, path::filename(installation.runtime));
  return result.str().str();
}

std::string findForeignRuntime(const Installation &installation, StringRef target) {
  for (const std::string &folder : {target.str(), folderOf(target)})
    if (std::string runtime = foreignRuntime(installation, folder); fs::exists(runtime))
      return runtime;
  return "";
}

Error foreignRuntimeError(const Installation &installation, StringRef target) {
  std::string folder = folderOf(target);
  return llvm::createStringError(
      "'" + foreignRuntime(installation, folder) + "', the run-time library for '" + target +
      "', is missing; build it from cilk2gpu's sources for that processor "
      "(docs/getting-started.md, \"For another processor\"), or stop before linking with -c");
}

bool mentionsCilk(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return false;
  StringRef text = (*buffer)->getBuffer();
  return path::extension(file) == ".cilk" ||
         llvm::any_of(std::initializer_list<StringRef>{"cilk_spawn", "cilk_for", "cilk_scope", "_Cilk_spawn",
                                                       "_Cilk_for", "__cilk2gpu_"},
                      [&](StringRef word) { return text.contains(word); });
}

/// Returns the output of `clang --version`, or an empty text if it cannot be run.
static Expected<std::string> versionText(StringRef clang) {
  SmallString<128> file;
  if (Error error = cilk2gpu::createTemporaryFile("cilk2gpu-version", "txt", file))
    return error;
  llvm::scope_exit remove([&] { fs::remove(file); });
  std::optional<StringRef> redirects[] = {StringRef(""), file.str(), StringRef("")};
  if (llvm::sys::ExecuteAndWait(clang, {clang, "--version"}, std::nullopt, redirects, /*SecondsToWait=*/60) != 0)
    return "";
  auto buffer = llvm::MemoryBuffer::getFile(file);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// The compiler's variable. Its other variables are those of compiled programs.
static constexpr StringRef kClangVariable = "CILK2GPU_CLANG";

/// Checks that `clang`, which `origin` named, is Clang 22.
static Error checkClang(StringRef clang, StringRef origin, StringRef executable) {
  std::string required = "clang " + std::to_string(LLVM_VERSION_MAJOR);
  auto remedy = "; install clang-" + std::to_string(LLVM_VERSION_MAJOR) + " or set CILK2GPU_CLANG to its path";
  if (!fs::can_execute(clang))
    return llvm::createStringError("cilk2gpu needs " + required + ", but " + origin + " names '" + clang +
                                   "', which cannot be run" + remedy);
  if (fs::equivalent(clang, executable))
    return llvm::createStringError("cilk2gpu needs " + required + ", but " + origin + " names cilk2gpu itself" +
                                   remedy);
  Expected<std::string> text = versionText(clang);
  if (!text)
    return text.takeError();
  std::string wanted = "clang version " + std::to_string(LLVM_VERSION_MAJOR) + ".";
  if (StringRef(*text).contains(wanted))
    return Error::success();
  StringRef found = !text->empty() ? StringRef(*text).split('\n').first : StringRef("not a clang");
  return llvm::createStringError("cilk2gpu needs " + required + ", but '" + clang + "', which " + origin +
                                 " names, is: " + found + remedy);
}

void warnOfMisspelledVariables(StringRef program) {
  constexpr unsigned kMostEdits = 2;
  for (char **entry = environ; entry && *entry; ++entry) {
    StringRef name = StringRef(*entry).split('=').first;
    if (name != kClangVariable &&
        name.edit_distance(kClangVariable, /*AllowReplacements=*/true, kMostEdits) <= kMostEdits)
      llvm::errs() << program << ": warning: the environment variable " << name
                   << " is not known and has no effect; did you mean " << kClangVariable << "?\n";
  }
}

Expected<std::string> findClang(StringRef executable) {
  const char *variable = std::getenv(kClangVariable.data());
  std::string chosen = variable ? variable : "";
  StringRef origin = kClangVariable;
  if (chosen.empty()) {
    if (fs::can_execute(CILK2GPU_CLANG_PATH)) // its path contains the version
      return CILK2GPU_CLANG_PATH;
    chosen = "clang-" + std::to_string(LLVM_VERSION_MAJOR);
    origin = "PATH";
  }
  if (path::filename(chosen) == chosen)
    if (auto found = llvm::sys::findProgramByName(chosen))
      chosen = *found;
  if (Error error = checkClang(chosen, origin, executable))
    return error;
  return chosen;
}

} // namespace cilk2gpu::driver
