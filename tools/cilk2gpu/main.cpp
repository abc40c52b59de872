// cilk2gpu and cilk2gpu++: clang and clang++ with the Cilk plugin. Translates the command line, then becomes Clang.
#include "Complete.h"
#include "Execute.h"
#include "Help.h"
#include "Installation.h"
#include "cilk2gpu/Support/LoweringOptions.h"
#include "cilk2gpu/Version.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

using namespace cilk2gpu::driver;
using llvm::StringRef;

static int fail(StringRef program, llvm::Error error) {
  llvm::errs() << program << ": error: " << llvm::toString(std::move(error)) << "\n";
  return 1;
}

/// Returns true if the driver is called by a C++ compiler's name, with or without a version behind it: cilk2gpu++-22.
static bool isCppName(StringRef program) { return program.rtrim("0123456789.-").ends_with("++"); }

int main(int argc, char **argv) {
  StringRef program = argc ? llvm::sys::path::filename(argv[0]) : "cilk2gpu";
  std::string executable = llvm::sys::fs::getMainExecutable(argv[0], reinterpret_cast<void *>(&fail));
  Installation installation = locateInstallation(executable);
  llvm::ArrayRef<const char *> words(argv, argc);
  auto command = translate(words.drop_front(), isCppName(program), installation);
  if (!command)
    return fail(program, command.takeError());
  if (command->action == Command::Action::Help) {
    printHelp(llvm::outs(), program);
    return 0;
  }
  if (command->action == Command::Action::Manual) {
    printManualPage(llvm::outs());
    return 0;
  }
  if (command->action == Command::Action::Clangd) {
    printClangdConfig(llvm::outs(), installation);
    return 0;
  }
  if (command->action == Command::Action::Complete) {
    bool mayClangHaveMore = printCompletions(llvm::outs(), command->word);
    llvm::outs().flush();
    if (!mayClangHaveMore)
      return 0;
  }
  warnOfMisspelledVariables(program);
  auto clang = findClang(executable);
  if (!clang)
    return fail(program, clang.takeError());
  if (llvm::Error error = checkInstallation(installation, *command))
    return fail(program, std::move(error));
  if (command->action == Command::Action::Emit) {
    command->arguments.insert(command->arguments.begin(), "--clang=" + *clang);
    return fail(program, execute(installation.emitter, command->arguments));
  }
  if (command->action == Command::Action::Version) {
    llvm::outs() << "cilk2gpu version " CILK2GPU_VERSION "\n";
    llvm::outs().flush();
  }
  if (!command->lowering.empty())
    setenv(cilk2gpu::kLoweringVariable, command->lowering.c_str(), /*overwrite=*/1);
  if (command->link.objects.empty())
    return fail(program, execute(*clang, command->arguments));
  auto status = executeAndWait(*clang, command->arguments);
  if (!status)
    return fail(program, status.takeError());
  if (*status)
    printLinkNotes(llvm::errs(), program, command->link);
  return *status;
}
