// See SourceNames.h. A function's parts, and not all that its symbol says: programs write no result in front of a
// template's name.
#include "cilk2gpu/Support/SourceNames.h"

#include "llvm/Demangle/Demangle.h"
#include <cstdlib>

using namespace llvm;

/// The text that a demangler has allocated; empty if there is none.
static std::string take(char *text) {
  std::string taken = text ? text : "";
  std::free(text);
  return taken;
}

std::string cilk2gpu::sourceName(StringRef symbol) {
  std::string mangled = symbol.take_until([](char letter) { return letter == '.'; }).str();
  ItaniumPartialDemangler parts;
  // Without the prefix, names of C functions would be taken for those of types.
  if (!symbol.starts_with("_Z") || parts.partialDemangle(mangled.c_str()))
    return symbol.str();
  std::string name = parts.isFunction() ? take(parts.getFunctionName(nullptr, nullptr)) +
                                              take(parts.getFunctionParameters(nullptr, nullptr))
                                        : take(parts.finishDemangle(nullptr, nullptr));
  return name + symbol.drop_front(mangled.size()).str();
}
