// See EmitCommand.h.
#include "EmitCommand.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Process.h"

#include <iterator>

using namespace clang::options;
using namespace llvm::opt;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace cilk2gpu::driver {

Error checkHip(const InputArgList &args, const Scan &found) {
  if (!found.own.emitsHip())
    return Error::success();
  std::vector<std::string> gpus = found.own.gpus();
  for (StringRef gpu : gpus)
    if (!gpu.starts_with("gfx"))
      return llvm::createStringError("'--emit=hip' is for AMD's GPUs, but '" + gpu + "' is not one; use --emit=ptx");
  if (gpus.empty())
    return llvm::createStringError("'--emit=hip' takes AMD's GPUs, --offload-arch=gfx..., but none was given");
  if (found.own.serialElision)
    return llvm::createStringError(
        "'--emit=hip' is for programs with tasks, but '-fserial-elision' leaves none; remove one of them");
  if (!args.hasArg(OPT_o))
    return llvm::createStringError("'--emit=hip' writes a folder, but none was named; add -o FOLDER");
  if (!found.hasLinkable || !reachesLinker(args))
    return llvm::createStringError(
        "'--emit=hip' takes a whole program, source and object files, without -c and the like");
  return Error::success();
}

/// Adds the options that say what the emitter prints of a GPU's code.
static Expected<std::vector<std::string>> deviceEmitWords(const OwnOptions &own, const Installation &installation) {
  std::vector<std::string> gpus = own.gpus();
  if (gpus.size() != 1)
    return llvm::createStringError("'--emit=" + own.emit + "' takes one GPU, --offload-arch=ARCH, but " +
                                   std::to_string(gpus.size()) + " were given" +
                                   (gpus.empty() ? "" : "; run it once for each"));
  StringRef gpu = gpus.front();
  if (own.emit == "hsaco" && !gpu.starts_with("gfx"))
    return llvm::createStringError("'--emit=hsaco' is for AMD's GPUs, but '" + gpu + "' is not one; use --emit=ptx");
  if (own.emit == "ptx" && !gpu.starts_with("sm_"))
    return llvm::createStringError("'--emit=ptx' is for NVIDIA's GPUs, but '" + gpu +
                                   "' is not one; use --emit=isa or hsaco");
  std::vector<std::string> words = {"--arch=" + gpu.str(), "--device-stage=" + own.emit,
                                    "--runtimes=" + installation.devices};
  if (own.persistent)
    words.push_back("--persistent");
  return words;
}

/// Refuses what --emit does not take.
static Error emitInputsError(StringRef option, ArrayRef<std::string> inputs, size_t sources, bool several) {
  if (several) {
    for (StringRef file : inputs)
      if (isLinkerFile(file))
        return llvm::createStringError("'" + option + "' takes the source files of a program, but '" + file +
                                       "' is none; give the files that it was made from");
    return llvm::createStringError("'" + option + "' takes the source files of a program, but none was given");
  }
  return llvm::createStringError("'" + option + "' takes one source file, but " + std::to_string(sources) +
                                 " were given" + (sources ? "; run it once for each" : ""));
}

Expected<Command> emitCommand(const InputArgList &args, const Scan &found, bool cxx, const Installation &installation) {
  std::string option = "--emit=" + found.own.emit;
  std::vector<std::string> sources;
  llvm::copy_if(found.inputs, std::back_inserter(sources), [](StringRef file) { return !isLinkerFile(file); });
  bool firmware = found.own.emit == "firmware";
  bool isDrawn = found.own.emit == "graph" || found.own.emit == "graph-json";
  bool several = firmware || found.own.emitsDevice() || isDrawn;
  bool hasOthers =
      (firmware || isDrawn) && sources.size() != found.inputs.size(); // which may be libraries of the host's
  if (several ? sources.empty() || hasOthers : sources.size() != 1)
    return emitInputsError(option, found.inputs, sources.size(), several);
  if (Error error = checkDashDash(args))
    return error;
  if (const Arg *stop = args.getLastArg(OPT_E, OPT_M, OPT_MM))
    return llvm::createStringError("'" + option + "' needs the compiled program, but '" + stop->getAsString(args) +
                                   "' stops after preprocessing; remove one of them");
  bool isBinary = firmware || found.own.emit == "hsaco";
  if (isBinary && !args.hasArg(OPT_o) && llvm::sys::Process::StandardOutIsDisplayed())
    return llvm::createStringError("'" + option +
                                   "' writes a binary file, and the standard output is a terminal; add -o FILE");
  Command command;
  command.action = Command::Action::Emit;
  command.arguments = {"--output=" + args.getLastArgValue(OPT_o, "-").str()};
  if (found.own.emitsDevice()) {
    Expected<std::vector<std::string>> words = deviceEmitWords(found.own, installation);
    if (!words)
      return words.takeError();
    append(command.arguments, *words);
  } else if (firmware) {
    append(command.arguments, {"--firmware", "--runtimes=" + installation.devices});
  } else {
    command.arguments.push_back("--stage=" + found.own.emit);
  }
  for (const std::string &word : pluginArguments(found))
    command.arguments.push_back("--" + word);
  for (StringRef source : sources) {
    command.arguments.push_back("--");
    if (cxx)
      command.arguments.push_back("--driver-mode=g++");
    append(command.arguments, {"-isystem", installation.includes});
    CopyOptions copy;
    copy.inProcess = true;
    copy.cxx = cxx;
    copy.only = several ? source : StringRef();
    append(command.arguments, copyForClang(args, copy));
  }
  return command;
}

std::vector<std::string> emitOptions(StringRef emit, const InputArgList &args) {
  std::vector<std::string> words;
  if (emit.empty() || emit == "hip")
    return words;
  words.push_back("-S");
  if (emit == "llvm")
    words.push_back("-emit-llvm");
  if (!args.hasArg(OPT_o))
    append(words, {"-o", "-"});
  return words;
}

} // namespace cilk2gpu::driver
