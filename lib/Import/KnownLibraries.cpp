// See KnownLibraries.h.
#include "KnownLibraries.h"

#include "llvm/ADT/STLExtras.h"

#include <array>

using namespace llvm;
using namespace cilk2gpu;

/// Returns true for a function of the C++ library that calls no code of the program, except members of the program's
/// own streams.
static bool isOfCxxLibrary(StringRef name) {
  return any_of(std::array{"_ZSt", "_ZNSt", "_ZNKSt", "_ZNSa", "_ZNSo", "_ZNSi", "_ZNSs", "__cxa_", "_Unwind_"},
                [&](const char *prefix) { return name.starts_with(prefix); });
}

bool cilk2gpu::isHarmless(const Function &function, const KnownLibraries &library) {
  LibFunc known;
  bool takesFunctions = function.getName() == "qsort" || function.getName() == "bsearch";
  return function.isIntrinsic() || function.hasFnAttribute(Attribute::NoCallback) || function.doesNotAccessMemory() ||
         function.getName().starts_with("__cilk2gpu_") || (library.hasCxx && isOfCxxLibrary(function.getName())) ||
         (!takesFunctions && library.c.getLibFunc(function, known));
}
