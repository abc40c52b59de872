// See SourceNames.h. A name is built from the function's parts, because the full demangled symbol of a template has the
// result type in front, which programs do not write.
#include "cilk2gpu/Support/SourceNames.h"

#include "cilk2gpu/Support/PedigreeMarks.h"
#include "llvm/Demangle/Demangle.h"
#include <cstdlib>

using namespace llvm;

/// Returns the text that a demangler has allocated, and frees it. Empty if there is no text.
static std::string take(char *text) {
  std::string taken = text ? text : "";
  std::free(text);
  return taken;
}

/// Returns the rest of a symbol, behind the function's name, without the marks of forms: of functions that may throw,
/// and of functions that know their strand.
static std::string suffixOf(StringRef rest) {
  std::string suffix = rest.str();
  for (StringRef mark : {".throwing", cilk2gpu::kPedigreeSuffix, cilk2gpu::kEnteringSuffix, cilk2gpu::kSpawnedSuffix})
    if (size_t at = suffix.find(mark); at != std::string::npos)
      suffix.erase(at, mark.size());
  return suffix;
}

std::string cilk2gpu::sourceName(StringRef symbol) {
  std::string mangled = symbol.take_until([](char letter) { return letter == '.'; }).str();
  ItaniumPartialDemangler parts;
  // Without the prefix, the demangler would take names of C functions for names of types.
  if (!symbol.starts_with("_Z") || parts.partialDemangle(mangled.c_str()))
    return mangled + suffixOf(symbol.drop_front(mangled.size()));
  std::string name = parts.isFunction() ? take(parts.getFunctionName(nullptr, nullptr)) +
                                              take(parts.getFunctionParameters(nullptr, nullptr))
                                        : take(parts.finishDemangle(nullptr, nullptr));
  return name + suffixOf(symbol.drop_front(mangled.size()));
}
