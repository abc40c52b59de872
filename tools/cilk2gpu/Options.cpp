// Reads a command line with Clang's own option table, in three steps. The scan finds the driver's options and the
// inputs, and whether Clang links. The second step copies the rest. The third adds the options that Cilk needs.
#include "Options.h"

#include "ClangOptions.h"
#include "Installation.h"
#include "cilk2gpu/Support/VectorIsa.h"
#include "executors/gpu/Suitability.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Regex.h"

#include <iterator>

using namespace clang::options;
using namespace llvm::opt;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace cilk2gpu::driver {
namespace {

constexpr StringRef emitValues[] = {"cilk", "channel", "graph", "graph-json", "llvm", "asm",
                                    "ptx",  "isa",     "hsaco", "firmware",   "hip"};
constexpr StringRef deviceEmitValues[] = {"llvm", "ptx", "isa", "hsaco"};
constexpr StringRef dialectValues[] = {"mit", "opencilk"};
constexpr StringRef lanesValues[] = {"auto", "simd", "scalar"};
constexpr StringRef lengthValues[] = {"4", "8", "16", "32", "64"};

/// The driver's own options of one command line.
struct OwnOptions {
  bool serialElision = false;
  bool any = false; ///< at least one was given: the command line has to be rewritten
  std::string dialect;
  std::string emit;
  std::string lanes, vectorIsa, vectorLength;
  std::string vectorLibrary;      ///< -fveclib, which is Clang's, too
  std::vector<std::string> archs; ///< --offload-arch
  bool fallback = false;          ///< -foffload-fallback
  bool persistent = false;        ///< -foffload-persistent

  /// Architectures that images are made for.
  std::vector<std::string> gpus() const {
    std::vector<std::string> result;
    llvm::copy_if(archs, std::back_inserter(result), [](StringRef arch) { return arch != "gpu-host"; });
    return result;
  }
  bool combine = true;
  bool inlineEarlyReturns = true;
  bool count = false; ///< -fcilk-count-instructions

  /// Returns whether --emit is about a GPU's code.
  bool emitsDevice() const { return llvm::is_contained(deviceEmitValues, emit) && !(emit == "llvm" && gpus().empty()); }
  bool emitsInProcess() const {
    return emitsDevice() || (!emit.empty() && emit != "llvm" && emit != "asm" && !emitsHip());
  }
  /// Returns whether a folder with a HIP program takes the place of the linked one.
  bool emitsHip() const { return emit == "hip"; }
};

/// Result of a scan of the command line.
struct Scan {
  OwnOptions own;
  std::vector<std::string> inputs; ///< source, object and archive files, not -l and the like
  bool hasInput = false;           ///< files or options that Clang counts as the linker's inputs
  bool hasLinkable = false;        ///< an input that goes as far as the linker if no option stops it
  bool hasCilkFile = false;        ///< a .cilk input whose language is not given by -x
  std::string mlirFile;            ///< an .mlir input whose language is not given by -x
  bool isProgram = false; ///< a program is linked, where -fsemantic-interposition asks whose functions are taken
};

bool isCilkFile(StringRef file) { return llvm::sys::path::extension(file) == ".cilk"; }

bool isMlirFile(StringRef file) { return llvm::sys::path::extension(file) == ".mlir"; }

/// The language, by its name for Clang's -x, of a file that Clang does not know by its own. Clang compiles a C or C++
/// file in place of one in MLIR, so that it takes the options of either.
StringRef ownLanguage(StringRef file, bool cxx) {
  if (isMlirFile(file))
    return cxx ? "c++" : "c";
  return isCilkFile(file) ? "c" : "";
}

bool isLinkerFile(StringRef file) {
  return llvm::StringSwitch<bool>(llvm::sys::path::extension(file)).Cases({".o", ".a", ".so"}, true).Default(false);
}

/// Headers are precompiled, never linked.
bool isHeader(StringRef file, StringRef language) {
  if (!language.empty())
    return language.contains("-header");
  return llvm::StringSwitch<bool>(llvm::sys::path::extension(file))
      .Cases({".h", ".H", ".hh", ".hp", ".hpp", ".hxx", ".h++", ".HPP", ".iih"}, true)
      .Default(false);
}

/// Returns whether a source is in a language in which Clang compiles for GPUs itself.
bool isGpuSource(StringRef file, StringRef language) {
  if (!language.empty())
    return language.starts_with("cuda") || language.starts_with("hip");
  return llvm::StringSwitch<bool>(llvm::sys::path::extension(file))
      .Cases({".cu", ".cui", ".hip", ".hipi"}, true)
      .Default(false);
}

/// Returns whether any source is: --offload-arch is Clang's own then.
bool hasGpuSource(const InputArgList &args) {
  StringRef language;
  for (const Arg *arg : args)
    if (arg->getOption().matches(OPT_x))
      language = arg->getValue() == StringRef("none") ? "" : arg->getValue();
    else if (arg->getOption().matches(OPT_INPUT) || arg->getOption().matches(OPT__DASH_DASH))
      if (llvm::any_of(arg->getValues(), [&](const char *file) { return isGpuSource(file, language); }))
        return true;
  return false;
}

Error badValue(StringRef option, StringRef value, ArrayRef<StringRef> allowed, StringRef more = "") {
  std::string text = ("invalid value '" + value + "' in '" + option + value + "'; allowed are: ").str();
  for (auto [index, name] : llvm::enumerate(allowed))
    text += (index ? ", " : "") + name.str();
  return llvm::createStringError(more.empty() ? text : text + ", " + more.str());
}

/// Takes a value of -fcilk-vector-isa=: auto, none, or names of instruction sets with commas between them.
Expected<bool> takeIsas(StringRef argument, std::string &to) {
  constexpr StringRef option = "-fcilk-vector-isa=";
  StringRef value = argument;
  if (!value.consume_front(option) && argument != option.drop_back())
    return false;
  bool isWord = value == "auto" || value == "none";
  if (!isWord &&
      !llvm::all_of(llvm::split(value, ','), [](StringRef name) { return parseVectorIsa(name).has_value(); }))
    return badValue(option, argument == option.drop_back() ? "" : value, {"auto", "none"},
                    "or a list of " + vectorIsaNames(", "));
  to = value.str();
  return true;
}

/// Takes `argument` if it is the driver's own. `--emit` and the like without a value are errors too.
Expected<bool> takeOwn(StringRef argument, OwnOptions &own) {
  auto takeValue = [&](StringRef option, ArrayRef<StringRef> allowed, std::string &to) -> Expected<bool> {
    StringRef value = argument;
    if (!value.consume_front(option)) {
      if (argument == option.drop_back())
        return badValue(option, "", allowed);
      return false;
    }
    if (!llvm::is_contained(allowed, value))
      return badValue(option, value, allowed);
    to = value.str();
    return true;
  };
  Expected<bool> taken = takeValue("--emit=", emitValues, own.emit);
  if (!taken || *taken)
    return taken;
  taken = takeValue("-fcilk-dialect=", dialectValues, own.dialect);
  if (!taken || *taken)
    return taken;
  taken = takeValue("-fcilk-lanes=", lanesValues, own.lanes);
  if (!taken || *taken)
    return taken;
  taken = takeIsas(argument, own.vectorIsa);
  if (!taken || *taken)
    return taken;
  taken = takeValue("-fcilk-vector-length=", lengthValues, own.vectorLength);
  if (!taken || *taken)
    return taken;
  if (argument == "-fcilk-combine" || argument == "-fno-cilk-combine") {
    own.combine = argument == "-fcilk-combine";
    return true;
  }
  if (argument == "-fcilk-inline" || argument == "-fno-cilk-inline") {
    own.inlineEarlyReturns = argument == "-fcilk-inline";
    return true;
  }
  if (argument == "-fcilk-count-instructions" || argument == "-fno-cilk-count-instructions") {
    own.count = argument == "-fcilk-count-instructions";
    return true;
  }
  if (argument == "-foffload-fallback" || argument == "-fno-offload-fallback") {
    own.fallback = argument == "-foffload-fallback";
    return true;
  }
  if (argument == "-foffload-persistent" || argument == "-fno-offload-persistent") {
    own.persistent = argument == "-foffload-persistent";
    return true;
  }
  if (argument == "-fserial-elision")
    return own.serialElision = true;
  return argument == "-fopencilk";
}

/// Returns why there are no images for `arch`, if so.
Error checkArch(StringRef arch) {
  auto [processor, setting] = arch.split(':');
  if (!setting.empty() && processor.starts_with("gfx"))
    return llvm::createStringError("--offload-arch=" + arch + ": what is made for " + processor +
                                   " runs there whatever that GPU's settings are; leave ':" + setting + "' out");
  bool isAmd = arch.starts_with("gfx");
  switch (device::supportOf(arch.str().c_str())) {
  case device::Support::Yes:
    return Error::success();
  case device::Support::TooOld:
    return llvm::createStringError("--offload-arch=" + arch + " is too old: " +
                                   (isAmd ? "tasks run on gfx803, gfx900 and later"
                                          : "kernels need independent thread scheduling, which sm_70 and later have"));
  case device::Support::Unknown:
    break;
  }
  if (arch == "gpu-host")
    return Error::success();
  if (!isAmd && !arch.starts_with("sm_"))
    return llvm::createStringError("invalid value '" + arch + "' in '--offload-arch=" + arch +
                                   "'; allowed are gpu-host, AMD's gfx... and NVIDIA's sm_...");
  return llvm::createStringError("--offload-arch=" + arch +
                                 " names no GPU that this LLVM knows; examples are gfx90a, "
                                 "gfx942, gfx1100, gfx11-generic and sm_90");
}

/// Takes an --offload-arch.
Error takeArch(const Arg &arg, OwnOptions &own) {
  if (arg.getNumValues() == 0)
    return checkArch("");
  for (StringRef arch : arg.getValues()) {
    if (Error error = checkArch(arch))
      return error;
    if (!llvm::is_contained(own.archs, arch)) // one image for each
      own.archs.push_back(arch.str());
  }
  own.any = true;
  return Error::success();
}

/// Reads all arguments once.
Expected<Scan> scan(const InputArgList &args) {
  Scan result;
  StringRef language;
  bool areArchsOwn = !hasGpuSource(args);
  for (const Arg *arg : args) {
    const Option &option = arg->getOption();
    if (option.matches(OPT_UNKNOWN)) {
      Expected<bool> taken = takeOwn(arg->getSpelling(), result.own);
      if (!taken)
        return taken.takeError();
      result.own.any |= *taken;
    } else if (option.matches(OPT_offload_arch_EQ) && areArchsOwn) {
      if (Error error = takeArch(*arg, result.own))
        return std::move(error);
    } else if (option.matches(OPT_fveclib)) {
      result.own.vectorLibrary = arg->getValue();
    } else if (option.matches(OPT_x)) {
      language = arg->getValue() == StringRef("none") ? "" : arg->getValue();
    } else if (option.matches(OPT_INPUT) || option.matches(OPT__DASH_DASH)) {
      for (const char *file : arg->getValues()) {
        bool cilk = language.empty() && isCilkFile(file);
        result.inputs.push_back(file);
        result.hasInput = true;
        result.hasLinkable |= !isHeader(file, language);
        result.hasCilkFile |= cilk;
        if (language.empty() && isMlirFile(file))
          result.mlirFile = file;
      }
    } else if (option.hasFlag(LinkerInput)) {
      result.hasInput = result.hasLinkable = true;
    }
  }
  return result;
}

/// Returns whether no option stops Clang before the linker (clang::driver::Driver::getFinalPhase).
bool reachesLinker(const InputArgList &args) {
  if (const Arg *mode = args.getLastArg(OPT_driver_mode); mode && mode->getValue() == StringRef("cpp"))
    return false;
  return !args.hasArg(OPT_E, OPT_M, OPT_MM, OPT__precompile, OPT_extract_api, OPT_fmodule_header,
                      OPT_fmodule_header_EQ) &&
         !args.hasArg(OPT_fsyntax_only, OPT_print_supported_cpus, OPT_module_file_info, OPT_verify_pch,
                      OPT_rewrite_objc, OPT_rewrite_legacy_objc, OPT__analyze, OPT_emit_cir, OPT_emit_ast) &&
         !args.hasArg(OPT_S, OPT_c, OPT_emit_interface_stubs, OPT_emit_static_lib);
}

/// Returns whether the sources are a program's, which no library's functions take the place of, and it matters: other
/// command lines stay as they are.
bool isProgram(const InputArgList &args, const Scan &found) {
  return args.hasFlag(OPT_fsemantic_interposition, OPT_fno_semantic_interposition, false) && found.hasLinkable &&
         reachesLinker(args) && !args.hasArg(OPT_shared, OPT_r);
}

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

/// Copies a parsed command line without the driver's own options, and gives .cilk files their language. `--` is
/// dropped (see checkDashDash).
class Copier {
public:
  /// `only`: of several inputs, the one to copy.
  Copier(const InputArgList &args, bool inProcess, bool cxx, StringRef only = "")
      : args(args), inProcess(inProcess), cxx(cxx), only(only) {}

  std::vector<std::string> run() {
    for (auto it = args.begin(), end = args.end(); it != end; ++it) {
      unsigned next = std::next(it) == end ? args.getNumInputArgStrings() : (*std::next(it))->getIndex();
      copy(**it, next);
    }
    return std::move(out);
  }

private:
  /// Copies the words from `arg` to `next`, the index of the first word of the argument that follows.
  void copy(const Arg &arg, unsigned next) {
    const Option &option = arg.getOption();
    unsigned index = arg.getIndex();
    if (isOwn(arg) || (inProcess && namesOutput(option)))
      return;
    if (option.matches(OPT_x)) {
      userLanguage = arg.getValue() != StringRef("none");
      forced = "";
    } else if (option.matches(OPT__DASH_DASH)) {
      ++index;
    }
    bool files = option.matches(OPT_INPUT) || option.matches(OPT__DASH_DASH);
    for (; index < next; ++index) {
      if (files && !only.empty() && only != args.getArgString(index))
        continue;
      if (files)
        setLanguage(args.getArgString(index));
      out.push_back(args.getArgString(index));
    }
  }

  bool isOwn(const Arg &arg) const {
    OwnOptions ignored;
    if (arg.getOption().matches(OPT_offload_arch_EQ))
      return areArchsOwn;
    return arg.getOption().matches(OPT_UNKNOWN) && llvm::cantFail(takeOwn(arg.getSpelling(), ignored));
  }

  /// Options that choose the outputs of an ordinary compilation.
  static bool namesOutput(const Option &option) {
    return option.matches(OPT_o) || option.matches(OPT_save_temps) || option.matches(OPT_save_temps_EQ) ||
           option.matches(OPT_c) || option.matches(OPT_S) || option.matches(OPT_emit_llvm);
  }

  void setLanguage(StringRef file) {
    StringRef language = userLanguage ? "" : ownLanguage(file, cxx);
    if (language == forced)
      return;
    out.insert(out.end(), {"-x", language.empty() ? "none" : language.str()});
    forced = language;
  }

  const InputArgList &args;
  bool inProcess;
  bool cxx;
  StringRef only;
  bool areArchsOwn = !hasGpuSource(args);
  bool userLanguage = false; ///< the user's -x is in force
  StringRef forced;          ///< the language of our -x that is in force; empty: none is
  std::vector<std::string> out;
};

void append(std::vector<std::string> &to, ArrayRef<std::string> from) { to.insert(to.end(), from.begin(), from.end()); }

/// Adds the words that the lowering is told (cilk2gpu::parseLoweringWord).
std::vector<std::string> loweringWords(const Scan &found) {
  const OwnOptions &own = found.own;
  std::vector<std::string> words;
  if (!own.lanes.empty())
    words.push_back("lanes=" + own.lanes);
  if (!own.vectorIsa.empty())
    words.push_back("vector-isa=" + llvm::join(llvm::split(own.vectorIsa, ','), "+"));
  if (!own.vectorLength.empty())
    words.push_back("vector-length=" + own.vectorLength);
  if (!own.combine)
    words.push_back("no-combine");
  if (!own.inlineEarlyReturns)
    words.push_back("no-inline");
  if (!own.archs.empty())
    words.push_back("device");
  if (own.count)
    words.push_back("count");
  if (!own.vectorLibrary.empty())
    words.push_back("veclib=" + own.vectorLibrary);
  if (own.emitsHip())
    words.push_back("outline");
  if (found.isProgram)
    words.push_back("executable");
  return words;
}

/// Arguments for the plugin, as words after `-plugin-arg-cilk2gpu`.
std::vector<std::string> pluginArguments(const Scan &found) {
  const OwnOptions &own = found.own;
  std::vector<std::string> words;
  if (own.serialElision)
    words.push_back("serial-elision");
  if (own.dialect == "mit") // the plugin knows .cilk files by their names
    words.push_back("dialect=mit");
  append(words, loweringWords(found));
  return words;
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

/// Checks the conditions of --emit=hip.
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

/// Adds the options that every link gets, after the user's inputs. They go through -Xlinker, because -x has no say over
/// it; libraries are only recorded in the result if the run-time library's objects are used.
std::vector<std::string> linkAdditions(StringRef runtime) {
  std::vector<std::string> words = {"--start-no-unused-arguments"};
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

/// Refuses what cannot be done with a file in MLIR, which the preprocessor does not read.
Error checkMlir(const InputArgList &args, const Scan &found) {
  const Arg *arg = args.getLastArg(OPT_E, OPT_M, OPT_MM, OPT_save_temps, OPT_save_temps_EQ);
  bool isIgnored = arg && found.own.emitsInProcess() && !arg->getOption().matches(OPT_E) &&
                   (arg->getOption().matches(OPT_save_temps) || arg->getOption().matches(OPT_save_temps_EQ));
  if (found.mlirFile.empty() || !arg || isIgnored)
    return Error::success();
  return llvm::createStringError("'" + arg->getAsString(args) + "' preprocesses files, and '" + found.mlirFile +
                                 "' is in MLIR, which has no preprocessor; remove the option");
}

/// Makes a dependency of files in MLIR, which Clang does not see itself.
void addMlirDependencies(const InputArgList &args, const Scan &found, std::vector<std::string> &words) {
  if (found.mlirFile.empty() || !args.hasArg(OPT_MD, OPT_MMD))
    return;
  for (StringRef file : found.inputs)
    if (isMlirFile(file))
      append(words, {"-Xclang", "-fdepfile-entry=" + file.str()});
}

/// Refuses a file named like an option behind `--`. The driver's additions cannot follow `--`, so a command line that
/// it changes is written without it.
Error checkDashDash(const InputArgList &args) {
  if (const Arg *dashes = args.getLastArg(OPT__DASH_DASH))
    for (StringRef file : dashes->getValues())
      if (file.starts_with("-") && file != "-")
        return llvm::createStringError("an input after '--' must not begin with '-', but '" + file +
                                       "' does; write './" + file + "'");
  return Error::success();
}

/// Adds the options that say what the emitter prints of a GPU's code.
Expected<std::vector<std::string>> deviceEmitWords(const OwnOptions &own, const Installation &installation) {
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
Error emitInputsError(StringRef option, ArrayRef<std::string> inputs, size_t sources, bool several) {
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

/// The command line of the emitter: its own options, then a `--` and Clang's for each file.
Expected<Command> emitCommand(const InputArgList &args, const Scan &found, bool cxx, const Installation &installation) {
  std::string option = "--emit=" + found.own.emit;
  std::vector<std::string> sources;
  llvm::copy_if(found.inputs, std::back_inserter(sources), [](StringRef file) { return !isLinkerFile(file); });
  bool firmware = found.own.emit == "firmware", several = firmware || found.own.emitsDevice();
  bool hasOthers = firmware && sources.size() != found.inputs.size(); // which may be libraries of the host's
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
    append(command.arguments, Copier(args, /*inProcess=*/true, cxx, several ? source : StringRef()).run());
  }
  return command;
}

/// --emit=llvm and --emit=asm in Clang's words.
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
    append(command.arguments, emitOptions(found.own.emit, args));
    addMlirDependencies(args, found, command.arguments);
  }
  if (found.own.any || found.hasCilkFile || !found.mlirFile.empty() || (link && args.hasArg(OPT__DASH_DASH))) {
    if (Error error = checkDashDash(args))
      return error;
    append(command.arguments, Copier(args, /*inProcess=*/false, cxx).run());
  } else {
    command.arguments.insert(command.arguments.end(), original.begin(), original.end());
  }
  // Clang compiles in several steps. The step that lowers reads LLVM IR, for which plugins get no arguments.
  if (args.hasArg(OPT_save_temps, OPT_save_temps_EQ))
    command.lowering = llvm::join(loweringWords(found), ",");
  if ((link && !found.own.gpus().empty() && !found.own.serialElision) || found.own.emitsHip())
    append(command.arguments, deviceLinker(args, found.own, installation));
  if (link)
    append(command.arguments, linkAdditions(*runtime));
  return command;
}

} // namespace

Expected<Command> translate(ArrayRef<const char *> arguments, bool cxx, const Installation &installation) {
  Command untouched;
  untouched.arguments.assign(arguments.begin(), arguments.end());
  if (!arguments.empty() && StringRef(arguments.front()).starts_with("-cc1"))
    return untouched;
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
  found->isProgram = isProgram(args, *found);
  if (Error error = checkDialect(args, *found))
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
