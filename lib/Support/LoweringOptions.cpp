// See LoweringOptions.h.
#include "cilk2gpu/Support/LoweringOptions.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace cilk2gpu;
using llvm::StringRef;

/// Parses auto, none, or names of instruction sets with + between them.
static bool parseIsas(StringRef text, LoweringOptions &options) {
  if (text == "auto") {
    options.isas.reset();
    return true;
  }
  options.isas.emplace();
  if (text == "none")
    return true;
  llvm::SmallVector<StringRef> names;
  text.split(names, '+');
  for (StringRef name : names)
    if (std::optional<VectorIsa> isa = parseVectorIsa(name))
      options.isas->push_back(*isa);
    else
      return false;
  return true;
}

bool cilk2gpu::parseLoweringWord(StringRef word, LoweringOptions &options) {
  if (word == "no-combine") {
    options.combine = false;
    return true;
  }
  if (word == "no-inline") {
    options.inlineEarlyReturns = false;
    return true;
  }
  if (word == "device")
    return options.device = true;
  if (word == "count")
    return options.count = true;
  if (word == "count-work")
    return options.countWork = true;
  if (word == "outline")
    return options.outline = true;
  if (word == "no-exceptions") {
    options.exceptions = false;
    return true;
  }
  if (word == "strand-hooks")
    return options.strandHooks = true;
  if (word == "races")
    return options.strandHooks = options.races = true;
  if (word == "pedigrees")
    return options.pedigrees = true;
  if (word == "executable")
    return options.executable = true;
  if (word.consume_front("lanes=")) {
    auto lanes = llvm::StringSwitch<std::optional<Lanes>>(word)
                     .Case("auto", Lanes::Auto)
                     .Case("simd", Lanes::Simd)
                     .Case("scalar", Lanes::Scalar)
                     .Default(std::nullopt);
    options.lanes = lanes.value_or(options.lanes);
    return lanes.has_value();
  }
  if (word.consume_front("vector-isa="))
    return parseIsas(word, options);
  if (word.consume_front("veclib=")) {
    options.vectorLibrary = word.str();
    return true;
  }
  unsigned length = 0;
  if (!word.consume_front("vector-length=") || word.getAsInteger(10, length) || !llvm::isPowerOf2_32(length) ||
      length < 4 || length > 64)
    return false;
  options.vectorLength = length;
  return true;
}
