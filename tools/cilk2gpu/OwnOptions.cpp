// See OwnOptions.h.
#include "OwnOptions.h"

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

static constexpr StringRef emitValues[] = {"cilk", "channel", "graph", "graph-json", "llvm", "asm",
                                           "ptx",  "isa",     "hsaco", "firmware",   "hip"};
static constexpr StringRef deviceEmitValues[] = {"llvm", "ptx", "isa", "hsaco"};
static constexpr StringRef dialectValues[] = {"mit", "opencilk"};
static constexpr StringRef lanesValues[] = {"auto", "simd", "scalar"};
static constexpr StringRef lengthValues[] = {"4", "8", "16", "32", "64"};

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

static Error badValue(StringRef option, StringRef value, ArrayRef<StringRef> allowed, StringRef more = "") {
  std::string text = ("invalid value '" + value + "' in '" + option + value + "'; allowed are: ").str();
  for (auto [index, name] : llvm::enumerate(allowed))
    text += (index ? ", " : "") + name.str();
  return llvm::createStringError(more.empty() ? text : text + ", " + more.str());
}

/// Takes a value of -fcilk-vector-isa=: auto, none, or names of instruction sets with commas between them.
static Expected<bool> takeIsas(StringRef argument, std::string &to) {
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
  if (argument == "-fcilk-scale")
    return own.strandHooks = own.scale = true;
  if (argument == "-fcilk-strand-hooks")
    return own.strandHooks = true;
  if (argument == "-fserial-elision")
    return own.serialElision = true;
  return argument == "-fopencilk";
}

static constexpr StringRef kRaceSanitizer = "cilk";

std::string otherSanitizers(const Arg &arg) {
  return llvm::join(llvm::make_filter_range(arg.getValues(), [](StringRef name) { return name != kRaceSanitizer; }),
                    ",");
}

void takeSanitizer(const Arg &arg, OwnOptions &own) {
  if (!llvm::is_contained(arg.getValues(), kRaceSanitizer))
    return;
  own.any = true;
  own.races = arg.getOption().matches(OPT_fsanitize_EQ);
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
