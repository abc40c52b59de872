// See OwnOptions.h.
#include "OwnOptions.h"
#include "OwnTable.h"

#include "cilk2gpu/Support/VectorIsa.h"
#include "executors/gpu/Suitability.h"

#include "llvm/ADT/STLExtras.h"
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

static constexpr StringRef deviceEmitValues[] = {"llvm", "ptx", "isa", "hsaco"};

std::vector<std::string> OwnOptions::gpus() const {
  std::vector<std::string> result;
  llvm::copy_if(archs, std::back_inserter(result), [](StringRef arch) { return arch != "gpu-host"; });
  return result;
}

bool OwnOptions::emitsDevice() const {
  return llvm::is_contained(deviceEmitValues, emit) && !(emit == "llvm" && gpus().empty());
}

bool OwnOptions::emitsInProcess() const {
  return emitsDevice() || (!emit.empty() && emit != "llvm" && emit != "asm" && !emitsHip());
}

/// Returns whether a source is in a language in which Clang compiles for GPUs itself.
static bool isGpuSource(StringRef file, StringRef language) {
  if (!language.empty())
    return language.starts_with("cuda") || language.starts_with("hip");
  return llvm::StringSwitch<bool>(llvm::sys::path::extension(file))
      .Cases({".cu", ".cui", ".hip", ".hipi"}, true)
      .Default(false);
}

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

/// Returns an error that names the allowed values. `option` ends in '='.
static Error badValue(StringRef option, StringRef value) {
  OwnWord word(option);
  if (word.id() == own::OPT_fcilk_vector_isa_EQ)
    return llvm::createStringError("invalid value '" + value + "' in '" + option + value +
                                   "'; allowed are: auto, none, or a list of " + vectorIsaNames(", "));
  std::vector<std::string> names;
  for (const OptionValue &allowed : valuesOf(word.id()))
    names.push_back(allowed.name);
  if (value.empty())
    return llvm::createStringError("'" + option +
                                   "' has no value; write one of these behind the '=': " + llvm::join(names, ", "));
  return llvm::createStringError("invalid value '" + value + "' in '" + option + value +
                                 "'; allowed are: " + llvm::join(names, ", "));
}

/// Returns whether a value of -fcilk-vector-isa= is right: auto, none, or names of instruction sets with commas between
/// them.
static bool areIsas(StringRef value) {
  return value == "auto" || value == "none" ||
         llvm::all_of(llvm::split(value, ','), [](StringRef name) { return parseVectorIsa(name).has_value(); });
}

/// Takes a word that is an option without a value. Returns false if it is not an option that only the driver has.
static bool takeSwitch(unsigned id, OwnOptions &own) {
  switch (id) {
  case own::OPT_fcilk_combine:
  case own::OPT_no_fcilk_combine:
    own.combine = id == own::OPT_fcilk_combine;
    return true;
  case own::OPT_fcilk_inline:
  case own::OPT_no_fcilk_inline:
    own.inlineEarlyReturns = id == own::OPT_fcilk_inline;
    return true;
  case own::OPT_fcilk_count_instructions:
  case own::OPT_no_fcilk_count_instructions:
    own.count = id == own::OPT_fcilk_count_instructions;
    return true;
  case own::OPT_fcilk_exceptions:
  case own::OPT_no_fcilk_exceptions:
    own.exceptions = id == own::OPT_fcilk_exceptions;
    return true;
  case own::OPT_fcilk_pedigrees:
  case own::OPT_no_fcilk_pedigrees:
    own.pedigrees = id == own::OPT_fcilk_pedigrees;
    return true;
  case own::OPT_foffload_fallback:
  case own::OPT_no_foffload_fallback:
    own.fallback = id == own::OPT_foffload_fallback;
    return true;
  case own::OPT_foffload_persistent:
  case own::OPT_no_foffload_persistent:
    own.persistent = id == own::OPT_foffload_persistent;
    return true;
  case own::OPT_foffload_managed:
  case own::OPT_no_foffload_managed:
    own.managed = id == own::OPT_foffload_managed;
    return true;
  case own::OPT_fcilk_scale:
    return own.strandHooks = own.scale = true;
  case own::OPT_fcilk_strand_hooks:
    return own.strandHooks = true;
  case own::OPT_fserial_elision:
    return own.serialElision = true;
  case own::OPT_fopencilk:
    return true;
  default:
    return false;
  }
}

