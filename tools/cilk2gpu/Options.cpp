// The steps of a translation: read the command line with Clang's own option table (CommandLine.h), check it, and write
// Clang's command line with the options that Cilk needs, or the emitter's (EmitCommand.h).
#include "Options.h"

#include "ClangOptions.h"
#include "CommandLine.h"
#include "EmitCommand.h"
#include "Installation.h"
#include "MlirFiles.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Regex.h"

using namespace clang::options;
using namespace llvm::opt;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace cilk2gpu::driver {
namespace {

/// Returns whether the runtime belongs on the link line. It does not where the user decides what is linked.
bool wantsRuntime(const InputArgList &args, const Scan &found) {
  return found.hasLinkable && found.own.emit.empty() && reachesLinker(args) &&
         !args.hasArg(OPT_r, OPT_nostdlib, OPT_nodefaultlibs, OPT_m32);
}

/// The run-time library to be linked; empty: none.
Expected<std::string> runtimeToLink(const InputArgList &args, const Scan &found, const Installation &installation) {
  if (!wantsRuntime(args, found))
    return "";
  StringRef target = args.getLastArgValue(OPT_target, LLVM_HOST_TRIPLE);
  if (target.split('-').first == StringRef(LLVM_HOST_TRIPLE).split('-').first)
    return installation.runtime;
  if (std::string runtime = findForeignRuntime(installation, target); !runtime.empty())
    return runtime;
  bool isCilk = found.own.dialect == "mit" || llvm::any_of(found.inputs, mentionsCilk);
  if (!isCilk || found.own.serialElision)
    return "";
  return foreignRuntimeError(installation, target);
}

/// Adds the options that every compilation gets. Some of Clang's jobs do not use all of them, and Clang need not say
/// so.
std::vector<std::string> compileAdditions(const Installation &installation, ArrayRef<std::string> pluginWords) {
  // -Xclang for the pass plugin: Clang would hand the plain option to the linker with -flto, which cannot load it.
  std::vector<std::string> words = {"--start-no-unused-arguments",
                                    "-fplugin=" + installation.plugin,
                                    "-Xclang",
                                    "-fpass-plugin=" + installation.plugin,
                                    "-isystem",
                                    installation.includes};
  for (const std::string &word : pluginWords)
    append(words, {"-Xclang", "-plugin-arg-cilk2gpu", "-Xclang", word});
  // Counted are instructions of lanes, which this machine's vectors are not.
  if (llvm::is_contained(pluginWords, "count"))
    append(words, {"-fno-vectorize", "-fno-slp-vectorize"});
  if (llvm::is_contained(pluginWords, "count-work")) // <cilk/cilkscale.h> asks for it, as OpenCilk's does
    words.push_back("-D__cilkscale__");
  // A race is reported for the accesses that the source has.
  if (llvm::is_contained(pluginWords, "races"))
    append(words,
           {"-D__cilksan__=1", "-fno-vectorize", "-fno-slp-vectorize", "-mllvm", "-simplifycfg-sink-common=false",
            "-mllvm", "-simplifycfg-hoist-common=false", "-mllvm", "-simplifycfg-merge-cond-stores=false"});
  words.push_back("--end-no-unused-arguments");
  return words;
}

/// Returns the definitions of the names that programs ask for, for a preprocessing step of its own. Elsewhere the
/// plugin defines them, but such a step runs without the plugin.
std::vector<std::string> predefinedNames(const InputArgList &args, const OwnOptions &own) {
  if (!args.hasArg(OPT_E, OPT_M, OPT_MM, OPT_save_temps, OPT_save_temps_EQ))
    return {};
  std::vector<std::string> words = {"--start-no-unused-arguments"};
  if (own.serialElision)
    words.push_back("-D__cilk2gpu_elision__=1");
  else
    append(words, {"-D__cilk=300", "-D__cilk2gpu__=1", "-D__cilk2gpu_depend__=1"});
  if (own.pedigrees)
    words.push_back("-D__cilk2gpu_pedigrees__=1");
  words.push_back("--end-no-unused-arguments");
  return words;
}

/// Makes Clang run the device linker, which runs the linker that Clang would have run.
std::vector<std::string> deviceLinker(const InputArgList &args, const OwnOptions &own,
                                      const Installation &installation) {
  StringRef linker = args.getLastArgValue(OPT_ld_path_EQ, args.getLastArgValue(OPT_fuse_ld_EQ));
  bool isName = !linker.empty() && !linker.contains('/');
  std::vector<std::string> words = {"--ld-path=" + installation.linker, "-Xlinker",
                                    "--cilk2gpu-linker=" + (linker.empty() ? "ld"
                                                            : isName       ? "ld." + linker.str()
                                                                           : linker.str())};
  for (const std::string &arch : own.gpus())
    append(words, {"-Xlinker", "--cilk2gpu-arch=" + arch});
  if (own.fallback)
    append(words, {"-Xlinker", "--cilk2gpu-fallback"});
  if (own.persistent)
    append(words, {"-Xlinker", "--cilk2gpu-persistent"});
  for (StringRef pattern : args.getAllArgValues(OPT_Rpass_analysis_EQ))
    if (llvm::Regex(pattern).match("cilk"))
      append(words, {"-Xlinker", "--cilk2gpu-remarks"});
  if (own.emitsHip()) // the folder's CMakeLists.txt links the system's libraries
    append(words, {"-Xlinker", "--cilk2gpu-hip", "-nostdlib"});
  return words;
}

/// Returns the library that programs with some option link in front of the run-time library; empty: none.
StringRef toolLibrary(const OwnOptions &own, const Installation &installation) {
  return own.races     ? installation.races
         : own.scale   ? installation.scale
         : own.managed ? installation.managed
                       : StringRef();
}

/// Adds the options that every link gets, after the user's inputs. They go through -Xlinker, because -x has no say over
/// it; libraries are only recorded in the result if the run-time library's objects are used.
std::vector<std::string> linkAdditions(StringRef runtime, StringRef tool, bool isManaged) {
  std::vector<std::string> words = {"--start-no-unused-arguments"};
  if (!tool.empty())
    append(words, {"-Xlinker", tool.str()});
  if (isManaged) // C++ programs may have no reference to malloc of their own
    append(words, {"-Xlinker", "--undefined=malloc"});
  for (StringRef word :
       {runtime, StringRef("--push-state"), StringRef("--as-needed"), StringRef("-lpthread"), StringRef("--pop-state")})
    append(words, {"-Xlinker", word.str()});
  words.push_back("--end-no-unused-arguments");
  return words;
}

/// Refuses what the MIT dialect does not allow. These are another dialect for .cilk files, and preprocessed files, in
/// which its short keywords look like other names.
Error checkDialect(const InputArgList &args, const Scan &found) {
  if (found.own.dialect == "opencilk")
    for (StringRef file : found.inputs)
      if (isCilkFile(file))
        return llvm::createStringError("'-fcilk-dialect=opencilk' does not apply to '" + file +
                                       "': .cilk files are in the MIT dialect; name it .c or .cpp");
  const Arg *temporaries = args.getLastArg(OPT_save_temps, OPT_save_temps_EQ);
  if (temporaries && !found.own.emitsInProcess() && (found.hasCilkFile || found.own.dialect == "mit"))
    return llvm::createStringError("'" + temporaries->getAsString(args) +
                                   "' compiles preprocessed files, which the MIT dialect does not allow; remove it, or "
                                   "write cilk_spawn and cilk_sync and drop the dialect");
  return Error::success();
}

/// Refuses what does not go together with -fsanitize=cilk.
Error checkSanitizer(const InputArgList &args, const Scan &found) {
  if (!found.own.races)
    return Error::success();
  auto conflict = [](StringRef other, StringRef why) {
    return llvm::createStringError("'-fsanitize=cilk' and '" + other + "' do not go together: " + why);
  };
  for (const Arg *arg : args.filtered(OPT_fsanitize_EQ))
    for (StringRef name : arg->getValues())
      if (llvm::is_contained({"address", "hwaddress", "thread", "memory", "dataflow", "leak", "type"}, name))
        return conflict(("-fsanitize=" + name).str(), "both follow each access; compile the program twice");
  if (found.own.serialElision)
    return conflict("-fserial-elision", "an elision has no spawns; remove -fserial-elision");
  if (!found.own.archs.empty())
    return conflict("--offload-arch", "races are found in the program's elision on the CPU; remove --offload-arch");
  if (args.hasArg(OPT_static, OPT_static_pie))
    return conflict("-static", "the detector replaces malloc of the shared C library; remove -static");
  if (!found.mlirFile.empty())
    return conflict(found.mlirFile, "a graph in MLIR has no serial elision; compile the source file");
  if (!found.own.emit.empty() && found.own.emit != "llvm" && found.own.emit != "asm")
    return conflict(("--emit=" + found.own.emit), "there is no graph of an instrumented elision; remove one of them");
  return Error::success();
}

/// Refuses what does not go together with -foffload-managed.
Error checkManaged(const InputArgList &args, const Scan &found) {
  if (!found.own.managed)
    return Error::success();
  if (found.own.archs.empty())
    return llvm::createStringError(
        "'-foffload-managed' has no effect without a GPU; add --offload-arch=ARCH, or remove "
        "-foffload-managed");
  auto conflict = [](StringRef other) {
    return llvm::createStringError("'-foffload-managed' and '" + other +
                                   "' do not go together: it replaces malloc of the shared C library; remove one of "
                                   "them");
  };
  if (args.hasArg(OPT_static, OPT_static_pie))
    return conflict("-static");
  for (const Arg *arg : args.filtered(OPT_fsanitize_EQ))
    for (StringRef name : arg->getValues())
      if (llvm::is_contained({"address", "hwaddress", "thread", "memory", "dataflow", "leak"}, name))
        return conflict(("-fsanitize=" + name).str());
  return Error::success();
}

/// Refuses what does not go together with -fcilk-scale.
Error checkScale(const Scan &found) {
  if (!found.own.scale)
    return Error::success();
  auto conflict = [](StringRef other, StringRef why) {
    return llvm::createStringError("'-fcilk-scale' and '" + other + "' do not go together: " + why);
  };
  if (found.own.races)
    return conflict("-fsanitize=cilk", "checks of accesses would count as work; compile the program twice");
  if (found.own.serialElision)
    return conflict("-fserial-elision", "an elision has no spawns; remove -fserial-elision");
  if (!found.own.archs.empty())
    return conflict("--offload-arch", "work is measured in the program's elision on the CPU; remove --offload-arch");
  if (!found.mlirFile.empty())
    return conflict(found.mlirFile, "a graph in MLIR has no serial elision; compile the source file");
  if (!found.own.emit.empty() && found.own.emit != "llvm" && found.own.emit != "asm")
    return conflict("--emit=" + found.own.emit, "there is no graph of an instrumented elision; remove one of them");
  return Error::success();
}

/// Refuses what does not go together with -fcilk-pedigrees.
Error checkPedigrees(const Scan &found) {
  if (found.own.pedigrees && found.own.serialElision && found.own.emitsInProcess())
    return llvm::createStringError("'--emit=" + found.own.emit +
                                   "' does not go together with '-fcilk-pedigrees' and '-fserial-elision', because an "
                                   "elision has no graph; use --emit=llvm");
  if (!found.own.pedigrees || (found.own.archs.empty() && !found.own.emitsHip()))
    return Error::success();
  return llvm::createStringError("'-fcilk-pedigrees' and '" +
                                 (found.own.emitsHip() ? StringRef("--emit=hip") : StringRef("--offload-arch")) +
                                 "' do not go together: tasks on GPUs have no pedigrees; number the tasks with an "
                                 "argument of your own");
}

/// Sets the word that is completed, and the question that Clang gets. Its interface has a comma between an option and
/// its value (-std=,c++), and other words before a comma.
void completeWord(StringRef asked, Command &command) {
  auto [option, value] = asked.split('=');
  value.consume_front(",");
  bool hasValue = option.size() != asked.size();
  StringRef last = asked.substr(asked.rfind(',') + 1); // the whole text if it has no comma
  command.action = Command::Action::Complete;
  command.word = hasValue ? (option + "=" + value).str() : last.str();
  command.arguments = {"--autocomplete=" + (hasValue ? (option + "=," + value).str() : asked.str())};
}

/// Returns true if the C++ library is linked: by the C++ driver, or by name.
bool linksCpp(const InputArgList &args, bool cxx) {
  return cxx || llvm::any_of(args.filtered(OPT_l, OPT_Wl_COMMA, OPT_Xlinker, OPT_INPUT), [](const Arg *arg) {
           return llvm::any_of(arg->getValues(), [](StringRef value) {
             return value.contains("stdc++") || value.contains("libc++") || value == "c++";
           });
         });
}

/// Returns the files that Clang links, if there are object files of the command line. `own` are libraries that the
/// driver adds.
Link linkOf(const InputArgList &args, const Scan &found, bool cxx, ArrayRef<StringRef> own) {
  Link link;
  if (!found.hasLinkable || !reachesLinker(args) || args.hasArg(OPT_r, OPT__HASH_HASH_HASH))
    return link;
  for (const std::string &input : found.inputs)
    (llvm::sys::path::extension(input) == ".o" ? link.objects : link.libraries).push_back(input);
  link.libraries.insert(link.libraries.end(), own.begin(), own.end());
  link.hasCpp = linksCpp(args, cxx);
  return link;
}

/// Clang's command line for the parsed `args`; `original` is the same before response files were expanded.
Expected<Command> clangCommand(const InputArgList &args, const Scan &found, bool cxx, const Installation &installation,
                               ArrayRef<const char *> original) {
  Command command;
  Expected<std::string> runtime = runtimeToLink(args, found, installation);
  if (!runtime)
    return runtime.takeError();
  bool link = !runtime->empty();
  if (cxx)
    command.arguments.push_back("--driver-mode=g++");
  if (found.hasInput) {
    append(command.arguments, compileAdditions(installation, pluginArguments(found)));
    append(command.arguments, predefinedNames(args, found.own));
    append(command.arguments, emitOptions(found.own.emit, args));
    addMlirDependencies(args, found, command.arguments);
  }
  if (found.own.any || found.hasCilkFile || !found.mlirFile.empty() || (link && args.hasArg(OPT__DASH_DASH))) {
    if (Error error = checkDashDash(args))
      return error;
    CopyOptions copy;
    copy.cxx = cxx;
    append(command.arguments, copyForClang(args, copy));
  } else {
    command.arguments.insert(command.arguments.end(), original.begin(), original.end());
  }
  // Clang compiles in several steps. The step that lowers reads LLVM IR, for which plugins get no arguments.
  if (args.hasArg(OPT_save_temps, OPT_save_temps_EQ))
    command.lowering = llvm::join(loweringWords(found), ",");
  if ((link && !found.own.gpus().empty() && !found.own.serialElision) || found.own.emitsHip())
    append(command.arguments, deviceLinker(args, found.own, installation));
  StringRef tool = link ? toolLibrary(found.own, installation) : "";
  command.link = linkOf(args, found, cxx, {tool, *runtime});
  if (link)
    append(command.arguments, linkAdditions(*runtime, tool, found.own.managed));
  return command;
}

} // namespace

Expected<Command> translate(ArrayRef<const char *> arguments, bool cxx, const Installation &installation) {
  Command untouched;
  untouched.arguments.assign(arguments.begin(), arguments.end());
  if (!arguments.empty() && StringRef(arguments.front()).starts_with("-cc1"))
    return untouched;
  for (StringRef argument : arguments)
    if (argument.consume_front("--autocomplete=")) {
      completeWord(argument, untouched);
      return untouched;
    } else if (argument == "--print-manual-page") {
      untouched.action = Command::Action::Manual;
      return untouched;
    } else if (argument == "--print-clangd-config") {
      untouched.action = Command::Action::Clangd;
      return untouched;
    }
  llvm::BumpPtrAllocator allocator;
  llvm::SmallVector<const char *, 64> expanded(arguments);
  llvm::cl::ExpansionContext context(allocator, llvm::cl::TokenizeGNUCommandLine);
  if (Error error = context.expandResponseFiles(expanded))
    return error;

  unsigned missingIndex, missingCount;
  InputArgList args = clangOptionTable().ParseArgs(expanded, missingIndex, missingCount, Visibility(ClangOption));
  if (missingCount) // nothing after it was read; Clang reports it
    return untouched;
  Expected<Scan> found = scan(args);
  if (!found)
    return found.takeError();
  if (args.hasArg(OPT_help)) {
    Command help;
    help.action = Command::Action::Help;
    return help;
  }
  if (Error error = checkDialect(args, *found))
    return error;
  if (Error error = checkSanitizer(args, *found))
    return error;
  if (Error error = checkManaged(args, *found))
    return error;
  if (Error error = checkScale(*found))
    return error;
  if (Error error = checkPedigrees(*found))
    return error;
  if (Error error = checkHip(args, *found))
    return error;
  if (Error error = checkMlir(args, *found))
    return error;
  if (found->own.emitsInProcess())
    return emitCommand(args, *found, cxx, installation);
  Expected<Command> command = clangCommand(args, *found, cxx, installation, arguments);
  if (command && args.hasArg(OPT__version))
    command->action = Command::Action::Version;
  return command;
}

} // namespace cilk2gpu::driver
