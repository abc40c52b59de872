// See MlirFiles.h.
#include "MlirFiles.h"

using namespace clang::options;
using namespace llvm::opt;
using llvm::Error;
using llvm::StringRef;

namespace cilk2gpu::driver {

Error checkMlir(const InputArgList &args, const Scan &found) {
  const Arg *arg = args.getLastArg(OPT_E, OPT_M, OPT_MM, OPT_save_temps, OPT_save_temps_EQ);
  bool isIgnored = arg && found.own.emitsInProcess() && !arg->getOption().matches(OPT_E) &&
                   (arg->getOption().matches(OPT_save_temps) || arg->getOption().matches(OPT_save_temps_EQ));
  if (found.mlirFile.empty() || !arg || isIgnored)
    return Error::success();
  return llvm::createStringError("'" + arg->getAsString(args) + "' preprocesses files, and '" + found.mlirFile +
                                 "' is in MLIR, which has no preprocessor; remove the option");
}

void addMlirDependencies(const InputArgList &args, const Scan &found, std::vector<std::string> &words) {
  if (found.mlirFile.empty() || !args.hasArg(OPT_MD, OPT_MMD))
    return;
  for (StringRef file : found.inputs)
    if (isMlirFile(file))
      append(words, {"-Xclang", "-fdepfile-entry=" + file.str()});
}

} // namespace cilk2gpu::driver