/// Returns the place of the value of an option; null: the option has none, or is Clang's, too.
static std::string *valuePlace(unsigned id, OwnOptions &own) {
  switch (id) {
  case own::OPT_emit_EQ:
    return &own.emit;
  case own::OPT_fcilk_dialect_EQ:
    return &own.dialect;
  case own::OPT_fcilk_lanes_EQ:
    return &own.lanes;
  case own::OPT_fcilk_vector_isa_EQ:
    return &own.vectorIsa;
  case own::OPT_fcilk_vector_length_EQ:
    return &own.vectorLength;
  case own::OPT_fcilktool_EQ:
    return &own.tool;
  default:
    return nullptr;
  }
}

Expected<bool> takeOwn(StringRef argument, OwnOptions &own) {
  OwnWord word(argument);
  if (!word) {
    std::string option = (argument + "=").str(); // the value is missing
    OwnWord withValue(option);
    if (withValue && valuePlace(withValue.id(), own))
      return badValue(option, "");
    return false;
  }
  std::string *place = valuePlace(word.id(), own);
  if (!place)
    return takeSwitch(word.id(), own);
  bool isRight = word.id() == own::OPT_fcilk_vector_isa_EQ ? areIsas(word.value()) : word.isValueListed();
  if (!isRight)
    return badValue(ownOptionTable().getOptionPrefixedName(word.id()), word.value());
  *place = word.value().str();
  if (word.id() == own::OPT_fcilktool_EQ)
    own.strandHooks = own.scale = true;
  return true;
}

Error checkSpelling(const Arg &arg) {
  std::string word = arg.getSpelling().str();
  if (arg.getOption().matches(OPT_UNKNOWN)) {
    if (std::string nearest = nearestOwnOption(word); !nearest.empty())
      return llvm::createStringError("unknown argument '" + word + "'; did you mean '" + nearest + "'?");
    return Error::success();
  }
  // Clang reads -emit=graph as -e with a value: the linker's option for the program's entry.
  if (arg.getOption().matches(OPT_e) && arg.getNumValues()) {
    std::string joined = word + arg.getValue();
    if (OwnWord meant("-" + joined); meant && meant.id() == own::OPT_emit_EQ)
      return llvm::createStringError("unknown argument '" + joined + "'; did you mean '-" + joined + "'?");
  }
  return Error::success();
}

static constexpr StringRef kRaceSanitizer = "cilk";

std::string otherSanitizers(const Arg &arg) {
  return llvm::join(llvm::make_filter_range(arg.getValues(), [](StringRef name) { return name != kRaceSanitizer; }),
                    ",");
}

Error takeSanitizer(const Arg &arg, OwnOptions &own) {
  constexpr unsigned kMostEdits = 2; // none of Clang's names is so near
  for (StringRef name : arg.getValues()) {
    if (name != kRaceSanitizer && name.edit_distance(kRaceSanitizer) <= kMostEdits)
      return llvm::createStringError("invalid value '" + name + "' in '" + arg.getSpelling() + name +
                                     "'; did you mean '" + arg.getSpelling() + kRaceSanitizer + "'?");
    if (name != kRaceSanitizer)
      continue;
    own.any = true;
    own.races = arg.getOption().matches(OPT_fsanitize_EQ);
  }
  return Error::success();
}

bool linksPedigrees(const Arg &arg) {
  return arg.getOption().matches(OPT_l) && arg.getValue() == StringRef("opencilk-pedigrees");
}

/// Returns why there are no images for `arch`, if so.
static Error checkArch(StringRef arch) {
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

} // namespace cilk2gpu::driver
