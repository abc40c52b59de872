// See CommandLine.h.
#include "CommandLine.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

#include <iterator>

using namespace clang::options;
using namespace llvm::opt;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace cilk2gpu::driver {

bool isCilkFile(StringRef file) { return llvm::sys::path::extension(file) == ".cilk"; }

bool isMlirFile(StringRef file) { return llvm::sys::path::extension(file) == ".mlir"; }

bool isLinkerFile(StringRef file) {
  return llvm::StringSwitch<bool>(llvm::sys::path::extension(file)).Cases({".o", ".a", ".so"}, true).Default(false);
}

/// The language, by its name for Clang's -x, of a file that Clang does not know by its own. Clang compiles a C or C++
/// file in place of one in MLIR, so that it takes the options of either.
static StringRef ownLanguage(StringRef file, bool cxx) {
  if (isMlirFile(file))
    return cxx ? "c++" : "c";
  return isCilkFile(file) ? "c" : "";
}

/// Headers are precompiled, never linked.
static bool isHeader(StringRef file, StringRef language) {
  if (!language.empty())
    return language.contains("-header");
  return llvm::StringSwitch<bool>(llvm::sys::path::extension(file))
      .Cases({".h", ".H", ".hh", ".hp", ".hpp", ".hxx", ".h++", ".HPP", ".iih"}, true)
      .Default(false);
}

// See clang::driver::Driver::getFinalPhase.
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
static bool isProgram(const InputArgList &args, const Scan &found) {
  return args.hasFlag(OPT_fsemantic_interposition, OPT_fno_semantic_interposition, false) && found.hasLinkable &&
         reachesLinker(args) && !args.hasArg(OPT_shared, OPT_r);
}

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
      if (!*taken)
        if (Error error = checkSpelling(*arg))
          return std::move(error);
    } else if (option.matches(OPT_e)) {
      if (Error error = checkSpelling(*arg))
        return std::move(error);
    } else if (option.matches(OPT_offload_arch_EQ) && areArchsOwn) {
      if (Error error = takeArch(*arg, result.own))
        return std::move(error);
    } else if (option.matches(OPT_fsanitize_EQ) || option.matches(OPT_fno_sanitize_EQ)) {
      if (Error error = takeSanitizer(*arg, result.own))
        return std::move(error);
    } else if (option.matches(OPT_fveclib)) {
      result.own.vectorLibrary = arg->getValue();
    } else if (linksPedigrees(*arg)) {
      result.own.any = result.own.pedigrees = true;
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
  result.isProgram = isProgram(args, result);
  return result;
}

Error checkDashDash(const InputArgList &args) {
  if (const Arg *dashes = args.getLastArg(OPT__DASH_DASH))
    for (StringRef file : dashes->getValues())
      if (file.starts_with("-") && file != "-")
        return llvm::createStringError("an input after '--' must not begin with '-', but '" + file +
                                       "' does; write './" + file + "'");
  return Error::success();
}

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
  if (own.races)
    words.push_back("races");
  else if (own.strandHooks)
    words.push_back("strand-hooks");
  if (own.scale)
    words.push_back("count-work");
  if (own.count)
    words.push_back("count");
  if (!own.exceptions)
    words.push_back("no-exceptions");
  if (own.pedigrees)
    words.push_back("pedigrees");
  if (!own.vectorLibrary.empty())
    words.push_back("veclib=" + own.vectorLibrary);
  if (own.emitsHip())
    words.push_back("outline");
  if (found.isProgram)
    words.push_back("executable");
  return words;
}

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

namespace {

/// See copyForClang.
class Copier {
public:
  Copier(const InputArgList &args, const CopyOptions &options) : args(args), options(options) {}

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
    if (isOwn(arg) || (options.inProcess && namesOutput(option)))
      return;
    if (option.matches(OPT_fsanitize_EQ) || option.matches(OPT_fno_sanitize_EQ)) {
      if (std::string others = otherSanitizers(arg); !others.empty())
        out.push_back(option.getPrefixedName().str() + others);
      return;
    }
    if (option.matches(OPT_x)) {
      userLanguage = arg.getValue() != StringRef("none");
      forced = "";
    } else if (option.matches(OPT__DASH_DASH)) {
      ++index;
    }
    bool files = option.matches(OPT_INPUT) || option.matches(OPT__DASH_DASH);
    for (; index < next; ++index) {
      if (files && !options.only.empty() && options.only != args.getArgString(index))
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
    if (linksPedigrees(arg))
      return true;
    return arg.getOption().matches(OPT_UNKNOWN) && llvm::cantFail(takeOwn(arg.getSpelling(), ignored));
  }

  /// Options that choose the outputs of an ordinary compilation.
  static bool namesOutput(const Option &option) {
    return option.matches(OPT_o) || option.matches(OPT_save_temps) || option.matches(OPT_save_temps_EQ) ||
           option.matches(OPT_c) || option.matches(OPT_S) || option.matches(OPT_emit_llvm);
  }

  void setLanguage(StringRef file) {
    StringRef language = userLanguage ? "" : ownLanguage(file, options.cxx);
    if (language == forced)
      return;
    out.insert(out.end(), {"-x", language.empty() ? "none" : language.str()});
    forced = language;
  }

  const InputArgList &args;
  const CopyOptions &options;
  bool areArchsOwn = !hasGpuSource(args);
  bool userLanguage = false; ///< the user's -x is in force
  StringRef forced;          ///< the language of our -x that is in force; empty: none is
  std::vector<std::string> out;
};

} // namespace

std::vector<std::string> copyForClang(const InputArgList &args, const CopyOptions &options) {
  return Copier(args, options).run();
}

} // namespace cilk2gpu::driver
